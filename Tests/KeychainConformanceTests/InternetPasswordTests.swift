import Foundation
import KeychainTestSupport
import PaviseCrypto
import PaviseDatabase
import PaviseDevice
import PavisePrimitives
import SecurityFramework
import TestSupport
import Testing

@Suite struct InternetPasswordTests {
    let keychain: ItemFixture
    init() throws { keychain = try ItemFixture() }

    private static let secrets = ["binn", "bini", "bin0", "bin1", "bin2", "bin3"]
    private let query: [String: Any] = ["class": "inet", "srvr": "test.example", "acct": "anna"]

    @Test(arguments: secrets)
    func `KC11 a further secret survives and comes with the data only`(_ code: String) {
        keychain.run {
            #expect(add(query.with(code, Data("further".utf8))) == errSecSuccess)
            let with = copy(query, ["r_Attributes": true, "r_Data": true]).result as? [String: Any]
            #expect(with?[code] as? Data == Data("further".utf8))
            #expect(attributes(query)[code] == nil)
            let object = copy(query, ["r_Attributes": true, "r_Ref": true]).result as? [String: Any]
            #expect(object?["acct"] as? String == "anna" && object?[code] == nil)
            #expect(value(query) == "secret")
            #expect(update(query, [code: Data("changed".utf8)]) == errSecSuccess)
            let after = copy(query, ["r_Attributes": true, "r_Data": true]).result as? [String: Any]
            #expect(after?[code] as? Data == Data("changed".utf8))
            #expect(after?["v_Data"] as? Data == Data("secret".utf8))
        }
    }

    @Test func `KC11 further secrets are nowhere on the disk in clear`() throws {
        let canary = "canary-\(UInt64.random(in: .min ... .max))"
        try keychain.run {
            var full = query
            for code in Self.secrets { full[code] = Data(canary.utf8) }
            add(full)
            let home = keychain.environment.home.path
            for file in try FileManager.default.subpathsOfDirectory(atPath: home) {
                let bytes = FileManager.default.contents(atPath: home + "/" + file) ?? Data()
                #expect(bytes.range(of: Data(canary.utf8)) == nil, "\(file)")
            }
        }
    }

    // The pages are sealed as well; these are the rows underneath, as somebody with the page key sees them.
    @Test func `searchable columns hold neither names nor plain hashes of them`() throws {
        let name = "anna-\(UInt64.random(in: .min ... .max))"
        try keychain.run {
            add(query.with("acct", name).with("labl", name).with("path", name))
            let device = try Device.open(keychain.environment.home)
            let key = try device.deviceKey(purpose: "keychain database")
            let database = try Database.open(keychain.database, key: key)
            let rows =
                try database.rows("SELECT row, primary_key, header, attributes, secret FROM item")
                + database.rows("SELECT digest, row FROM place UNION ALL SELECT digest, row FROM recent")
            #expect(!rows.isEmpty)
            for row in rows {
                for value in row.values {
                    guard case .blob(let bytes) = value else { continue }
                    #expect(Data(bytes).range(of: Data(name.utf8)) == nil)
                    #expect(Data(bytes).range(of: Data(Hash.digest(.sha1, Array(name.utf8)))) == nil)
                }
            }
        }
    }

    @Test(arguments: [
        ("example.org", "example.org", true), ("www.example.org", "example.org", true),
        ("a.b.example.org", "example.org", true), ("xexample.org", "example.org", false),
        ("example.org.evil", "example.org", false), ("example.org", "www.example.org", false),
        ("WWW.Example.ORG", "example.org", true), ("www.example.org", "EXAMPLE.org", true),
        ("org", "example.org", false), ("", "example.org", false), (".example.org", "example.org", true),
    ])
    func `KC12 a host or a subdomain of it`(_ server: String, _ host: String, _ matches: Bool) {
        keychain.run {
            add(["class": "inet", "srvr": server])
            let found = copy(["class": "inet", "m_HostOrSubdomainOfHost": host])
            #expect(found.status == (matches ? errSecSuccess : errSecItemNotFound))
        }
    }

    @Test(arguments: ["genp", "cert", "keys", "idnt"])
    func `KC12 a host belongs to internet passwords`(_ itemClass: String) {
        keychain.run {
            #expect(copy(["class": itemClass, "m_HostOrSubdomainOfHost": "x"]).status == errSecUnimplemented)
        }
    }

    @Test func `KC12 a host is a text, and an item without server never matches`() {
        keychain.run {
            add(["class": "inet", "acct": "none"])
            #expect(copy(["class": "inet", "m_HostOrSubdomainOfHost": 7]).status == errSecParam)
            #expect(copy(["class": "inet", "m_HostOrSubdomainOfHost": "x"]).status == errSecItemNotFound)
        }
    }

    @Test func `KC12 only the matching ones of several are listed`() {
        keychain.run {
            for server in ["example.org", "www.example.org", "xexample.org", "other.test"] {
                add(["class": "inet", "srvr": server], server)
            }
            let list =
                copy(
                    ["class": "inet", "m_HostOrSubdomainOfHost": "example.org"],
                    ["r_Data": true, "m_Limit": "m_LimitAll"]
                )
                .result as? [Data]
            #expect(list == [Data("example.org".utf8), Data("www.example.org".utf8)])
        }
    }

    static let protocols = [
        kSecAttrProtocolFTP, kSecAttrProtocolHTTP, kSecAttrProtocolHTTPS, kSecAttrProtocolSSH, kSecAttrProtocolIMAPS,
        kSecAttrProtocolSMB, kSecAttrProtocolSOCKS,
    ].map { $0 as String }

    @Test(arguments: protocols)
    func `a protocol comes back as its four characters`(_ code: String) {
        keychain.run {
            #expect(code.utf8.count == 4)
            add(query.with("ptcl", code))
            #expect(attributes(query)["ptcl"] as? String == code)
            #expect(count(["class": "inet", "ptcl": code]) == 1)
        }
    }

    @Test func `an authentication type and a port come back as they were`() {
        keychain.run {
            add(query.with("atyp", kSecAttrAuthenticationTypeHTTPBasic).with("port", 8443))
            #expect(attributes(query)["atyp"] as? String == kSecAttrAuthenticationTypeHTTPBasic as String)
            #expect(attributes(query)["port"] as? Int == 8443)
        }
    }
}
