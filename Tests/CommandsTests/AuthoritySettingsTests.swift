import Foundation
import PaviseLab
import PavisePrimitives
import PaviseTransport
import TestSupport
import Testing

@testable import PaviseLabCommands

/// `pavise-lab authority --set` and `--settings`: every setting of the lab's authority, also while it runs.
@Suite struct AuthoritySettingsTests {
    @Test func `every property of the authority is a setting, but those that options of their own say`() {
        let properties = Set(Mirror(reflecting: AuthorityConfiguration()).children.compactMap(\.label))
        #expect(properties.count > 40)
        let ofOptions: Set<String> = ["deviceMakers", "attestedApps"]
        #expect(Set(AuthorityKnob.all.map(\.property)) == properties.subtracting(ofOptions))
        #expect(Set(AuthorityKnob.all.map(\.name)).count == AuthorityKnob.all.count)
    }

    @Test(arguments: AuthorityKnob.all.map(\.name))
    func `what is printed of a setting is read as the same`(_ name: String) throws {
        let knob = try #require(AuthoritySettings.Line.knob(name))
        let text = knob.text(in: AuthorityConfiguration())
        var configuration = AuthorityConfiguration()
        #expect(knob.set(text, in: &configuration) && knob.text(in: configuration) == text)
    }

    @Test(arguments: [
        ("demands-proof", "yes"), ("rotation", "grace:10"), ("rotation", "silent"), ("idle-time", "60"),
        ("idle-time", "none"), ("proof-nonces", "never-right"), ("users", "ada:secret,bob:other"),
        ("elsewhere", "jwks,token"), ("proof-lead", "-1"), ("client-authentication", "none"), ("scopes", "openid,api"),
        ("key-rotation", "60"), ("takes-attestations", "tpm"), ("further-endpoints", "metadata"),
        ("client-secret", "none"), ("client-secret", "two words:1"), ("issuer-path", ""),
        ("issuer-path", "/realms/one"), ("host", "localhost"), ("token-type", "dPOp"), ("challenge-methods", ""),
        ("challenge-methods", "S256,plain"), ("granted-scope", "openid api"), ("resources", "https://a.example/,urn:b"),
        ("redirects", "org.example.app:/back,https://a.example/b?c"), ("client-certificate-name", "alice.example"),
        ("client-authentication", "client_secret_post,client_secret_basic"), ("canary", "bird-1"),
    ])
    func `a value is taken`(_ name: String, _ value: String) throws {
        let line = try #require(AuthoritySettings.Line("\(name)=\(value)"))
        let configuration = AuthoritySettings([line]).applied(to: AuthorityConfiguration())
        #expect(AuthoritySettings.Line.knob(name)?.text(in: configuration) == value)
    }

    @Test(arguments: [
        "", "demands-proof", "demands-proof=maybe", "no-such=1", "rotation=grace", "rotation=grace:x",
        "issuer-path=realms", "issuer-path=/", "issuer-path=/a/", "issuer-path=/a//b", "issuer-path=/a?b",
        "host=evil.example", "host=", "client-id=", "client-id=a\tb", "client-secret=", "client-authentication=",
        "client-authentication=client_secret_bsic", "client-authentication=client_secret_basic,",
        "client-certificate-name=a b", "redirects=callback", "redirects=https://a.example/,", "redirects=a b:c",
        "users=ada:one,ada:two", "scopes=openid,,api", "scopes=open id", "granted-scope=", "granted-scope=api  x",
        "token-type=", "token-type=Be arer", "canary=", "canary=a\"b", "canary=a b", "challenge-methods=S255",
        "resources=files", "resources=https://a.example/#b",
        "idle-time=0", "idle-time=-1", "access-token-lifetime=99999999999", "elsewhere=mars", "users=ada",
        "key-rotation=1", "=yes", "takes-attestations=", "takes-attestations=badge", "fault-mars=status:503",
        "fault-token=status", "fault-token=status:99",
        "fault-token=status:503|", "fault-token=status:503*0", "fault-token=late:0", "fault-token=silence:1",
        "fault-token=error:400", "callback-fault=tired", "id-token-fault=", "fault-token=explodes",
    ])
    func `anything else is none`(_ text: String) {
        #expect(AuthoritySettings.Line(text) == nil)
    }

