public import PavisePrimitives

/// An item behind biometrics, and a mark beside it that needs none: what each platform brings. A test has its own.
package protocol BiometricItem: Sendable {
    /// What the system says now.
    func check() -> BiometricCheck
    /// Stores the key under the access control, in place of another. The system's status.
    func add(_ key: borrowing SecretBytes) -> Int32
    /// Asks the person and gives the key, or the status. Blocks until the person has answered.
    func read(reason: String) -> (status: Int32, key: SharedSecretBytes?)
    /// Deletes the key. Twice is fine.
    func remove() -> Int32
    /// The mark; a status that is neither success nor a proved absence says that nobody knows.
    func mark() -> (status: Int32, mark: [UInt8]?)
    /// Writes the mark in place of another; `nil` deletes it.
    func setMark(_ mark: [UInt8]?) -> Int32
}

/// The biometrics of the system: a finger or a face releases the lock's key (app-lock AL9).
///
/// On Apple's systems the key lies in a keychain item that this device alone has, that exists only while the device has
/// a passcode, and that the Secure Enclave releases to those who were enrolled when it was made (`biometryCurrentSet`):
/// with another finger or face it is gone, and the PIN is needed (AL10). Nothing else releases it, not even the
/// device's passcode. On Linux it reports that there are no biometrics; the same source compiles for both.
///
/// ```swift
/// let biometrics = SystemBiometrics()
/// lock.follow(biometrics)                                   // at each start
/// try lock.armBiometrics(biometrics)                        // after a right PIN
/// try lock.unlock(with: biometrics, reason: "Open your diary")
/// ```
///
/// For a face the app's Info.plist has to say why in `NSFaceIDUsageDescription`. ``release(reason:)`` blocks while the
/// person is asked: call it off the main thread. What decides is tested on Linux with an item that plays the documented
/// statuses; no Apple system has run it.
public struct SystemBiometrics: BiometricKeeper {
    private static let notFound: Int32 = -25_300
    private let item: any BiometricItem

    /// The keeper of the app's lock.
    public init() { self.init(item: PlatformBiometricItem()) }

    package init(item: any BiometricItem) { self.item = item }

    /// Why biometrics cannot unlock here and now, in a sentence; `nil` where they can be asked, or armed.
    public var obstacle: String? {
        guard case .unavailable(let words)? = BiometricRules.objection(to: item.check(), mark: nil) else { return nil }
        return words
    }

    /// Stores the key, in place of another one.
    ///
    /// - Throws: ``BiometricRefusal``. Nothing is kept then.
    public func keep(_ key: borrowing SecretBytes) throws {
        let check = item.check()
        if let objection = BiometricRules.objection(to: check, mark: nil) { throw objection }
        guard case .usable(let enrolment, _) = check else { throw BiometricRefusal.failed }
        forget()
        if let refusal = BiometricRules.refusalToKeep(item.add(key)) { throw refusal }
        if let refusal = BiometricRules.refusalToKeep(item.setMark(enrolment)) {
            // Without its mark nobody could say later why it is gone.
            forget()
            throw refusal
        }
    }

    /// Asks the person, and gives the key back.
    public func release(reason: String) throws(BiometricRefusal) -> SecretBytes {
        let (status, mark) = item.mark()
        guard status == 0 || status == Self.notFound else {
            throw BiometricRules.refusal(status, after: .absent(""), mark: nil) ?? .failed
        }
        if let objection = BiometricRules.objection(to: item.check(), mark: mark) { throw objection }
        let answer = item.read(reason: reason)
        if let refusal = BiometricRules.refusal(answer.status, after: item.check(), mark: mark) { throw refusal }
        guard let key = answer.key else { throw .unavailable("The keychain gave an item without content.") }
        return key.bytes.duplicate()
    }

    /// Forgets the key. Twice is fine.
    public func forget() {
        _ = item.remove()
        _ = item.setMark(nil)
    }
}
