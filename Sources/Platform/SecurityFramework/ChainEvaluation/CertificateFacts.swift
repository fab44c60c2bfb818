internal import PaviseCrypto
internal import PavisePrimitives

/// What a certificate says, for people and for records. Nothing in it is a verdict.
package struct CertificateFacts: Hashable, Sendable {
    /// The subject in one line, control characters escaped (RFC 4514).
    package let subject: String
    /// The last common name of the subject.
    package let commonName: String?
    /// The issuer in one line.
    package let issuer: String
    /// Host names and addresses of the subject alternative name.
    package let names: [String]
    /// First second of validity since 1970.
    package let notBefore: Int64
    /// Last second of validity since 1970.
    package let notAfter: Int64
    /// Type and size of the key, for example `EC 256`.
    package let key: String
    /// RSA: bits of the modulus. EC: bits of the field. Others: 0.
    package let keyBits: Int
    /// Whether the key is RSA.
    package let isRSA: Bool
    /// Whether the key is EC.
    package let isEC: Bool
    /// How it is signed, for example `ECDSA with SHA-256`.
    package let signature: String
    /// The hash of the signature, for example `SHA-256`; `nil` when it is not known.
    package let signatureHash: String?
    /// The serial number, lower-case hexadecimal.
    package let serial: String
    /// SHA-256 of the certificate, lower-case hexadecimal.
    package let fingerprint: String
    /// SHA-256 of the SubjectPublicKeyInfo, base64: the form of pins.
    package let spki: String
    /// SHA-256 of the SubjectPublicKeyInfo.
    package let spkiDigest: [UInt8]
    /// Whether it may act as an authority.
    package let isAuthority: Bool
    /// Whether subject and issuer are the same.
    package let isSelfIssued: Bool

    /// Reads a certificate; `nil` when it is not one.
    package init?(der: [UInt8]) {
        guard let certificate = try? X509Certificate(der: der) else { return nil }
        self.init(certificate)
    }

    init(_ certificate: X509Certificate) {
        subject = certificate.subject.line
        commonName = certificate.subject.commonName
        issuer = certificate.issuer.line
        names = certificate.presentedNames
        notBefore = certificate.notBefore
        notAfter = certificate.notAfter
        key = certificate.key.text
        keyBits = certificate.key.bits
        isRSA = certificate.key.kind == .rsa
        isEC = certificate.key.kind == .ec
        signature = certificate.signature.text
        signatureHash = certificate.signature.hash
        serial = Hex.encode(certificate.serial)
        fingerprint = Hex.encode(Hash.digest(.sha256, certificate.der))
        spkiDigest = Hash.digest(.sha256, certificate.spki)
        spki = Base64.encode(spkiDigest)
        isAuthority = certificate.extensions.basicConstraints?.isAuthority ?? false
        isSelfIssued = certificate.isSelfIssued
    }
}

extension X509Certificate {
    /// The host names and addresses of the subject alternative name as text.
    var presentedNames: [String] {
        (extensions.alternativeNames ?? []).compactMap { name in
            switch name {
            case .dns(let text): text
            case .address(let bytes): IPAddress(bytes: bytes)?.text
            default: nil
            }
        }
    }
}
