import Foundation
import PaviseCommands
import PaviseLab
import PavisePrimitives
import TestSupport
import Testing

/// `pavise policy show|check`: what an administrator asks for, and what of it takes effect.
@Suite struct PolicyCommandTests {
    private static let rules = """
        { "allowedServers": ["cloud.example.org"], "renewal": "sameKey",
          "authentication": { "allowed": ["oidc"], "weaker": "refused" },
          "session": { "maximumSeconds": 3600, "inactivitySeconds": 31536000 }, "appLock": { "minimumDigits": 6 } }
        """

    @Test func `each rule is shown with its source`() async throws {
        let stage = try LabStage()
        try stage.manage(Self.rules)
        let result = await stage.run("policy", "show", "--json")
        #expect(result.status == .done)
        let rules = try #require(result.json?["rules"]?.array)
        func rule(_ name: String) -> [String?] {
            let found = rules.first { $0["name"]?.string == name }
            return [found?["value"]?.string, found?["from"]?.string]
        }
        #expect(rule("allowedServers") == ["cloud.example.org", "administrator"])
        #expect(rule("renewal") == ["sameKey", "administrator"])
        #expect(rule("userApproval") == ["allowed", "program"])
        // A key that does not stand in the file is nobody's word.
        #expect(rule("plainHTTP") == ["forbidden", "program"])
        #expect(rule("authentication.allowed") == ["oidc", "administrator"])
        #expect(rule("authentication.weaker") == ["refused", "administrator"])
        #expect(rule("authentication.preferred") == ["oidc, oauth, basic", "program"])
        #expect(rule("session.maximumSeconds") == ["3600", "administrator"])
        // Looser than the program's own: no effect.
        #expect(rule("session.inactivitySeconds") == ["1209600", "program"])
        #expect(rule("appLock.minimumDigits") == ["6", "administrator"])
        #expect(rules.allSatisfy { $0["value"]?.string?.isEmpty == false })
    }

    @Test func `C39: every key that an administrator may write has a row, with its value in effect`() async throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Documentation")
        let schema = try Data(contentsOf: root.appendingPathComponent("managed.schema.json"))
        let top = try #require(try JSONSerialization.jsonObject(with: schema) as? [String: Any])
        let stage = try LabStage()
        try stage.manage(String(contentsOf: root.appendingPathComponent("managed.example.json"), encoding: .utf8))
        let shown = await stage.run("policy", "show", "--json")
        let rules = try #require(shown.json?["rules"]?.array, "\(shown.messages)")
        let names = Set(rules.compactMap { $0["name"]?.string })
        #expect(names.count == rules.count)
        let keys = Self.keys(of: top, "", in: names)
        #expect(keys.count > 30)
        for key in keys { #expect(names.contains(key), "\(key) has no row") }
        func value(_ name: String) -> String? { rules.first { $0["name"]?.string == name }?["value"]?.string }
        #expect(value("denied.keys") == "gj2Vqaco8U1ibfmolHBd2idBe4knQSNkJVtRXp8qwuI=")
        #expect(value("denied.issuers") == "CN=Old Authority,O=Example")
        #expect(value("requiredPins") == "cloud.example.org (5 pins)")
        #expect(value("preApproved") == "printer.example.org:8443")
        #expect(value("appLock.attempts") == "5" && value("appLock.backgroundSeconds") == "0")
    }

    // The keys of an object, and of objects in it that have no row of their own.
    private static func keys(of object: [String: Any], _ prefix: String, in rows: Set<String>) -> [String] {
        let properties = object["properties"] as? [String: Any] ?? [:]
        return properties.flatMap { name, value -> [String] in
            let path = prefix + name
            guard let inner = value as? [String: Any], inner["properties"] != nil, !rows.contains(path) else {
                return [path]
            }
            return keys(of: inner, path + ".", in: rows)
        }
    }

    @Test func `nobody manages, or nothing can be used`() async throws {
        let stage = try LabStage()
        let free = await stage.run("policy", "show")
        #expect(free.status == .done && free.output.hasPrefix("Nobody manages this machine."))
        #expect(!free.output.contains("administrator"))
        try stage.manage("{}", mode: 0o666)
        let open = await stage.run("policy", "show")
        #expect(open.status == .refused && open.messages.contains("chmod o-w"))
    }

