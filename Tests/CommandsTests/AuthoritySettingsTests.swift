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
        let ofOptions: Set<String> = ["deviceMakers", "attestedApps", "takesAttestations"]
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
        ("key-rotation", "60"), ("further-endpoints", "metadata"), ("client-secret", "none"),
    ])
    func `a value is taken`(_ name: String, _ value: String) throws {
        let line = try #require(AuthoritySettings.Line("\(name)=\(value)"))
        let configuration = AuthoritySettings([line]).applied(to: AuthorityConfiguration())
        #expect(AuthoritySettings.Line.knob(name)?.text(in: configuration) == value)
    }

    @Test(arguments: [
        "", "demands-proof", "demands-proof=maybe", "no-such=1", "rotation=grace", "rotation=grace:x",
        "idle-time=0", "idle-time=-1", "access-token-lifetime=99999999999", "elsewhere=mars", "users=ada",
        "key-rotation=1", "=yes",
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
        // What is wrong changes nothing.
        try DurableFile.write(Array("offers-logout=perhaps\n".utf8).span, to: file)
        try await Task.sleep(for: .milliseconds(1500))
        #expect(try await !offersLogout())
    }
}
