internal import PaviseCrypto
internal import PaviseDatabase
internal import PavisePrimitives

extension KeychainItemStore {
    private static let longestChain = 10

    /// Whether an item fits what a query asks beyond attributes: the host, and what its certificate must be.
    func accepts<Source: RowSource & ~Copyable>(
        _ item: Item, _ query: ItemQuery, in source: borrowing Source, _ environment: SecurityEnvironment
    ) throws -> Bool {
        guard query.matchesHost(item.attributes[.server]) else { return false }
        // A certificate that asks before it is read is looked into when it was shown.
        guard let filter = query.certificateFilter, item.need == nil else { return true }
        guard let data = item.data, let certificate = try? X509Certificate(der: data) else { return false }
        let needsChain = filter.issuers != nil || filter.trustedOnly
        let chain = needsChain ? try issuers(of: certificate, in: source, environment) : []
        return filter.includes(
            certificate, chain: chain, now: environment.time.wallSeconds,
            anchors: environment.anchors ?? .system)
    }

    // The keychain's own certificates above this one, by name and signature.
    private func issuers<Source: RowSource & ~Copyable>(
        of certificate: X509Certificate, in source: borrowing Source, _ environment: SecurityEnvironment
    ) throws -> [X509Certificate] {
        var chain: [X509Certificate] = []
        var last = certificate
        while chain.count < Self.longestChain, !last.isSelfIssued {
            let named = try certificates(named: last.issuer, in: source, environment)
            guard let next = named.first(where: { last.isSigned(by: $0) }) else { break }
            chain.append(next)
            last = next
        }
        return chain
    }

    private func certificates<Source: RowSource & ~Copyable>(
        named name: DistinguishedName, in source: borrowing Source, _ environment: SecurityEnvironment
    ) throws -> [X509Certificate] {
        let search = ItemSearch(
            ItemQuery(certificatesNamed: name.der), groups: environment.visibleGroups, digests: digests)
        return try source.find(search).rows.compactMap { row in
            guard case .item(let item) = try open(row, in: environment.lock.state), let data = item.data else {
                return nil
            }
            return try? X509Certificate(der: data)
        }
    }
}

extension ItemQuery {
    /// The query for all certificates of a subject, DER.
    fileprivate init(certificatesNamed subject: [UInt8]) {
        self.init(itemClass: .certificate, attributes: [.subject: .data(subject)], synchronizable: .any)
    }
}
