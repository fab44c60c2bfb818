public import PavisePrimitives
internal import SecurityFramework

/// A P-256 key of the device's secure element as a ``SealingKey``: Apple's ECIES, the key never leaves the element.
public struct EnclaveKey: SealingKey {
    let tag: String
    private let companions: [String]

    /// The key called `tag` (its application tag). Nothing is looked up yet.
    public init(tag: String) { self.init(tag: tag, goingWith: []) }

    /// The same; ``destroy()`` destroys the keys called `companions` too.
    package init(tag: String, goingWith companions: [String]) {
        self.tag = tag
        self.companions = companions
    }

    /// Makes the key unless it is there. Where nobody can say whether it is, none is made.
    ///
    /// Two processes that do so at the same moment make one each, as a key's public half is a part of its name. Both
    /// then take the older one, and what was sealed with the other opens as well.
    public func prepare() throws(VaultFailure) {
        guard try !isThere() else { return }
        let status = EnclaveBridge.create(tag: tag)
        guard status != errSecDuplicateItem else { return }
        try Self.check(status)
    }

    /// Whether there is such a key.
    ///
    /// - Throws: Where the keychain cannot say.
    package func isThere() throws(VaultFailure) -> Bool {
        let status = EnclaveBridge.find(tag: tag)
        guard status != errSecItemNotFound else { return false }
        try Self.check(status)
        return true
    }

    /// Encrypts to the key's public half; 81 bytes longer than `plain`.
    public func seal(_ plain: Span<UInt8>) throws(VaultFailure) -> [UInt8] {
        var copy = Array(plain)
        defer { Wipe.bytes(&copy) }
        let (status, packet) = EnclaveBridge.seal(copy, tag: tag)
        try Self.check(status)
        guard let packet else { throw .system(status: status) }
        return packet
    }

    /// Decrypts inside the element.
    public func open(_ packet: Span<UInt8>) throws(VaultFailure) -> SecretBytes {
        let (status, plain) = EnclaveBridge.open(Array(packet), tag: tag)
        // The element says -50 to every packet that does not open.
        guard status != errSecParam, status != errSecDecode else { throw .corrupt(.packet) }
        try Self.check(status)
        guard let plain else { throw .system(status: status) }
        return plain.bytes.duplicate()
    }

    /// Deletes the key.
    public func destroy() throws(VaultFailure) {
        var failure: OSStatus?
        for tag in [tag] + companions {
            let status = EnclaveBridge.delete(tag: tag)
            if status != errSecItemNotFound, status != errSecSuccess { failure = failure ?? status }
        }
        if let failure { try Self.check(failure) }
    }

    static func check(_ status: OSStatus) throws(VaultFailure) {
        guard status != errSecItemNotFound else { throw .keyLost }
        if let failure = VaultFailure(status: status) { throw failure }
    }
}
