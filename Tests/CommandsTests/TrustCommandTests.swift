import Foundation
import PaviseCommands
import PaviseCrypto
import PaviseLab
import PavisePrimitives
import SecurityFramework
import TestSupport
import Testing

/// `pavise certificate show`, `pavise trust evaluate` and `pavise pin`.
@Suite struct TrustCommandTests {
    /// A chain and its root in files.
    private struct Files {
        let folder: TemporaryFolder
        let identity: ServerIdentity
        var chain: String { folder.path + "/chain.pem" }
        var root: String { folder.path + "/root.pem" }
        var key: String { folder.path + "/leaf.der" }

        init(_ profile: LeafProfile = LeafProfile()) throws {
            folder = try TemporaryFolder()
            let authority = try CertificateAuthority()
            identity = try authority.issue(profile)
            try Data(identity.chainPEM.utf8).write(to: URL(fileURLWithPath: folder.path + "/chain.pem"))
            try Data(authority.anchorPEM.utf8).write(to: URL(fileURLWithPath: folder.path + "/root.pem"))
            try Data(identity.chain[0]).write(to: URL(fileURLWithPath: folder.path + "/leaf.der"))
        }
    }

    private static func json(_ stage: Stage) throws -> JSONValue { try JSONValue.parse(stage.output.all) }

    @Test func `a good chain is trusted under its root, with status 0`() async throws {
        let files = try Files()
        let stage = Stage()
        let words = ["trust", "evaluate", "--chain", files.chain, "--host", "localhost", "--anchors", files.root]
        #expect(await Program.run(words + ["--json", "--at", Self.now], in: stage.environment) == .done)
        let json = try Self.json(stage)
        #expect(json["trusted"]?.bool == true && json["failures"]?.array?.isEmpty == true)
        #expect(json["path"]?.array?.first?["spki"]?.string == files.identity.pin)
        let days = try #require(json["path"]?.array?.first?["daysLeft"]?.integer)
        #expect(days > 1)
        #expect(await Program.run(words + ["--at", Self.now], in: stage.environment) == .done)
        #expect(String(decoding: stage.output.all, as: UTF8.self).contains("expires in \(days) days"))
    }

    @Test func `the answer says which list of public suffixes judged, or that a rule did`() async throws {
        let files = try Files()
        let stage = Stage()
        _ = await Program.run(
            ["trust", "evaluate", "--chain", files.chain, "--host", "localhost", "--json"], in: stage.environment)
        let list = try Self.json(stage)["publicSuffixList"]
        #expect(list?.string == PublicSuffix.current.reader)
        #expect((PublicSuffix.current.reader == nil) == (list == .null))
    }

    @Test func `of a certificate with many names the sentence has the first five, and the answer for programs has all`()
        async throws
    {
        let names = (1...200).map { "host\($0).example" }
        let files = try Files(LeafProfile(names: names, addresses: []))
        let words = ["trust", "evaluate", "--chain", files.chain, "--host", "other.example", "--anchors", files.root]
        let person = Stage()
        #expect(await Program.run(words, in: person.environment) == .refused)
        #expect((person.output.text + person.messages.text).contains("host5.example and 195 others."))
        #expect(!(person.output.text + person.messages.text).contains("host6.example"))
        let program = Stage()
        #expect(await Program.run(words + ["--json"], in: program.environment) == .refused)
        let failure = try Self.json(program)["failures"]?.array?.first { $0["code"]?.integer == -67602 }
        #expect(failure?["names"]?.array?.count == 200)
    }

