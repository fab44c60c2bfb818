import Foundation
import PaviseCrypto
import SecurityFramework
import Testing

/// A key pair and certificates for it, for keychain suites.
struct Authority {
    let issuing: IssuingKey
    let key: SecKey

    /// A fresh P-256 pair.
    init() throws {
        issuing = try IssuingKey(generating: .ec256)
        // RFC 5208 around RFC 5915: the private number follows its version and length.
        let block = try #require(PEM.blocks("PRIVATE KEY", in: issuing.privateKeyPEM())?.first)
        let marker: [UInt8] = [2, 1, 1, 4, 32]
        let start = try #require(block.indices.first { block[$0...].starts(with: marker) }) + marker.count
        let external = Data(issuing.spki.suffix(65) + block[start..<start + 32])
        let kind: [CFString: Any] = [
            kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeyClass: kSecAttrKeyClassPrivate,
        ]
        let made = SecKeyCreateWithData(external as CFData, kind as CFDictionary, nil)
        key = try #require(made)
    }

    /// A certificate for the pair, from `issuer` or self-signed.
    func certificate(
        _ subject: String, serial: UInt8 = 1, days: ClosedRange<Int64> = -30...60,
        _ extensions: KeyValuePairs<String, String> = [:],
        issuer: (authority: Authority, certificate: SecCertificate)? = nil
    ) throws -> SecCertificate {
        let now = Self.now
        let template = CertificateTemplate(
            subject: subject, serial: [serial], notBefore: now + days.lowerBound * 86_400,
            notAfter: now + days.upperBound * 86_400, hash: .sha256,
            extensions: extensions.map { CertificateTemplate.Extension($0.key, $0.value) })
        let parent = issuer.map { Array(SecCertificateCopyData($0.certificate) as Data) }
        let der = try CertificateIssuing.issue(
            template, for: issuing, issuer: parent, issuerKey: issuer?.authority.issuing ?? issuing)
        return try #require(SecCertificateCreateWithData(nil, Data(der) as CFData))
    }

    /// The identity of the pair with one of its certificates.
    func identity(_ certificate: SecCertificate) throws -> SecIdentity {
        try #require(SecIdentityCreate(nil, certificate, key))
    }

    /// SHA-1 of the public key: what joins certificate and key.
    var hash: Data { SecKeyCopyAttributes(key).flatMap { ($0 as? [String: Any])?["klbl"] as? Data } ?? Data() }

    /// The middle of every certificate's time, in seconds since 1970.
    static let now = Int64(Date().timeIntervalSince1970)
}
