/// A certificate that cannot be read.
package enum X509Failure: Error, Hashable, Sendable {
    /// The bytes are not a Certificate in DER (RFC 5280 §4.1).
    case malformed
    /// More bytes, extensions or names than any honest certificate has.
    case tooLarge
}

/// An X.509 certificate. Reading it decides nothing about trust.
///
/// Nothing in it ever changes, so it behaves as a value; being an object, it is handed on without a copy.
package final class X509Certificate: Hashable, Sendable {
    /// The certificate as it was sent.
    package let der: [UInt8]
    /// 1, 2 or 3.
    package let version: Int
    /// The serial number's bytes, two's complement.
    package let serial: [UInt8]
    /// Who signed it.
    package let issuer: DistinguishedName
    /// Whom it names.
    package let subject: DistinguishedName
    /// The first second of its validity, since 1970.
    package let notBefore: Int64
    /// The last second of its validity, since 1970.
    package let notAfter: Int64
    /// The SubjectPublicKeyInfo, DER. Pins are its SHA-256.
    package let spki: [UInt8]
    /// Type and size of the key.
    package let key: X509Key
    /// How it is signed.
    package let signature: X509SignatureAlgorithm
    /// The bytes that are signed, as they were sent.
    package let signedPart: ArraySlice<UInt8>
    /// The signature.
    package let signatureValue: ArraySlice<UInt8>
    /// What its extensions say.
    package let extensions: X509Extensions

    /// The largest certificate that is read, in bytes.
    package static let maximumSize = 1 << 20

    /// Reads one certificate and nothing behind it.
    package convenience init(der: [UInt8]) throws(X509Failure) {
        guard der.count <= Self.maximumSize else { throw .tooLarge }
        do {
            try self.init(reading: der)
        } catch {
            throw .malformed
        }
    }

    private init(reading der: [UInt8]) throws(DERFailure) {
        var outer = DERReader(der[...])
        var certificate = try outer.inside()
        try outer.finish()
        let signed = try certificate.next(DERTag.sequence)
        var body = DERReader(signed.content)
        let outerAlgorithm = try certificate.next(DERTag.sequence)
        signatureValue = try certificate.next(DERTag.bitString).octetsOfBitString()
        try certificate.finish()

        self.der = der
        signedPart = signed.whole
        version = try Self.version(&body)
        serial = Array(try body.next(DERTag.integer).integerBytes())
        guard serial.count <= 37 else { throw DERFailure() }
        let innerAlgorithm = try body.next(DERTag.sequence)
        // RFC 5280 §4.1.1.2: both fields must hold the same algorithm.
        guard innerAlgorithm.whole == outerAlgorithm.whole else { throw DERFailure() }
        signature = try X509SignatureAlgorithm(innerAlgorithm)
        issuer = try DistinguishedName(der: try body.next())
        var validity = try body.inside()
        notBefore = try validity.next().time()
        notAfter = try validity.next().time()
        try validity.finish()
        subject = try DistinguishedName(der: try body.next())
        let keyInfo = try body.next(DERTag.sequence)
        spki = Array(keyInfo.whole)
        key = try X509Key(subjectPublicKeyInfo: keyInfo)
        _ = try body.optional(DERTag.context(1, constructed: false))
        _ = try body.optional(DERTag.context(2, constructed: false))
        extensions = try X509Extensions(&body, version: version)
        try body.finish()
    }

    private static func version(_ body: inout DERReader) throws(DERFailure) -> Int {
        guard var field = try body.optional(DERTag.context(0, constructed: true)).map({ DERReader($0.content) }) else {
            return 1
        }
        let version = try field.next(DERTag.integer).smallInteger() + 1
        try field.finish()
        guard version == 2 || version == 3 else { throw DERFailure() }
        return version
    }

    /// Whether subject and issuer are the same name.
    package var isSelfIssued: Bool { subject.matches(issuer) }

    /// The identity of the certificate.
    package static func == (one: X509Certificate, other: X509Certificate) -> Bool {
        one === other || one.der == other.der
    }

    package func hash(into hasher: inout Hasher) { unsafe der.withUnsafeBytes { unsafe hasher.combine(bytes: $0) } }
}
