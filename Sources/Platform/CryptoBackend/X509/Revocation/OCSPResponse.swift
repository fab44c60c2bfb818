/// An answer of a status service (OCSP, RFC 6960 §4.2) as a value. Reading it decides nothing.
package struct OCSPResponse: Sendable {
    /// Who says that it answered.
    package enum Responder: Hashable, Sendable {
        case name(DistinguishedName)
        /// SHA-1 of the key's bits.
        case key([UInt8])
    }

    /// Who answered, as it says.
    package let responder: Responder
    /// How it is signed.
    package let signature: X509SignatureAlgorithm
    /// Certificates that came with it, the service's own among them.
    package let certificates: [X509Certificate]
    /// One for each certificate that was asked about.
    package let statuses: [Status]
    private let signedPart: ArraySlice<UInt8>
    private let signatureValue: ArraySlice<UInt8>

    /// The largest answer that is read, in bytes; the most certificates and statuses in it.
    package static let maximumSize = 1 << 18
    static let certificateLimit = 16
    static let statusLimit = 1_000

    /// Reads one successful basic answer and nothing behind it; `nil` for anything else.
    package init?(der: [UInt8]) {
        guard der.count <= Self.maximumSize, let answer = try? Self(reading: der) else { return nil }
        self = answer
    }

    private init(reading der: [UInt8]) throws(DERFailure) {
        var outer = DERReader(der[...])
        var response = try outer.inside()
        try outer.finish()
        guard try response.next(DERTag.enumerated).content.elementsEqual([0]) else { throw DERFailure() }
        var wrapper = DERReader(try response.next(DERTag.context(0, constructed: true)).content)
        try response.finish()
        var typed = try wrapper.inside()
        try wrapper.finish()
        guard try typed.next(DERTag.objectIdentifier).objectIdentifier() == "1.3.6.1.5.5.7.48.1.1" else {
            throw DERFailure()
        }
        var inner = DERReader(try typed.next(DERTag.octetString).content)
        try typed.finish()
        var basic = try inner.inside()
        try inner.finish()

        let signed = try basic.next(DERTag.sequence)
        signedPart = signed.whole
        signature = try X509SignatureAlgorithm(try basic.next(DERTag.sequence))
        signatureValue = try basic.next(DERTag.bitString).octetsOfBitString()
        certificates = try Self.certificates(&basic)
        try basic.finish()
        var body = DERReader(signed.content)
        guard try body.optional(DERTag.context(0, constructed: true)) == nil else { throw DERFailure() }
        responder = try Self.responder(&body)
        _ = try body.next(DERTag.generalizedTime).time()
        statuses = try Self.statuses(&body)
        try Self.checkExtensions(&body)
        try body.finish()
    }

    /// Whether this certificate's key signed the answer. A broken hash never counts.
    package func isSigned(by certificate: X509Certificate) -> Bool {
        guard let scheme = signature.scheme, signature.isStrong else { return false }
        return CertificateVerificationKey(certificate.key, spki: certificate.spki)?.isSignature(
            signatureValue, of: signedPart, scheme)
            ?? false
    }

    /// Whether the answer names this certificate as its signer.
    package func names(_ certificate: X509Certificate) -> Bool {
        switch responder {
        case .name(let name): name.matches(certificate.subject)
        case .key(let digest): digest == Hash.digest(.sha1, certificate.key.encoded)
        }
    }

    private static func certificates(_ basic: inout DERReader) throws(DERFailure) -> [X509Certificate] {
        guard var wrapper = try basic.optional(DERTag.context(0, constructed: true)).map({ DERReader($0.content) })
        else { return [] }
        var list = try wrapper.inside()
        try wrapper.finish()
        var certificates: [X509Certificate] = []
        while !list.isAtEnd {
            let element = try list.next(DERTag.sequence)
            guard certificates.count < certificateLimit, let read = try? X509Certificate(der: Array(element.whole))
            else {
                throw DERFailure()
            }
            certificates.append(read)
        }
        return certificates
    }

    private static func responder(_ body: inout DERReader) throws(DERFailure) -> Responder {
        let element = try body.next()
        var reader = DERReader(element.content)
        defer { reader = DERReader([]) }
        switch element.tag {
        case DERTag.context(1, constructed: true): return .name(try DistinguishedName(der: try reader.next()))
        case DERTag.context(2, constructed: true): return .key(Array(try reader.next(DERTag.octetString).content))
        default: throw DERFailure()
        }
    }

    private static func statuses(_ body: inout DERReader) throws(DERFailure) -> [Status] {
        var list = try body.inside()
        var statuses: [Status] = []
        while !list.isAtEnd {
            guard statuses.count < statusLimit else { throw DERFailure() }
            statuses.append(try Status(&list))
        }
        return statuses
    }

    /// Reads the extensions and gives the first of those that are `wanted`.
    // A critical extension that is not known makes the answer useless (RFC 5280 §4.2); a nonce is not asked for.
    @discardableResult
    static func checkExtensions(
        _ body: inout DERReader, wanted: String? = nil
    ) throws(DERFailure) -> ArraySlice<UInt8>? {
        guard var wrapper = try body.optional(DERTag.context(1, constructed: true)).map({ DERReader($0.content) })
        else { return nil }
        var list = try wrapper.inside()
        try wrapper.finish()
        var found: ArraySlice<UInt8>?
        while !list.isAtEnd {
            let field = try ExtensionField(&list)
            guard !field.isCritical else { throw DERFailure() }
            if found == nil, field.identifier == wanted { found = field.value }
        }
        return found
    }
}
