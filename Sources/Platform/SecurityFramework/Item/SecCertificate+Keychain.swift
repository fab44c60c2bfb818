internal import Foundation
internal import PaviseCrypto

extension SecCertificate: KeychainObject {
    /// Certificates.
    package var keychainClass: String { "cert" }

    /// What names the certificate; without a label of the caller's it gets its subject summary.
    package func keychainAttributes() -> [String: Any] {
        var attributes: [String: Any] = [
            "subj": Data(certificate.subject.der), "issr": Data(certificate.issuer.der),
            "slnr": Data(certificate.serial), "pkhh": Data(Hash.digest(.sha1, certificate.key.encoded)),
            "ctyp": 1, "cenc": 3,
        ]
        attributes["skid"] = certificate.extensions.subjectKeyIdentifier.map { Data($0) }
        attributes["labl"] = SecCertificateCopySubjectSummary(self) as String?
        return attributes
    }

    /// The certificate, DER.
    package func keychainData() throws -> [UInt8] { der }
}
