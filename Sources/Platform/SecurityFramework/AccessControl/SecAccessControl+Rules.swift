internal import PavisePrimitives

// Linux has no biometry and no companion device. What can be shown here is the passcode and the application's own
// password.
extension SecAccessControl {
    /// Whether anything must be shown. To say what a key may be used for asks nobody.
    package var isConstrained: Bool { !flags.subtracting([.privateKeyUsage, .and, .or]).isEmpty }

    /// Whether the application's own password is needed.
    package var needsPassword: Bool { flags.contains(.applicationPassword) }

    /// Whether the passcode is needed, or a kind of proof that it stands for.
    package var needsPresence: Bool { !flags.isDisjoint(with: SecAccessControlCreateFlags.constraints) }

    /// Whether this machine can ever satisfy the constraints.
    ///
    /// The passcode satisfies user presence and itself, and is enough where one of several constraints is. Biometry
    /// alone, a companion alone, or either together with others, cannot be shown.
    package var isSatisfiable: Bool {
        let constraints = flags.intersection(SecAccessControlCreateFlags.constraints)
        if constraints.isEmpty || constraints == .userPresence || constraints == .devicePasscode { return true }
        return flags.contains(.or) && constraints.contains(.devicePasscode)
    }

    /// The bytes to store: the flags (8 bytes, big-endian; bit 40 forbids deletion), then the protection's code.
    package var storedForm: [UInt8] {
        var writer = ByteWriter()
        writer.integer(UInt64(flags.rawValue) | (allowsDeletion ? 0 : Self.noDeletion))
        writer.raw(Array(protection.utf8))
        return writer.bytes
    }

    /// Reads ``storedForm``; `nil` for anything else.
    package convenience init?(storedForm bytes: [UInt8]) {
        var reader = ByteReader(bytes)
        guard bytes.count <= 64, let flags: UInt64 = try? reader.integer(),
            let code = try? reader.read(reader.remaining)
        else { return nil }
        self.init(
            protection: String(decoding: code, as: UTF8.self),
            flags: SecAccessControlCreateFlags(rawValue: CFOptionFlags(flags & ~Self.noDeletion)),
            allowsDeletion: flags & Self.noDeletion == 0)
    }

    private static let noDeletion: UInt64 = 1 << 40
}
