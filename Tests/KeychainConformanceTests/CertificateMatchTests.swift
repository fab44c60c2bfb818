import Foundation
import KeychainTestSupport
import SecurityFramework
import TestSupport
import Testing

/// KC13: a root, an intermediate, and four leaves; the conditions choose among them.
@Suite struct CertificateMatchTests {
    var keychain: ItemFixture
    let root: SecCertificate

    init() throws {
        keychain = try ItemFixture()
        let rootAuthority = try Authority()
        let middleAuthority = try Authority()
        let authority: KeyValuePairs = ["basicConstraints": "critical,CA:TRUE", "keyUsage": "critical,keyCertSign"]
        root = try rootAuthority.certificate("Root", serial: 1, authority)
        let middle = try middleAuthority.certificate("Middle", serial: 6, authority, issuer: (rootAuthority, root))
        let issuer = (middleAuthority, middle)
        let server = try Authority().certificate(
            "Server", serial: 2, ["subjectAltName": "DNS:test.example", "extendedKeyUsage": "serverAuth"],
            issuer: issuer)
        let client = try Authority().certificate(
            "Client", serial: 3, ["subjectAltName": "email:Anna@Example.org", "extendedKeyUsage": "clientAuth"],
            issuer: issuer)
        let old = try Authority().certificate(
            "Old", serial: 4, days: -60 ... -30, ["subjectAltName": "email:bert@example.org"], issuer: issuer)
        let stranger = try Authority().certificate("Stranger", serial: 5)
        try keychain.run {
            for certificate in [root, middle, server, client, old, stranger] {
                try #require(add(["v_Ref": certificate], nil) == errSecSuccess)
            }
        }
    }

    private func found(_ more: [String: Any]) -> Set<String> {
        keychain.run {
            let query: [String: Any] = ["class": kSecClassCertificate, "m_Limit": kSecMatchLimitAll]
            let answer = copy(query.merging(more) { $1 }, ["r_Attributes": true])
            #expect([errSecSuccess, errSecItemNotFound].contains(answer.status))
            let list = answer.result as? [[String: Any]] ?? []
            return Set(list.compactMap { $0["labl"] as? String })
        }
    }

    private func subject(_ label: String) -> Data {
        keychain.run { attributes(["class": kSecClassCertificate, "labl": label])["subj"] as? Data ?? Data() }
    }

    private func day(_ number: Double) -> Date {
        Date(timeIntervalSince1970: TimeInterval(Authority.now) + number * 86_400)
    }

    @Test func `KC13 without a condition all six are there`() {
        #expect(found([:]).count == 6)
    }

    @Test func `KC13 issuers count through the whole chain that the keychain has`() {
        #expect(found(["m_Issuers": [subject("Middle")]]) == ["Server", "Client", "Old"])
        #expect(found(["m_Issuers": [subject("Root")]]) == ["Root", "Middle", "Server", "Client", "Old"])
        #expect(found(["m_Issuers": [subject("Stranger")]]) == ["Stranger"])
        #expect(found(["m_Issuers": [subject("Stranger"), subject("Middle")]]).count == 4)
        #expect(found(["m_Issuers": [subject("Server")]]) == [])
        #expect(found(["m_Issuers": [Data]()]) == [])
    }

    @Test func `KC13 a policy takes what fits it, whoever issued it`() {
        let server = SecPolicyCreateSSL(true, "test.example" as CFString)
        #expect(found(["m_Policy": server]) == ["Server"])
        #expect(found(["m_Policy": SecPolicyCreateSSL(true, "other.example" as CFString)]) == [])
        #expect(found(["m_Policy": SecPolicyCreateBasicX509()]) == ["Root", "Middle", "Server", "Client", "Stranger"])
        let clients = found(["m_Policy": SecPolicyCreateSSL(false, nil)])
        #expect(clients.contains("Client"))
        #expect(!clients.contains("Server"))
    }