    @Test(arguments: [
        (rules, ProgramStatus.done, "The file can be used."),
        (#"{ "session": { "maximumSecond": 60 } }"#, .failed, "Did you mean “maximumSeconds”?"),
        (
            #"{ "session": { "maximumSeconds": "60" }, "renewal": 1 }"#, .failed,
            "session.maximumSeconds: expected 60 to 31536000."
        ),
        (#"{ "session": { "maximumSeconds": "60" } }"#, .failed, "The file would stop every connection."),
        ("{", .failed, "is no JSON from line 1, column 2 on"),
        (
            #"{ "sesion": {}, "renewal": 1 }"#, .failed, "The key “sesion” is not known. Did you mean “session”?"
        ),
        (
            #"{ "allowedServer": ["*.example.org"] }"#, .failed,
            "Write allowedServers, or without it all would be allowed"
        ),
    ])
    func `a file is checked before it is used`(_ text: String, _ status: ProgramStatus, _ words: String) async throws {
        let stage = try LabStage()
        try stage.manage(text)
        let result = await stage.run("policy", "check", stage.managed)
        #expect(result.status == status)
        #expect((result.output + result.messages).contains(words), "\(result.output)\(result.messages)")
    }

    @Test func `authorities of the environment are said aloud, and so is that they have no effect`() async throws {
        let stage = try LabStage(isTrusted: true, authorities: ["SSL_CERT_FILE", "SSL_CERT_DIR"])
        let used = "the authorities of SSL_CERT_FILE and SSL_CERT_DIR are used in the place of the machine's."
        #expect(await stage.run("policy", "show").output.contains(used))
        let connected = await stage.connect()
        #expect(connected.status == .done && connected.messages.contains("Note: \(used)"))
        #expect(await stage.run("fetch", "work", "/api/me").messages.contains("Note: \(used)"))
        let chain = stage.folder.path + "/chain.pem"
        try Data(stage.certificates.anchorPEM.utf8).write(to: URL(fileURLWithPath: chain))
        let evaluate = ["trust", "evaluate", "--chain", chain, "--host", "localhost"]
        #expect(await stage.run(evaluate).messages.contains("Note: \(used)"))
        #expect(await !stage.run(evaluate + ["--anchors", chain]).messages.contains("Note: "))
        for rules in [#"{ "anchors": "system" }"#, #"{ "userApproval": "forbidden" }"#] {
            try stage.manage(rules)
            let shown = await stage.run("policy", "show")
            #expect(shown.output.contains("SSL_CERT_FILE and SSL_CERT_DIR have no effect"))
            #expect(await stage.run(evaluate).messages.contains("have no effect"))
        }
        #expect(
            await stage.run("policy", "show", "--json").json?["rules"]?.array?.contains {
                $0["name"]?.string == "anchors" && $0["value"]?.string == "any"
            } == true)
    }

    @Test func `connect and fetch obey it, disconnect works all the same`() async throws {
        let stage = try LabStage()
        #expect(await stage.connect().status == .done)
        try stage.manage(#"{ "authentication": { "allowed": ["basic"] } }"#)
        let refused = await stage.run("fetch", "work", "/api/me")
        #expect(refused.status == .refused && refused.messages.contains("managed-method"))
        let again = await stage.connect()
        #expect(again.status == .refused, "\(again.messages)")
        #expect(await stage.run("disconnect", "work").status == .done)
    }

    @Test func `a server that offered better gets a password only with a person's word`() async throws {
        let stage = try LabStage()
        #expect(await stage.connect().status == .done)
        let words = ["connect", "\(stage.authority.issuer)/basic/me", "--name", "nas", "--basic", "alice"]
        let pin = ["--approve-certificate", stage.identity.pin]
        let refused = await stage.run(words + pin)
        #expect(refused.status == .refused && refused.messages.contains("downgrade"), "\(refused.messages)")
        stage.person.willAnswer("yes")
        stage.person.willType(secret: "wonderland")
        let accepted = await stage.run(words + pin)
        #expect(accepted.status == .done && !accepted.messages.contains("downgrade"), "\(accepted.messages)")
        #expect(await stage.run("fetch", "nas", "/basic/me").status == .done)
        try stage.manage(#"{ "authentication": { "weaker": "refused" } }"#)
        stage.person.willAnswer("yes")
        let managed = await stage.run("connect", stage.authority.issuer, "--name", "other", "--basic", "alice")
        #expect(managed.status == .refused && managed.messages.contains("administrator"), "\(managed.messages)")
    }
}