    @Test func `a file with a wrong line says which, and has no effect`() throws {
        #expect(throws: AuthoritySettings.Unusable(number: 3)) {
            try AuthoritySettings("# settings\nrotation=strict\nrotation=backwards\n")
        }
        #expect(try AuthoritySettings("# none\n\n").lines.isEmpty)
    }

    /// One value of each kind of fault, with what an endpoint is told by it.
    private static let faults = [
        "status:503", "page:403*2", "error:400:invalid_grant", "disguised-error:400:invalid_grant",
        "too-many-requests", "too-many-requests:7*1", "redirect:302:https://localhost:1/x", "silence", "hang-up",
        "oversized:100", "nested:5", "answer:200:a:b", "late:1", "lost-answer*3", "cut:0", "content-type:text/html",
        "byte-order-mark", "invalid-text", "without:access_token", "member:token_type:mac", "twice:access_token:x",
    ]

    @Test func `every kind of fault has a word, which is read as that fault`() throws {
        var seen: Set<AuthorityFaultWord.Kind> = []
        for text in Self.faults {
            let word = try #require(AuthorityFaultWord(text), "\(text)")
            #expect(AuthorityFaultWord.Kind(try #require(word.fault)) == word.kind && word.text == text)
            seen.insert(word.kind)
        }
        #expect(seen == Set(AuthorityFaultWord.Kind.allCases))
    }

    @Test func `every endpoint, and every fault of callbacks and id tokens, is a setting`() throws {
        let names = Set(AuthorityFaultPlan.names.map(\.name))
        #expect(names.count == AuthorityEndpoint.allCases.count + 2)
        #expect(names.isDisjoint(with: AuthorityKnob.all.map(\.name)))
        let authority = try LabAuthority.start(nil)
        let all =
            CallbackFault.allCases.map { ("callback-fault", "\($0)") }
            + IDTokenFault.allCases.map { ("id-token-fault", "\($0)") }
        for (name, fault) in all {
            let line = try #require(AuthoritySettings.Line("\(name)=\(AuthorityKnob.name(of: fault))"), "\(fault)")
            AuthoritySettings([line]).faults.apply(to: authority)
            let found =
                name == "callback-fault"
                ? authority.callbackFault.map { "\($0)" } : authority.idTokenFault.map { "\($0)" }
            #expect(found == fault)
        }
        for name in names {
            #expect(AuthoritySettings.Line("\(name)=none") != nil && AuthoritySettings.Line("\(name)=x") == nil)
            #expect(AuthorityFaultPlan().text(name) == "none")
        }
    }

    @Test func `faults happen in their order and so often as they say, and end with their line`() async throws {
        let certificates = try CertificateAuthority()
        let authority = try LabAuthority.start(try certificates.issue())
        let client = try HTTPClient(policy: TrustPolicy(anchors: .only([certificates.anchor])))
        let keys = try WebURL(authority.address(.jwks))
        let statuses = { () async throws -> [Int] in
            var found: [Int] = []
            for _ in 0..<4 { found.append(try await client.send(HTTPRequest("GET", keys)).status) }
            return found
        }
        let settings = try AuthoritySettings("fault-jwks=status:503*2|status:418*1\ncallback-fault=wrong-state\n")
        #expect(settings.faults.text("fault-jwks") == "status:503*2|status:418*1")
        settings.faults.apply(to: authority)
        #expect(try await statuses() == [503, 503, 418, 200])
        #expect(authority.callbackFault == .wrongState)
        try AuthoritySettings("fault-jwks=status:500\n").faults.apply(to: authority)
        #expect(try await statuses() == [500, 500, 500, 500])
        #expect(authority.callbackFault == nil)
        try AuthoritySettings("# nothing\n").faults.apply(to: authority)
        #expect(try await statuses() == [200, 200, 200, 200])
    }

    @Test(.long) func `a running authority goes on with a file that has changed`() async throws {
        let folder = try TemporaryFolder()
        let file = folder.path + "/settings"
        try DurableFile.write(Array("offers-logout=yes\n".utf8).span, to: file)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try #require(PaviseProcess.beside("pavise-lab")))
        process.arguments = ["authority", "--settings", file, "--json"]
        process.environment = ["PATH": "/usr/bin:/bin", "SWIFT_BACKTRACE": "enable=no", "TMPDIR": folder.path]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        defer { process.terminate() }
        var bytes: [UInt8] = []
        while let byte = try output.fileHandleForReading.read(upToCount: 1)?.first, byte != 0x0A { bytes.append(byte) }
        let line = try JSONValue.parse(bytes)
        let pem = try String(contentsOfFile: line["anchors"]?.string ?? "", encoding: .utf8)
        let anchor = pem.split(separator: "\n").filter { !$0.hasPrefix("-----") }.joined()
        let client = try HTTPClient(policy: TrustPolicy(anchors: .only([try #require(Base64.decode(anchor))])))
        let metadata = try WebURL((line["issuer"]?.string ?? "") + "/.well-known/openid-configuration")

        func offersLogout() async throws -> Bool {
            let answer = try await client.send(HTTPRequest("GET", metadata))
            return try JSONValue.parse(answer.body)["end_session_endpoint"] != nil
        }
        #expect(try await offersLogout())
        try DurableFile.write(Array("offers-logout=no\n".utf8).span, to: file)
        // Not timed: it is soon, and never would end the test by its own limit.
        while try await offersLogout() { try await Task.sleep(for: .milliseconds(50)) }
        // So does what goes wrong.
        try DurableFile.write(Array("offers-logout=no\nfault-discovery=status:503\n".utf8).span, to: file)
        while try await client.send(HTTPRequest("GET", metadata)).status != 503 {
            try await Task.sleep(for: .milliseconds(50))
        }
        try DurableFile.write(Array("offers-logout=no\n".utf8).span, to: file)
        while try await client.send(HTTPRequest("GET", metadata)).status != 200 {
            try await Task.sleep(for: .milliseconds(50))
        }
        // What is wrong changes nothing.
        try DurableFile.write(Array("offers-logout=perhaps\n".utf8).span, to: file)
        try await Task.sleep(for: .milliseconds(1500))
        #expect(try await !offersLogout())
    }
}