    @Test func `KC13 trusted only takes what ends in a trusted root`() {
        var trusting = self
        trusting.keychain.environment.anchors = .only([Array(SecCertificateCopyData(root) as Data)])
        #expect(trusting.found(["m_TrustedOnly": true]) == ["Root", "Middle", "Server", "Client"])
        #expect(trusting.found(["m_TrustedOnly": false]).count == 6)
        trusting.keychain.environment.anchors = .some(.none)
        #expect(trusting.found(["m_TrustedOnly": true]) == [])
    }

    @Test func `KC13 the date of validity chooses`() {
        #expect(found(["m_ValidOnDate": NSNull()]) == ["Root", "Middle", "Server", "Client", "Stranger"])
        #expect(found(["m_ValidOnDate": day(-45)]) == ["Old"])
        #expect(found(["m_ValidOnDate": day(59)]).count == 5)
        #expect(found(["m_ValidOnDate": day(61)]) == [])
        #expect(found(["m_ValidOnDate": day(-61)]) == [])
    }

    @Test func `KC13 a mail address excludes certificates that have others only`() {
        #expect(
            found(["m_EmailAddressIfPresent": "anna@example.org"]) == [
                "Root", "Middle", "Server", "Client", "Stranger",
            ])
        #expect(
            found(["m_EmailAddressIfPresent": "bert@example.org"]) == ["Root", "Middle", "Server", "Old", "Stranger"])
        #expect(found(["m_EmailAddressIfPresent": "nobody@example.org"]).count == 4)
    }

    @Test func `KC13 conditions add up`() {
        #expect(
            found(["m_Issuers": [subject("Middle")], "m_ValidOnDate": NSNull(), "m_EmailAddressIfPresent": "bert@x"])
                == ["Server"])
    }

    @Test func `KC13 recorded conditions are not evaluated`() {
        #expect(found(["m_SubjectContains": "nobody", "m_CaseInsensitive": true]).count == 6)
    }

    @Test(arguments: ["genp", "inet", "keys"])
    func `KC13 issuers and policies belong to certificates`(_ itemClass: String) {
        keychain.run {
            let policy = SecPolicyCreateBasicX509()
            #expect(copy(["class": itemClass, "m_Policy": policy]).status == errSecUnimplemented)
            #expect(copy(["class": itemClass, "m_Issuers": [Data()]]).status == errSecUnimplemented)
            #expect(copy(["class": itemClass, "m_TrustedOnly": true]).status == errSecItemNotFound)
            #expect(copy(["class": itemClass, "m_ValidOnDate": NSNull()]).status == errSecItemNotFound)
        }
    }

    @Test func `KC13 conditions of another type are refused`() {
        let wrong: [(String, Any)] = [
            ("m_Policy", "x"), ("m_Issuers", "x"), ("m_Issuers", ["x"]), ("m_Issuers", [Data([1, 2, 3])]),
            ("m_TrustedOnly", 1), ("m_EmailAddressIfPresent", Data()), ("m_EmailAddressIfPresent", ""),
            ("m_ValidOnDate", "today"), ("m_ValidOnDate", 5),
        ]
        keychain.run {
            for (key, value) in wrong {
                #expect(copy(["class": kSecClassCertificate, key: value]).status == errSecParam, "\(key) \(value)")
            }
        }
    }

    @Test func `KC13 an identity is chosen by its certificate`() throws {
        let own = try Authority()
        let certificate = try own.certificate("Own", serial: 9, ["subjectAltName": "email:carl@example.org"])
        try keychain.run {
            add(["v_Ref": try own.identity(certificate)], nil)
            let query: [String: Any] = ["class": kSecClassIdentity]
            #expect(copy(query, ["m_Issuers": [subject("Own")]]).status == errSecSuccess)
            #expect(copy(query, ["m_Issuers": [subject("Root")]]).status == errSecItemNotFound)
            #expect(copy(query, ["m_EmailAddressIfPresent": "carl@example.org"]).status == errSecSuccess)
            #expect(copy(query, ["m_EmailAddressIfPresent": "anna@example.org"]).status == errSecItemNotFound)
        }
    }
}
