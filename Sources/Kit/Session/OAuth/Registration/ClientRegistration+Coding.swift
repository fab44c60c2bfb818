internal import PavisePrimitives
internal import PaviseTransport
package import PaviseVault

extension ClientRegistration.Management {
    private static let version: UInt8 = 1
    private static let limit = 8192

    /// Seals what is needed to delete the client later.
    package func store(in vault: TokenVault, as name: ItemName) throws(VaultFailure) {
        var bytes = encoded()
        defer { Wipe.bytes(&bytes) }
        try vault.store(bytes, as: name)
    }

    private func encoded() -> [UInt8] {
        let place = Array(address.description.utf8)
        var out = ByteWriter(reserving: place.count + token.count + 16)
        out.integer(Self.version)
        out.block(place)
        out.secret(token)
        return out.bytes
    }

    /// What ``store(in:as:)`` sealed; `nil` where there is none.
    ///
    /// - Throws: Where nobody can say: the store is locked or failed, the key is lost, or the bytes are damaged or of a
    /// later version. That is not “none”: the client may be there, at its authority.
    package static func read(in vault: TokenVault, as name: ItemName) throws(VaultFailure) -> Self? {
        guard case .found(let secret) = try vault.read(name) else { return nil }
        return try secret.withCopy { bytes throws(VaultFailure) in
            if let form = bytes.first, form > version { throw .newer }
            guard let management = Self(decoding: bytes) else { throw .corrupt(.content) }
            return management
        }
    }

    private init?(decoding bytes: [UInt8]) {
        var reader = ByteReader(bytes)
        guard (try? reader.integer(UInt8.self)) == Self.version,
            let address = try? WebURL(String(decoding: reader.block(limit: Self.limit), as: UTF8.self)),
            let token = try? reader.secret(Self.limit), reader.isAtEnd
        else { return nil }
        self.init(address: address, token: token)
    }
}
