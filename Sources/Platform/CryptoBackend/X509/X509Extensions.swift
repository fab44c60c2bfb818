/// What a certificate's extensions say (RFC 5280 §4.2).
package struct X509Extensions: Hashable, Sendable {
    /// Whether the key may sign certificates, and how many authorities may follow.
    package struct BasicConstraints: Hashable, Sendable {
        package let isAuthority: Bool
        package let pathLength: Int?
    }

    /// How something about the issuer is had, such as `1.3.6.1.5.5.7.48.1` for OCSP, and where.
    package struct Access: Hashable, Sendable {
        package let method: String
        package let location: GeneralName
    }

    /// Permitted and excluded subtrees of names.
    package struct NameConstraints: Hashable, Sendable {
        package let permitted: [GeneralName]
        package let excluded: [GeneralName]
    }

    /// Subject alternative names; `nil` without the extension.
    package private(set) var alternativeNames: [GeneralName]?
    /// Whether the subject alternative name is marked critical.
    package private(set) var alternativeNamesAreCritical = false
    package private(set) var basicConstraints: BasicConstraints?
    /// The nine bits of the key usage, digitalSignature first; `nil` without the extension.
    package private(set) var keyUsage: [Bool]?
    /// Dotted identifiers of the purposes; `nil` without the extension.
    package private(set) var purposes: [String]?
    package private(set) var subjectKeyIdentifier: [UInt8]?
    package private(set) var authorityKeyIdentifier: [UInt8]?
    package private(set) var nameConstraints: NameConstraints?
    /// The policies that it was issued under.
    package private(set) var policies = CertificatePolicies()
    /// Where to learn more about the issuer (RFC 5280 §4.2.2.1).
    package private(set) var authorityAccess: [Access] = []
    /// The full names of the distribution points of revocation lists.
    package private(set) var distributionPoints: [GeneralName] = []
    /// The content of the extension with signed certificate timestamps (RFC 6962 §3.3), as it was sent.
    package private(set) var timestamps: ArraySlice<UInt8>?
    /// Critical extensions that this version does not know.
    package private(set) var unknownCritical: [String] = []
    /// Extensions that are there twice.
    package private(set) var repeated: [String] = []
    /// Known extensions whose content cannot be read.
    package private(set) var unreadable: [String] = []
    /// All identifiers in their order.
    package private(set) var present: [String] = []
    /// Those that are marked critical, in their order.
    package private(set) var critical: [String] = []

    /// Whether the key may sign revocation lists as far as the key usage says.
    package var maySignLists: Bool { keyUsage.map { $0.count > 6 && $0[6] } ?? true }

    /// Whether the key may sign certificates as far as the key usage says.
    package var maySignCertificates: Bool { keyUsage.map { $0.count > 5 && $0[5] } ?? true }

    static let limit = 10_000
    static let nameLimit = 8_192
    static let accessLimit = 1_024

    init(_ body: inout DERReader, version: Int) throws(DERFailure) {
        guard var wrapper = try body.optional(DERTag.context(3, constructed: true)).map({ DERReader($0.content) })
        else { return }
        guard version == 3 else { throw DERFailure() }
        var list = try wrapper.inside()
        try wrapper.finish()
        guard !list.isAtEnd else { throw DERFailure() }
        present.reserveCapacity(12)
        var later: Set<String> = []
        while !list.isAtEnd {
            var entry = try list.inside()
            let identifier = try entry.next(DERTag.objectIdentifier).objectIdentifier()
            let isCritical = try entry.optional(DERTag.boolean)?.boolean() ?? false
            let value = try entry.next(DERTag.octetString).content
            try entry.finish()
            guard present.count < Self.limit else { throw DERFailure() }
            // Honest certificates have few extensions, and looking through a few takes less than hashing.
            let isFew = present.count < 32
            let isRepeated = present.prefix(32).contains(identifier) || !(isFew || later.insert(identifier).inserted)
            present.append(identifier)
            if isCritical { critical.append(identifier) }
            guard !isRepeated else {
                repeated.append(identifier)
                continue
            }
            read(identifier, isCritical: isCritical, value)
        }
    }

    private mutating func read(_ identifier: String, isCritical: Bool, _ value: ArraySlice<UInt8>) {
        do {
            let isKnown = try read(identifier, isCritical: isCritical, DERReader(value))
            if isCritical, !isKnown { unknownCritical.append(identifier) }
        } catch {
            unreadable.append(identifier)
        }
    }

    private mutating func read(
        _ identifier: String, isCritical: Bool, _ source: DERReader
    ) throws(DERFailure) -> Bool {
        var reader = source
        switch identifier {
        case "2.5.29.14": subjectKeyIdentifier = Array(try reader.next(DERTag.octetString).content)
        case "2.5.29.15": keyUsage = try reader.next(DERTag.bitString).bits()
        case "2.5.29.17":
            alternativeNames = try Self.names(&reader)
            alternativeNamesAreCritical = isCritical
        case "2.5.29.19": basicConstraints = try Self.basicConstraints(&reader)
        case "2.5.29.30": nameConstraints = try Self.nameConstraints(&reader)
        case "2.5.29.35": authorityKeyIdentifier = try Self.authorityKey(&reader)
        case "2.5.29.37": purposes = try Self.purposes(&reader)
        case "2.5.29.18": _ = try Self.names(&reader)
        case "2.5.29.31": distributionPoints = try DistributionPoint.all(&reader)
        case "2.5.29.32": policies.identifiers = try CertificatePolicies.identifiers(&reader)
        case "2.5.29.33": policies.mappings = try CertificatePolicies.mappings(&reader)
        case "2.5.29.36": try policies.readConstraints(&reader)
        case "2.5.29.54": policies.inhibitAny = try reader.next(DERTag.integer).smallInteger()
        // Both only help to find more; what may not be ignored may not be in them (RFC 5280 §4.2.2.1).
        case "1.3.6.1.5.5.7.1.1":
            authorityAccess = try Self.access(&reader)
            guard !isCritical else { return false }
        case "1.3.6.1.4.1.11129.2.4.2":
            timestamps = try reader.next(DERTag.octetString).content
            guard !isCritical else { return false }
        default: return false
        }
        try reader.finish()
        return true
    }
}