    @Test func `a chain for another host, of another time or without a root is refused with reasons, status 3`()
        async throws
    {
        let files = try Files()
        for (words, code) in [
            (["--host", "other.example", "--anchors", files.root, "--at", Self.now], -67602),
            (["--host", "localhost", "--anchors", files.root, "--at", "2001-01-01"], -67818),
            (["--host", "localhost", "--at", Self.now], -67843),
            (["--host", "localhost", "--anchors", files.root, "--at", Self.now, "--require-revocation"], -67635),
        ] as [([String], Int64)] {
            let stage = Stage()
            let all = ["trust", "evaluate", "--chain", files.chain, "--json"] + words
            #expect(await Program.run(all, in: stage.environment) == .refused)
            let codes = try Self.json(stage)["failures"]?.array?.compactMap { $0["code"]?.integer } ?? []
            #expect(codes.contains(code) || (code == -67843 && codes.contains(-25318)), "\(words): \(codes)")
        }
    }

    @Test func `logs are asked for where a list is given, and counted`() async throws {
        let files = try Files()
        let list = files.folder.path + "/logs.json"
        try Data(#"{"operators": [{"name": "Lab", "logs": []}]}"#.utf8).write(to: URL(fileURLWithPath: list))
        let words = [
            "trust", "evaluate", "--chain", files.chain, "--host", "localhost", "--anchors", files.root, "--at",
            Self.now,
        ]
        // One's own root is asked only on demand.
        let open = Stage()
        #expect(await Program.run(words + ["--logs", list, "--json"], in: open.environment) == .done)
        #expect(try Self.json(open)["logs"]?["enough"]?.bool == false)
        #expect(try Self.json(open)["logs"]?["required"]?.integer == 2)
        let strict = Stage()
        let all = words + ["--logs", list, "--require-logs", "--json"]
        #expect(await Program.run(all, in: strict.environment) == .refused)
        #expect(try Self.json(strict)["failures"]?.array?.compactMap { $0["code"]?.integer } == [-67825])
        let people = Stage()
        #expect(await Program.run(words + ["--logs", list], in: people.environment) == .done)
        #expect(people.output.text.contains("Logs: 0 inside the certificate (2 needed)"))
        for (text, status) in [("[]", ProgramStatus.failed), ("", .failed)] {
            try Data(text.utf8).write(to: URL(fileURLWithPath: list))
            #expect(await Program.run(words + ["--logs", list], in: Stage().environment) == status)
        }
        #expect(await Program.run(words + ["--require-logs"], in: Stage().environment) == .usage)
    }

    @Test func `a list with its maker's signature is checked before it is read`() async throws {
        let files = try Files()
        func write(_ name: String, _ bytes: [UInt8]) throws -> String {
            let path = files.folder.path + "/" + name
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            return path
        }
        let maker = try IssuingKey(generating: .rsa(bits: 2048))
        let text = Array(#"{"operators": [{"name": "Lab", "logs": []}]}"#.utf8)
        let list = try write("logs.json", text)
        let proof = ["--logs-signature", try write("logs.sig", maker.sign(text))]
        let key = ["--logs-key", try write("logs.der", maker.spki)]
        let words = [
            "trust", "evaluate", "--chain", files.chain, "--host", "localhost", "--anchors", files.root, "--at",
            Self.now,
        ]
        #expect(await Program.run(words + ["--logs", list] + proof + key, in: Stage().environment) == .done)
        let stranger = ["--logs-key", try write("other.der", IssuingKey(generating: .rsa(bits: 2048)).spki)]
        let stage = Stage()
        #expect(await Program.run(words + ["--logs", list] + proof + stranger, in: stage.environment) == .failed)
        #expect(stage.messages.text.contains("was not signed with the given key"))
        for half in [proof, key] {
            #expect(await Program.run(words + ["--logs", list] + half, in: Stage().environment) == .usage)
            #expect(await Program.run(words + half, in: Stage().environment) == .usage)
        }
    }

    @Test func `a chain is not judged without a host or a file`() async throws {
        let files = try Files()
        let stage = Stage()
        #expect(await stage.run("trust", "evaluate", "--chain", files.chain) == .usage)
        #expect(await stage.run("trust", "evaluate", "--chain", "/nowhere.pem", "--host", "a.example") == .failed)
        #expect(await stage.run("trust", "evaluate", "--chain", files.chain, "--host", "a", "--at", "soon") == .usage)
    }

    @Test func `a file is shown in both forms`() async throws {
        let files = try Files()
        for path in [files.chain, files.key] {
            let stage = Stage()
            #expect(await stage.run("certificate", "show", path, "--json") == .done)
            let first = try Self.json(stage)["certificates"]?.array?.first
            #expect(first?["spki"]?.string == files.identity.pin)
        }
        let stage = Stage()
        #expect(await stage.run("certificate", "show", files.chain) == .done)
        #expect(stage.output.text.contains(files.identity.pin) && stage.output.text.contains("localhost"))
    }

    @Test func `a server's certificate is shown after a handshake and nothing more`() async throws {
        let stage = try LabStage()
        let host = stage.authority.issuer.replacingOccurrences(of: "https://", with: "")
        let result = await stage.run("certificate", "show", host, "--json")
        #expect(result.status == .done)
        #expect(result.json?["spki"]?.string == stage.identity.pin && result.json?["trusted"]?.bool == false)
        #expect(stage.authority.server.counters.applicationBytes == 0)
        let pin = await stage.run("pin", host)
        #expect(pin.output.hasPrefix(stage.identity.pin))
    }

    @Test func `the certificate of a server whose TLS is refused is shown, with its chain, and when it ends`()
        async throws
    {
        let files = try Files()
        let old = try LabServer.start(
            files.identity, tls: LabTLS(minimum: .tls11, maximum: .tls11, securityLevel: 0)
        ) { _ in .text("hello") }
        defer { old.stop() }
        let place = "localhost:\(old.port)"
        let stage = try LabStage()
        let refused = await stage.run("certificate", "show", place, "--anchors", files.root, "--json")
        #expect(refused.status == .done && refused.json?["trusted"]?.bool == false)
        #expect(refused.json?["refusal"]?.string?.hasPrefix("TLS is refused") == true)
        #expect(refused.json?["spki"]?.string == files.identity.pin)
        #expect(refused.json?["tls"]?.string?.hasPrefix("TLSv1.1") == true)

        // Looked for at another place, each is judged as a connection to its name would be.
        let current = try LabServer.start(files.identity) { _ in .text("hello") }
        defer { current.stop() }
        for (port, isTrusted) in [(old.port, false), (current.port, true)] {
            let shown = await stage.run(
                "certificate", "show", "localhost", "--connect", "localhost:\(port)", "--anchors", files.root, "--json")
            #expect(shown.status == .done && shown.json?["trusted"]?.bool == isTrusted)
            #expect(shown.json?["refusal"]?.string?.hasPrefix("TLS is refused") == (isTrusted ? nil : true))
        }

        let host = stage.authority.issuer.replacingOccurrences(of: "https://", with: "")
        let chain = await stage.run("certificate", "show", host, "--chain", "--json")
        #expect(chain.json?["chain"]?.array?.count == stage.identity.chain.count)
        #expect(await stage.run("certificate", "show", host, "--chain", "--pem").output == stage.identity.chainPEM)
        let days = try #require(chain.json?["daysLeft"]?.integer)
        #expect(days > 0)
        #expect(await stage.run("certificate", "show", host, "--expires-within", "\(days - 1)").status == .done)
        #expect(await stage.run("certificate", "show", host, "--expires-within", "\(days + 1)").status == .refused)
        #expect(await stage.run("certificate", "show", host, "--expires-within", "soon").status == .usage)
        let elsewhere = await stage.run("certificate", "show", "app.example", "--connect", host, "--json")
        #expect(elsewhere.json?["trusted"]?.bool == false && elsewhere.json?["spki"]?.string == stage.identity.pin)
        let nobody = try TCPListener.listen().port
        #expect(await stage.run("certificate", "show", "localhost:\(nobody)").status != .done)
    }

    @Test func `CL9: a file without a certificate has none that is good for long enough`() async throws {
        let files = try Files()
        let key = PEM.text("PUBLIC KEY", try X509Certificate(der: files.identity.chain[0]).spki)
        let path = files.folder.path + "/key.pem"
        try Data(key.utf8).write(to: URL(fileURLWithPath: path))
        #expect(await Stage().run("certificate", "show", path) == .done)
        let stage = Stage()
        #expect(await stage.run("certificate", "show", path, "--expires-within", "20") == .failed)
        #expect(stage.messages.text.contains("No certificate was shown"))
        let asJSON = Stage()
        #expect(await asJSON.run("certificate", "show", path, "--expires-within", "20", "--json") == .failed)
        #expect(try Self.json(asJSON)["certificates"]?.array?.count == 1)
    }

    @Test func `pins of certificate and server are one, and become a property list`() async throws {
        let files = try Files()
        let stage = Stage()
        #expect(await stage.run("pin", files.chain, "--json") == .done)
        #expect(try Self.json(stage)["pins"]?.array?.map { $0["pin"]?.string } == [files.identity.pin])
        // As `--approve-certificate "$(pavise pin FILE)"` takes it.
        let one = Stage()
        #expect(await one.run("pin", files.chain) == .done)
        #expect(one.output.text == files.identity.pin + "\n")
        let list = Stage()
        #expect(await list.run("pin", files.chain, files.key, "--plist", "--domain", "example.org") == .done)
        let text = "<plist version=\"1.0\"><dict>\(list.output.text)</dict></plist>"
        let read =
            try unsafe PropertyListSerialization.propertyList(from: Data(text.utf8), format: nil) as? [String: Any]
        let entry = (read?["NSPinnedDomains"] as? [String: Any])?["example.org"] as? [String: Any]
        let identities = entry?["NSPinnedLeafIdentities"] as? [[String: String]]
        #expect(identities?.map { $0["SPKI-SHA256-BASE64"] } == [files.identity.pin, files.identity.pin])
    }

    @Test func `a single pin is given with a warning, and no domain is made up of markup`() async throws {
        let files = try Files()
        let stage = Stage()
        #expect(await stage.run("pin", files.chain, "--plist", "--domain", "example.org") == .done)
        #expect(stage.output.text.contains("add a second"))
        #expect(await stage.run("pin", files.chain, "--plist", "--domain", "a</key>") == .usage)
    }

    @Test func `a place without a pin does not hide the pins of the others`() async throws {
        let files = try Files()
        let folder = try TemporaryFolder()
        let path = folder.path + "/k.pem"
        try Data("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n".utf8).write(
            to: URL(fileURLWithPath: path))
        let stage = Stage()
        #expect(await stage.run("pin", path, files.chain) == .failed)
        #expect(stage.output.text.contains("\(files.identity.pin)  \(files.chain)"))
        #expect(stage.output.text.contains("holds a private key"))
        let data = Stage()
        #expect(await data.run("pin", path, files.chain, "--json") == .failed)
        let json = try Self.json(data)
        #expect(json["pins"]?.array?.map { $0["pin"]?.string } == [files.identity.pin])
        #expect(json["failures"]?.array?.map { $0["source"]?.string } == [path])
        // A list with a pin too few would lock the app out.
        let list = Stage()
        #expect(await list.run("pin", path, files.chain, "--plist", "--domain", "example.org") == .failed)
        #expect(!list.output.text.contains(files.identity.pin))
    }

    @Test func `what is neither a file nor a host is said so`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/empty.pem"
        try Data("nothing".utf8).write(to: URL(fileURLWithPath: path))
        let stage = Stage()
        #expect(await stage.run("certificate", "show", path) == .failed)
        try Data("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n".utf8).write(
            to: URL(fileURLWithPath: path))
        #expect(await stage.run("pin", path) == .failed)
        #expect(stage.messages.text.contains("holds a private key"))
        #expect(stage.messages.text.contains("openssl pkey -in FILE -pubout"))
        #expect(await stage.run("pin", "http://example.org") == .usage)
        #expect(await stage.run("pin", "not a host") == .usage)
    }

    private static var now: String { Date().formatted(.iso8601) }
}
