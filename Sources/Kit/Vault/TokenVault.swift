internal import PavisePrimitives

/// Seals secrets with a key that cannot be copied, then stores the packets.
///
/// What lies in the store opens only with the sealing key, and only under the name it was stored as: the name is part
/// of the sealed content, so that swapping two items is noticed.
///
/// ```swift
/// let vault = TokenVault(store: KeychainStore(), key: EnclaveKey(tag: "org.pavise.key.\(id)"))
/// try vault.prepare()
/// try token.withBytes { bytes throws(VaultFailure) in try vault.store(bytes, as: name) }
/// ```
public struct TokenVault: Sendable {
    let secrets: any SecretStore
    let key: any SealingKey
    /// The key that tokens are bound to (RFC 9449), beside the one that seals them; `nil` where none are.
    package let bindingKey: (any DPoPKey)?
    private var installation: InstallationBinding?

    /// A vault over a store and a key.
    ///
    /// - Parameters:
    ///   - store: Holds the sealed items.
    ///   - key: Seals them.
    ///   - bindingKey: Another key than `key`, which tokens are bound to where the authority offers that (DPoP).
    public init(store: any SecretStore, key: any SealingKey, bindingKey: (any DPoPKey)? = nil) {
        secrets = store
        self.key = key
        self.bindingKey = bindingKey
    }

    /// The same vault for one installation of the app: what it stores from now on is there only as long as `half` is.
    /// What was stored without one before stays readable, and is bound when it is stored again.
    public func bound(to half: InstallationBinding) -> TokenVault {
        var bound = self
        bound.installation = half
        return bound
    }

    /// Makes the sealing key, and the installation's half, where there is none. Call this at sign-in only: a missing
    /// key over existing packets means that they are lost, and a new key would hide that (connections C45).
    public func prepare() throws(VaultFailure) {
        try installation?.prepare()
        try key.prepare()
    }

    /// Looks up and opens `name`. An item of another installation is absent.
    ///
    /// - Throws: ``VaultFailure/keyLost`` when the packet is there and the key is not; ``VaultFailure/newer``
    ///   when a later version sealed it.
    public func read(_ name: ItemName) throws(VaultFailure) -> StoreResult {
        switch try secrets.read(name) {
        case .absent: return .absent
        case .found(let packet):
            let content = try packet.withBytes { bytes throws(VaultFailure) in try key.open(bytes) }
            return try unframe(content, name)
        }
    }

    /// Seals `bytes` and replaces the item in one step. When this returns, the new content is durable.
    public func store(_ bytes: Span<UInt8>, as name: ItemName) throws(VaultFailure) {
        let packet = try sealed(bytes, as: name)
        try packet.withSpan { span throws(VaultFailure) in try secrets.replace(span, as: name) }
    }

    /// The packet that is stored of `bytes`.
    func sealed(_ bytes: Span<UInt8>, as name: ItemName) throws(VaultFailure) -> [UInt8] {
        let content = Self.frame(bytes, name, try installation?.readOrMake())
        return try content.withBytes { plain throws(VaultFailure) in try key.seal(plain) }
    }

    /// Seals `bytes` and replaces the item in one step. The caller still owns, and should wipe, the original.
    public func store(_ bytes: [UInt8], as name: ItemName) throws(VaultFailure) {
        try bytes.withSpan { span throws(VaultFailure) in try store(span, as: name) }
    }

    /// Removes the item. The sealing key stays.
    public func erase(_ name: ItemName) throws(VaultFailure) { try secrets.delete(name) }

    /// Destroys the sealing key and with it everything it sealed. See also ``destroyBindingKey()``.
    public func destroyKey() throws(VaultFailure) { try key.destroy() }

    /// Destroys the key that tokens are bound to. A vault without one, and a key that is not there, are fine.
    public func destroyBindingKey() throws(VaultFailure) { try bindingKey?.destroy() }

    // Content: version, the name's length as 16 bits, the name, in version 2 the half of the installation, the bytes.
    private static func frame(_ bytes: Span<UInt8>, _ name: ItemName, _ half: [UInt8]?) -> SecretBytes {
        let label = header(name, version: half == nil ? 1 : 2) + (half ?? [])
        return SecretBytes(count: label.count + bytes.count) { target in
            for index in label.indices { target[index] = label[index] }
            for index in bytes.indices { target[label.count + index] = bytes[index] }
        }
    }

    private func unframe(_ content: borrowing SecretBytes, _ name: ItemName) throws(VaultFailure) -> StoreResult {
        let half = try installation?.read()
        return try content.withBytes { bytes throws(VaultFailure) in
            guard bytes.count >= 3, bytes[0] > 0 else { throw .corrupt(.content) }
            guard bytes[0] <= 2 else { throw .newer }
            let label = Self.header(name, version: bytes[0])
            guard Self.holds(bytes, label, at: 0) else { throw .corrupt(.foreignName) }
            var start = label.count
            if bytes[0] == 2 {
                // A vault that knows nothing of installations must not open what is bound to one.
                guard installation != nil, bytes.count >= start + InstallationBinding.count else {
                    throw .corrupt(.content)
                }
                guard let half, Self.holds(bytes, half, at: start) else { return .absent }
                start += InstallationBinding.count
            }
            return .found(
                SecretBytes(count: bytes.count - start) { target in
                    for index in 0..<target.count { target[index] = bytes[start + index] }
                })
        }
    }

    static func holds(_ bytes: Span<UInt8>, _ part: [UInt8], at start: Int) -> Bool {
        bytes.count >= start + part.count && part.indices.allSatisfy { bytes[start + $0] == part[$0] }
    }

    static func header(_ name: ItemName, version: UInt8) -> [UInt8] {
        let text = Array(name.description.utf8)
        return [version, UInt8(text.count >> 8), UInt8(text.count & 255)] + text
    }
}
