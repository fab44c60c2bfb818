/// What a certificate says about the policies that it was issued under (RFC 5280 §4.2.1.4, §4.2.1.5, §4.2.1.11,
/// §4.2.1.14).
package struct CertificatePolicies: Hashable, Sendable {
    /// One policy of the issuer that counts as one of the subject.
    package struct Mapping: Hashable, Sendable {
        package let issuer: String
        package let subject: String
    }

    /// The policies, dotted; `nil` without the extension.
    package internal(set) var identifiers: [String]?
    /// The mappings to the policies of the authority below.
    package internal(set) var mappings: [Mapping] = []
    /// After how many more certificates each needs a policy; `nil` when that is not demanded.
    package internal(set) var requireExplicit: Int?
    /// After how many more certificates mappings do not count any more; `nil` when that is not demanded.
    package internal(set) var inhibitMapping: Int?
    /// After how many more certificates “any policy” does not count any more; `nil` when that is not demanded.
    package internal(set) var inhibitAny: Int?

    /// Whether the certificate says nothing about policies.
    package var isEmpty: Bool { self == CertificatePolicies() }

    /// The identifier that stands for every policy.
    package static let any = "2.5.29.32.0"

    static let limit = 1_024

    // Qualifiers are for people, and nobody shows them.
    static func identifiers(_ reader: inout DERReader) throws(DERFailure) -> [String] {
        var list = try reader.inside()
        guard !list.isAtEnd else { throw DERFailure() }
        var identifiers: [String] = []
        while !list.isAtEnd {
            var policy = try list.inside()
            identifiers.append(try policy.next(DERTag.objectIdentifier).objectIdentifier())
            _ = try policy.optional(DERTag.sequence)
            try policy.finish()
            guard identifiers.count <= limit else { throw DERFailure() }
        }
        return identifiers
    }

    static func mappings(_ reader: inout DERReader) throws(DERFailure) -> [Mapping] {
        var list = try reader.inside()
        guard !list.isAtEnd else { throw DERFailure() }
        var mappings: [Mapping] = []
        while !list.isAtEnd {
            var pair = try list.inside()
            let issuer = try pair.next(DERTag.objectIdentifier).objectIdentifier()
            let subject = try pair.next(DERTag.objectIdentifier).objectIdentifier()
            try pair.finish()
            mappings.append(Mapping(issuer: issuer, subject: subject))
            guard mappings.count <= limit else { throw DERFailure() }
        }
        return mappings
    }

    mutating func readConstraints(_ reader: inout DERReader) throws(DERFailure) {
        var fields = try reader.inside()
        guard !fields.isAtEnd else { throw DERFailure() }
        requireExplicit = try Self.count(0, &fields)
        inhibitMapping = try Self.count(1, &fields)
        try fields.finish()
    }

    private static func count(_ number: UInt8, _ fields: inout DERReader) throws(DERFailure) -> Int? {
        guard let field = try fields.optional(DERTag.context(number, constructed: false)) else { return nil }
        return try field.read(as: DERTag.integer).smallInteger()
    }
}
