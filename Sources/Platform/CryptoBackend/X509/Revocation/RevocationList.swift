/// A certificate revocation list (RFC 5280 §5) as a value. Reading it decides nothing; its signature is not checked
/// here.
package struct RevocationList: Sendable {
    /// The list as it was sent.
    package let der: [UInt8]
    /// 1 or 2.
    package let version: Int
    /// Who signed it.
    package let issuer: DistinguishedName
    /// When it was made, seconds since 1970.
    package let thisUpdate: Int64
    /// When there is a newer one at the latest, seconds since 1970; `nil` when it does not say.
    package let nextUpdate: Int64?
    /// What its extensions say.
    package let extensions: RevocationListExtensions
    /// How it is signed.
    package let signature: X509SignatureAlgorithm
    private let signedPart: ArraySlice<UInt8>
    private let signatureValue: ArraySlice<UInt8>
    private let entries: ArraySlice<UInt8>

    /// The largest list that is read, in bytes.
    package static let maximumSize = 32 << 20

    /// Reads one list and nothing behind it; `nil` for anything else.
    package init?(der: [UInt8]) {
        guard der.count <= Self.maximumSize, let list = try? Self(reading: der) else { return nil }
        self = list
    }

    private init(reading der: [UInt8]) throws(DERFailure) {
        var outer = DERReader(der[...])
        var list = try outer.inside()
        try outer.finish()
        let signed = try list.next(DERTag.sequence)
        let algorithm = try list.next(DERTag.sequence)
        signatureValue = try list.next(DERTag.bitString).octetsOfBitString()
        try list.finish()
        self.der = der
        signedPart = signed.whole

        var body = DERReader(signed.content)
        version = try body.optional(DERTag.integer)?.smallInteger() == 1 ? 2 : 1
        let inner = try body.next(DERTag.sequence)
        guard inner.whole == algorithm.whole else { throw DERFailure() }
        signature = try X509SignatureAlgorithm(inner)
        issuer = try DistinguishedName(der: try body.next())
        thisUpdate = try body.next().time()
        let hasNext = body.nextTag == DERTag.utcTime || body.nextTag == DERTag.generalizedTime
        nextUpdate = hasNext ? try body.next().time() : nil
        entries = try body.optional(DERTag.sequence)?.content ?? []
        extensions = try RevocationListExtensions(&body)
        try body.finish()
        guard version == 2 || extensions.isEmpty else { throw DERFailure() }
    }

    /// Whether this key signed the list. A way of signing with a broken hash or unusual parameters never counts.
    package func isSigned(by issuer: X509Certificate) -> Bool {
        guard let scheme = signature.scheme, signature.isStrong else { return false }
        return CertificateVerificationKey(issuer.key, spki: issuer.spki)?.isSignature(
            signatureValue, of: signedPart, scheme) ?? false
    }

    /// What the list says about a serial number; `nil` when it is not on it.
    ///
    /// - Throws: ``DERFailure`` when any entry cannot be read, or demands something that is not known here: such a list
    ///   says nothing about any certificate (RFC 5280 §5.3).
    package func entry(_ serial: [UInt8]) throws(DERFailure) -> Entry? {
        var rest = DERReader(entries)
        var found: Entry?
        while !rest.isAtEnd {
            var fields = try rest.inside()
            let number = try fields.next(DERTag.integer).integerBytes()
            let time = try fields.next().time()
            let reason = try Self.reason(&fields)
            try fields.finish()
            if number.elementsEqual(serial) { found = Entry(time: time, reason: reason) }
        }
        return found
    }

    /// A certificate on the list.
    package struct Entry: Hashable, Sendable {
        /// When it was revoked, seconds since 1970.
        package let time: Int64
        /// Why, where the list says so.
        package let reason: RevocationReason?
    }

    private static func reason(_ fields: inout DERReader) throws(DERFailure) -> RevocationReason? {
        guard var list = try fields.optional(DERTag.sequence).map({ DERReader($0.content) }) else { return nil }
        var reason: RevocationReason?
        while !list.isAtEnd {
            let item = try ExtensionField(&list)
            switch item.identifier {
            case "2.5.29.21": reason = try RevocationReason(enumerated: item.value)
            case "2.5.29.24": break
            default: guard !item.isCritical else { throw DERFailure() }
            }
        }
        return reason
    }
}

/// Why a certificate was revoked (RFC 5280 §5.3.1).
package enum RevocationReason: Int, Hashable, Sendable {
    case unspecified = 0, keyCompromise, authorityCompromise, affiliationChanged, superseded, cessationOfOperation
    case certificateHold, removeFromList = 8, privilegeWithdrawn, attributeAuthorityCompromise

    init(enumerated bytes: ArraySlice<UInt8>) throws(DERFailure) {
        var reader = DERReader(bytes)
        let value = try reader.next(DERTag.enumerated)
        try reader.finish()
        guard value.content.count == 1, let reason = value.content.first.flatMap({ Self(rawValue: Int($0)) }) else {
            throw DERFailure()
        }
        self = reason
    }
}

/// One extension as it stands in its list.
struct ExtensionField {
    let identifier: String
    let isCritical: Bool
    let value: ArraySlice<UInt8>

    init(_ list: inout DERReader) throws(DERFailure) {
        var entry = try list.inside()
        identifier = try entry.next(DERTag.objectIdentifier).objectIdentifier()
        isCritical = try entry.optional(DERTag.boolean)?.boolean() ?? false
        value = try entry.next(DERTag.octetString).content
        try entry.finish()
    }
}
