internal import Foundation
internal import LocalAuthentication
package import PavisePrimitives
internal import Security

/// A keychain item that a finger or a face of those who are enrolled now opens (kSecAccessControlBiometryCurrentSet),
/// and a mark beside it. What the statuses mean is decided above it.
package struct BiometricBridge: Sendable {
    /// What the system says about biometrics.
    package enum Check: Hashable, Sendable {
        /// They can be asked; the digest of who is enrolled, and whether the purpose string for a face is missing.
        case usable(enrolment: [UInt8], lacksPurpose: Bool)
        /// The number of LAError.
        case refused(Int)
    }

    private let service: String
    private let account: String

    /// The item called `name`.
    package init(name: String) {
        service = "\(OwnItems.prefix)biometrics"
        account = name
    }

    /// Asks nobody.
    package func check() -> Check {
        let context = LAContext()
        var error: NSError?
        guard unsafe context.canEvaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, error: &error) else {
            return .refused(error?.code ?? LAError.Code.biometryNotAvailable.rawValue)
        }
        let purpose = Bundle.main.object(forInfoDictionaryKey: "NSFaceIDUsageDescription") as? String
        return .usable(
            enrolment: enrolment(context), lacksPurpose: context.biometryType == .faceID && (purpose ?? "").isEmpty)
    }

    private func enrolment(_ context: LAContext) -> [UInt8] {
        #if canImport(Darwin)
        context.domainState.biometry.stateHash.map { [UInt8]($0) } ?? []
        #else
        []
        #endif
    }

    /// Adds the key.
    package func add(_ key: borrowing SecretBytes) -> Int32 {
        let control = unsafe SecAccessControlCreateWithFlags(
            nil, kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly, .biometryCurrentSet, nil)
        guard let control else { return errSecParam }
        let content: [String: Any] = [
            kSecValueData as String: key.withBytes { bytes in Data(Array(bytes)) },
            kSecAttrAccessControl as String: control,
        ]
        return KeychainBridge.add(item.merging(content) { $1 })
    }

    /// Asks the person.
    package func read(reason: String) -> (status: Int32, key: SharedSecretBytes?) {
        let context = LAContext()
        context.localizedReason = reason
        // There is no other way to this item: the PIN is the app's own.
        context.localizedFallbackTitle = ""
        context.touchIDAuthenticationAllowableReuseDuration = 0
        let wanted: [String: Any] = [
            kSecReturnData as String: true, kSecUseAuthenticationContext as String: context,
        ]
        let answer = KeychainBridge.search(item.merging(wanted) { $1 })
        context.invalidate()
        // The other items of this program have a class that can be read where this one cannot, so they prove nothing
        // here.
        let status = AbsenceProof.status(answer.status) {
            KeychainBridge.search(KeychainBridge.reading(probe)).status
        } make: {
            KeychainBridge.add(probe.merging(probeContent) { $1 })
        }
        guard status == errSecSuccess, let data = answer.result as? Data else { return (status, nil) }
        var bytes = [UInt8](data)
        defer { Wipe.bytes(&bytes) }
        return (status, SharedSecretBytes(SecretBytes(copying: bytes)))
    }

    /// Deletes the key.
    package func remove() -> Int32 { KeychainBridge.delete(item) }

    /// Reads the mark.
    package func mark() -> (status: Int32, mark: [UInt8]?) {
        let wanted = marked.merging([kSecReturnData as String: true]) { $1 }
        let answer = KeychainBridge.data(wanted, readable: .afterFirstUnlock)
        return (answer.status, answer.data.map { [UInt8]($0) })
    }

    /// Writes or deletes the mark.
    package func setMark(_ mark: [UInt8]?) -> Int32 {
        let status = KeychainBridge.delete(marked, readable: .afterFirstUnlock)
        guard let mark, status == errSecSuccess || status == errSecItemNotFound else { return status }
        let content: [String: Any] = [
            kSecValueData as String: Data(mark),
            kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
        ]
        return KeychainBridge.add(marked.merging(content) { $1 })
    }

    private var item: [String: Any] { query("\(account) key") }
    private var marked: [String: Any] { query("\(account) enrolment") }
    private var probe: [String: Any] { query("probe") }

    private var probeContent: [String: Any] {
        [
            kSecValueData as String: Data([1]),
            kSecAttrAccessible as String: kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly,
        ]
    }

    private func query(_ account: String) -> [String: Any] {
        [
            kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: service,
            kSecAttrAccount as String: account, kSecUseDataProtectionKeychain as String: true,
        ]
    }
}
