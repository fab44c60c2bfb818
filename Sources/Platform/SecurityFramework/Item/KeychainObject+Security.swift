internal import Foundation
internal import PavisePrimitives

extension SecKey: KeychainObject {
    /// Keys.
    package var keychainClass: String { "keys" }

    /// What names and describes the key.
    package func keychainAttributes() -> [String: Any] { attributes }

    /// The external representation; nothing for a key of the secure element, whose handle is an attribute.
    package func keychainData() throws -> [UInt8] {
        guard let storage else { throw StatusFailure(errSecParam) }
        return Array(storage.data)
    }

    /// The key of a keychain item, from bytes.
    static func restored(attributes: [String: Any], data: [UInt8]) throws -> SecKey {
        try restored(attributes: attributes, data: Data(data))
    }
}

extension SecAccessControl {
    /// Whether a person would have to be asked. To say what a key may be used for asks nobody.
    var isConstrained: Bool { !flags.subtracting([.privateKeyUsage, .and, .or]).isEmpty }

    /// The bytes to store: the flags (8 bytes, big-endian), then the protection's code.
    var storedForm: [UInt8] {
        var writer = ByteWriter()
        writer.integer(UInt64(flags.rawValue))
        writer.raw(Array(protection.utf8))
        return writer.bytes
    }

    /// Reads ``storedForm``; `nil` for anything else.
    convenience init?(storedForm bytes: [UInt8]) {
        var reader = ByteReader(bytes)
        guard let flags: UInt64 = try? reader.integer(), let code = try? reader.read(reader.remaining) else {
            return nil
        }
        self.init(
            protection: String(decoding: code, as: UTF8.self),
            flags: SecAccessControlCreateFlags(rawValue: CFOptionFlags(flags)))
    }
}
