import PaviseCrypto
import SecurityFramework

/// A revocation list to be issued; a test changes what it says.
struct ListTemplate {
    var version: UInt8? = 1
    var thisUpdate = TrustFixture.now - 3_600
    var nextUpdate: Int64? = TrustFixture.now + 3_600
    /// Serial number and extensions of the entry.
    var entries: [(serial: [UInt8], extensions: [UInt8])] = []
    var number: [UInt8] = DERWriting.field("2.5.29.20", [2, 1, 7])
    var keyIdentifier: [UInt8]?
    var more: [UInt8] = []

    /// The list of `issuer`, or with its name under another key.
    func issue(_ issuer: [UInt8], _ key: IssuingKey) throws -> [UInt8] {
        let certificate = try X509Certificate(der: issuer)
        let own = certificate.extensions.subjectKeyIdentifier ?? []
        let identifier = keyIdentifier ?? DERWriting.tagged(0, own, constructed: false)
        let extensions = number + (DERWriting.field("2.5.29.35", DERWriting.sequence(identifier))) + more
        let revoked = entries.map { entry in
            DERWriting.sequence(
                DERWriting.integer(entry.serial), DERWriting.time(TrustFixture.now - 7_200),
                entry.extensions.isEmpty ? [] : DERWriting.sequence(entry.extensions))
        }
        let body = DERWriting.sequence(
            version.map { DERWriting.integer([$0]) } ?? [], DERWriting.ecdsa, certificate.subject.der,
            DERWriting.time(thisUpdate), nextUpdate.map { DERWriting.time($0) } ?? [],
            revoked.isEmpty ? [] : DERWriting.sequence(Array(revoked.joined())),
            version == nil ? [] : DERWriting.tagged(0, DERWriting.sequence(extensions)))
        return DERWriting.sequence(try DERWriting.signed(body, by: key))
    }
}

/// An answer of a status service to be given; a test changes what it says.
struct AnswerTemplate {
    /// The status as it is written: good, revoked or unknown.
    var word: [UInt8] = DERWriting.tagged(0, [], constructed: false)
    var thisUpdate = TrustFixture.now - 3_600
    var nextUpdate: Int64? = TrustFixture.now + 3_600
    var extensions: [UInt8] = []
    /// A certificate of the service; without one the issuer answers.
    var service: [UInt8]?
    /// What stands in the wrapper of the service's certificate behind it.
    var afterCertificates: [UInt8] = []
    var status: UInt8 = 0

    static let revoked = DERWriting.tagged(
        1, DERWriting.time(TrustFixture.now - 7_200) + DERWriting.tagged(0, DERWriting.enumerated(1)))
    static let unknown = DERWriting.tagged(2, [], constructed: false)

    /// An answer about `certificate` of `issuer`, signed with `key`.
    func give(about certificate: [UInt8], of issuer: [UInt8], _ key: IssuingKey) throws -> [UInt8] {
        let certificate = try X509Certificate(der: certificate)
        let issuer = try X509Certificate(der: issuer)
        let signer = try service.map { try X509Certificate(der: $0) } ?? issuer
        let identifier = DERWriting.sequence(
            DERWriting.sequence(DERWriting.identifier("1.3.14.3.2.26")),
            DERWriting.octets(Hash.digest(.sha1, issuer.subject.der)),
            DERWriting.octets(Hash.digest(.sha1, issuer.key.encoded)), DERWriting.integer(certificate.serial))
        let single = DERWriting.sequence(
            identifier, word, DERWriting.time(thisUpdate),
            nextUpdate.map { DERWriting.tagged(0, DERWriting.time($0)) } ?? [])
        let responder = DERWriting.tagged(2, DERWriting.octets(Hash.digest(.sha1, signer.key.encoded)))
        let body = DERWriting.sequence(
            responder, DERWriting.time(thisUpdate), DERWriting.sequence(single),
            extensions.isEmpty ? [] : DERWriting.tagged(1, DERWriting.sequence(extensions)))
        let certificates = service.map { DERWriting.tagged(0, DERWriting.sequence($0) + afterCertificates) } ?? []
        let basic = DERWriting.sequence(try DERWriting.signed(body, by: key), certificates)
        let typed = DERWriting.sequence(DERWriting.identifier("1.3.6.1.5.5.7.48.1.1"), DERWriting.octets(basic))
        return DERWriting.sequence(DERWriting.enumerated(status), DERWriting.tagged(0, typed))
    }
}
