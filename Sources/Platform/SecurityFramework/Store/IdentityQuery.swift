internal import Foundation

/// A query for identities as the two queries that it stands for.
///
/// An attribute that both classes have is the certificate's; a token has keys only.
struct IdentityQuery {
    let certificate: ItemQuery
    let key: ItemQuery

    init(_ query: ItemQuery) {
        let certificateKinds = Schema.of(.certificate).kinds
        var certificate = query.half(.certificate)
        var key = query.half(.key)
        key.persistentReference = nil
        key.certificateFilter = nil
        for (code, value) in query.attributes {
            let isKeys = certificateKinds[code] == nil || code == .token || code == .tokenObject
            if isKeys { key.attributes[code] = value } else { certificate.attributes[code] = value }
        }
        // The join, where the query names it: the search begins at the right certificate.
        if let hash = key.attributes[.applicationLabel], certificate.attributes[.publicKeyHash] == nil {
            certificate.attributes[.publicKeyHash] = hash
        }
        key.attributes[.isPrivate] = .number(1)
        self.certificate = certificate
        self.key = key
    }

    /// The query for the private key of a certificate; `nil` when it asks for another key.
    func key(for certificate: Item) -> ItemQuery? {
        guard let hash = certificate.attributes[.publicKeyHash] else { return nil }
        var query = key
        if let wanted = query.attributes[.applicationLabel], wanted.comparedBytes != hash.comparedBytes { return nil }
        query.attributes[.applicationLabel] = hash
        return query
    }
}

extension ItemQuery {
    /// The query without attributes, for one half of an identity.
    fileprivate func half(_ itemClass: ItemClass) -> ItemQuery {
        var half = self
        half.itemClass = itemClass
        half.attributes = [:]
        half.reference = nil
        if case .identifier(let identifier)? = persistentReference?.target {
            half.persistentReference = PersistentReference(itemClass, identifier: identifier)
        }
        return half
    }

    /// The query that adds one half of an identity: what the object says of itself, and what the caller gave for it.
    func adding(_ object: any KeychainObject, as itemClass: ItemClass) throws(StatusFailure) -> ItemQuery {
        var half = half(itemClass)
        half.reference = object
        half.accessControl = nil
        try half.expandReference(.add)
        let kinds = Schema.of(itemClass).kinds
        for (code, value) in attributes where kinds[code] != nil { half.attributes[code] = value }
        // A certificate is nobody's secret; what the caller wants guarded is the key.
        if itemClass == .key { half.accessControl = accessControl ?? half.accessControl }
        return half
    }
}
