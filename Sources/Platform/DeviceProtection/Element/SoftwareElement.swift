internal import PaviseCrypto
package import PavisePrimitives

/// An element without hardware: its root is a random file secret (32 bytes, mode 0600).
///
/// It ties data to this disk, not to this machine: whoever copies the whole disk has the root too. `device status`
/// says so. Keys are opaque to callers exactly as with hardware, so that nothing above changes when there is some.
package struct SoftwareElement: SecureElement {
    let folder: String
    private let root: RootSecret

    // A class, so that copies of the element share one secret and the keys that it opened.
    private final class RootSecret: Sendable {
        let bytes: SecretBytes
        let opened = OpenedKeys()
        init(_ bytes: consuming SecretBytes) { self.bytes = bytes }
    }

    /// Opens the element in `folder`, and makes its secret the first time.
    ///
    /// - Parameter mayCreate: `false` when something already depends on the secret; then a missing one is damage,
    ///   and not a reason for a new one.
    package static func open(_ folder: String, mayCreate: Bool) throws(DeviceFailure) -> SoftwareElement {
        let path = folder + "/element.secret"
        return try DeviceFailure.reporting {
            if var stored = try DurableFile.readIfPresent(path, limit: 64, isSecret: true) {
                defer { Wipe.bytes(&stored) }
                guard stored.count == 32 else { throw DeviceFailure.damaged(file: path) }
                return SoftwareElement(folder: folder, root: RootSecret(SecretBytes(copying: stored.span)))
            }
            guard mayCreate else { throw DeviceFailure.damaged(file: path) }
            let secret = try SecretBytes.random(count: 32)
            try secret.withBytes { try DurableFile.write($0, to: path) }
            return SoftwareElement(folder: folder, root: RootSecret(secret))
        }
    }

    /// There is no hardware behind this element.
    package var protection: ElementProtection {
        ElementProtection(
            hardware: "none",
            meaning: "The root secret is a file (mode 0600). Who copies the whole disk can open what it protects.")
    }

    /// HKDF-SHA256 (RFC 5869) of the root.
    package func derivedKey(purpose: String) throws(DeviceFailure) -> SecretBytes {
        try derive(salt: [], purpose: "derived: " + purpose)
    }

    /// RFC 3394 under a key of the purpose's own.
    package func wrap(_ key: borrowing SecretBytes, purpose: String) throws(DeviceFailure) -> [UInt8] {
        let wrapping = try derive(salt: [], purpose: "wrap: " + purpose)
        do throws(CryptoFailure) {
            return try key.withBytes { key throws(CryptoFailure) in
                try wrapping.withBytes { wrapping throws(CryptoFailure) in try AESKeyWrap.wrap(key, with: wrapping) }
            }
        } catch {
            return try DeviceFailure.reporting { throw error }
        }
    }

    /// See ``SecureElement/unwrap(_:purpose:)``.
    package func unwrap(_ blob: [UInt8], purpose: String) throws(DeviceFailure) -> SecretBytes {
        let wrapping = try derive(salt: [], purpose: "wrap: " + purpose)
        return try DeviceFailure.reporting {
            try wrapping.withBytes { try AESKeyWrap.unwrap(blob, with: $0) }
        }
    }

    /// The keys in use.
    var opened: OpenedKeys { root.opened }

    func derive(salt: [UInt8], purpose: String) throws(DeviceFailure) -> SecretBytes {
        let info = Array("pavise software element: \(purpose)".utf8)
        return try DeviceFailure.reporting {
            try root.bytes.withBytes { try KDF.hkdf($0, salt: salt, info: info, count: 32) }
        }
    }
}
