import PaviseCommands
import PaviseLab
import PavisePrimitives
import Synchronization
import TestSupport
import Testing

@Suite struct ATSDiagnoseTests {
    /// A server, the rows, the host's entry that is needed, the exit status.
    struct Server: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let profile: LeafProfile
        let tls: LabTLS
        let pattern: String
        let entry: String
        let status: Int32

        init(
            _ name: String, _ pattern: String, _ entry: String, _ status: Int32, profile: LeafProfile = LeafProfile(),
            tls: LabTLS
        ) {
            testDescription = name
            self.profile = profile
            self.tls = tls
            self.pattern = pattern
            self.entry = entry
            self.status = status
        }
    }

    private static let rsa = LeafProfile(key: .rsa(bits: 2048))
    private static let noSecrecy = #"{"NSExceptionRequiresForwardSecrecy":false}"#
    private static let open = #"{"NSExceptionAllowsInsecureHTTPLoads":true,"NSExceptionRequiresForwardSecrecy":false}"#
    private static func low(_ version: String) -> String { #"{"NSExceptionMinimumTLSVersion":"\#(version)"}"# }
    private static func both(_ version: String) -> String {
        #"{"NSExceptionMinimumTLSVersion":"\#(version)","NSExceptionRequiresForwardSecrecy":false}"#
    }
    private static func only12(_ suites: String) -> LabTLS { LabTLS(maximum: .tls12, suites: suites, securityLevel: 0) }
    private static func old(_ one: LabTLS.Version, _ other: LabTLS.Version, _ suites: String? = nil) -> LabTLS {
        LabTLS(minimum: one, maximum: other, suites: suites, securityLevel: 0)
    }
    private static let all = "PPPPPPPPPPPPPPPP"
    private static let modern = "PPFPPPPPFPPPFPPP"
    private static let none = "FFFFFFFFFFFFFFFF"
    private static let transport = "FPFFFFPPFPPPFPPP"
    private static let foreign = "FPFFFFFPFFFFFPPP"

    static let servers: [Server] = [
        Server("good, EC", all, "", 0, tls: LabTLS()),
        Server("good, EC P-384", all, "", 0, profile: LeafProfile(key: .ec384), tls: LabTLS()),
        Server("good, RSA", all, "", 0, profile: rsa, tls: LabTLS()),
        Server(
            "good, RSA 3072 and SHA-384", all, "", 0, profile: LeafProfile(key: .rsa(bits: 3072), signature: .sha384),
            tls: LabTLS()),
        Server("TLS 1.3 alone", all, "", 0, tls: LabTLS(minimum: .tls13)),
        Server("from TLS 1.0 on", all, "", 0, tls: old(.tls10, .tls13)),
        Server("TLS 1.2 alone", modern, "", 0, tls: LabTLS(maximum: .tls12)),
        Server("TLS 1.0 to 1.2", modern, "", 0, tls: old(.tls10, .tls12)),
        Server("ChaCha20 alone", modern, "", 0, tls: only12("ECDHE-ECDSA-CHACHA20-POLY1305")),
        Server("ECDHE with CBC-SHA", modern, "", 0, tls: only12("ECDHE-ECDSA-AES128-SHA")),
        Server("RSA, ECDHE with CBC-SHA", modern, "", 0, profile: rsa, tls: only12("ECDHE-RSA-AES256-SHA")),
        Server("RSA key transport, GCM", transport, noSecrecy, 1, profile: rsa, tls: only12("AES128-GCM-SHA256")),
        Server("RSA key transport, CBC", transport, noSecrecy, 1, profile: rsa, tls: only12("AES256-SHA")),
        Server(
            "RSA key transport preferred and alone", transport, noSecrecy, 1, profile: rsa,
            tls: only12("AES256-GCM-SHA384:AES128-SHA")),
        Server("RSA key transport, CBC-SHA256", foreign, open, 1, profile: rsa, tls: only12("AES128-SHA256")),
        Server("CBC-SHA384", foreign, open, 1, tls: only12("ECDHE-ECDSA-AES256-SHA384")),
        Server("RSA, CBC-SHA256", foreign, open, 1, profile: rsa, tls: only12("ECDHE-RSA-AES128-SHA256")),
        Server("CCM", foreign, open, 1, tls: only12("ECDHE-ECDSA-AES128-CCM")),
        Server("Camellia", foreign, open, 1, tls: only12("ECDHE-ECDSA-CAMELLIA128-SHA256")),
        Server("ARIA", foreign, open, 1, tls: only12("ECDHE-ECDSA-ARIA128-GCM-SHA256")),
        Server("TLS 1.1 alone", "FPFFPPFFFFPPFFPP", low("TLSv1.1"), 1, tls: old(.tls11, .tls11)),
        Server("TLS 1.0 and 1.1", "FPFFPPFFFFPPFFPP", low("TLSv1.1"), 1, tls: old(.tls10, .tls11)),
        Server("TLS 1.0 alone", "FPFFFPFFFFFPFFFP", low("TLSv1.0"), 1, tls: old(.tls10, .tls10)),
        Server("RSA, TLS 1.0 alone", "FPFFFPFFFFFPFFFP", low("TLSv1.0"), 1, profile: rsa, tls: old(.tls10, .tls10)),
        Server(
            "TLS 1.1, RSA key transport", "FPFFFFFFFFPPFFPP", both("TLSv1.1"), 1, profile: rsa,
            tls: old(.tls11, .tls11, "AES128-SHA")),
        Server(
            "TLS 1.0, RSA key transport", "FPFFFFFFFFFPFFFP", both("TLSv1.0"), 1, profile: rsa,
            tls: old(.tls10, .tls10, "AES256-SHA")),
        Server("expired", none, "", 3, profile: WeakServer.expired.profile, tls: LabTLS()),
        Server("not yet valid", none, "", 3, profile: WeakServer.notYetValid.profile, tls: LabTLS()),
        Server("wrong host", none, "", 3, profile: WeakServer.wrongHost.profile, tls: LabTLS()),
        Server("self-signed", none, "", 3, profile: WeakServer.selfSigned.profile, tls: LabTLS()),
        Server("no alternative name", none, "", 3, profile: WeakServer.noAlternativeName.profile, tls: LabTLS()),
        Server("for clients", none, "", 3, profile: WeakServer.wrongPurpose.profile, tls: LabTLS()),
        Server("RSA 1024", none, "", 3, profile: WeakServer.rsa1024.profile, tls: WeakServer.rsa1024.tls),
        Server("SHA-1", none, "", 3, profile: WeakServer.sha1.profile, tls: WeakServer.sha1.tls),
        Server("expired and TLS 1.1", none, "", 3, profile: WeakServer.expired.profile, tls: old(.tls11, .tls11)),
    ]

    @Test(.long, arguments: servers) func `finds the narrowest exception`(_ wanted: Server) async throws {
        let authority = try CertificateAuthority()
        let server = try LabServer.start(try authority.issue(wanted.profile), tls: wanted.tls) { _ in .text("hello") }
        defer { server.stop() }
        let stage = try ATSStage()
        let anchors = try stage.file("ca.pem", authority.anchorPEM)
        let result = await stage.run(
            "diagnose", "https://localhost", "--connect", "127.0.0.1:\(server.port)", "--anchors", anchors, "--json")
        let rows = result.json?["rows"]?.array ?? []
        #expect(rows.compactMap { $0["result"]?.string?.prefix(1) }.joined() == wanted.pattern)
        #expect(rows.allSatisfy { ($0["reason"] == .null) == ($0["result"]?.string == "PASS") })
        let expected = wanted.entry.isEmpty ? "{}" : #"{"NSExceptionDomains":{"localhost":\#(wanted.entry)}}"#
        #expect(result.json?["exceptions"]?.text == expected)
        #expect(result.json?["exitStatus"]?.integer == Int64(wanted.status))
        #expect(result.status.rawValue == wanted.status)
        #expect(result.json?["handshakes"]?.integer == (wanted.status == 0 ? 1 : 3))
        #expect(server.counters.applicationBytes == 0)
    }

    @Test func `of an unknown authority says that no exception helps`() async throws {
        let server = try LabServer.start(try CertificateAuthority().issue()) { _ in .text("hello") }
        let stage = try ATSStage()
        let anchors = try stage.file("ca.pem", CertificateAuthority().anchorPEM)
        let result = await stage.run(
            "diagnose", "localhost", "--connect", "127.0.0.1:\(server.port)", "--anchors", anchors)
        #expect(result.status.rawValue == 3)
        #expect(result.output.contains("No ATS exception helps."))
        server.stop()
    }

    @Test func `of a server that is not there has no verdict`() async throws {
        let port = try TCPListener.listen().port
        let stage = try ATSStage()
        let result = await stage.run("diagnose", "https://localhost:\(port)", "--json")
        #expect(result.status == .unreachable && result.status.rawValue == 6)
        #expect(result.json?["exitStatus"]?.integer == 6)
        #expect(result.json?["conclusion"]?.string == "unreachable" && result.json?["negotiated"] == .null)
        #expect(result.json?["rows"]?.array?.isEmpty == true)
    }

    @Test(arguments: [
        [], ["ftp://a.example"], ["https://a.example", "--jobs", "0"], ["https://a.example", "--connect", "nowhere"],
        ["https://a.example", "--json", "--sarif"], ["https://a.example", "--unknown"],
        ["https://a.example", "--anchors", "/nowhere"],
    ])
    func `ends with 2 for a command line that it does not understand`(_ words: [String]) async throws {
        let result = try await ATSStage().run(["diagnose"] + words)
        #expect(result.status == .usage)
        #expect(!(result.messages + result.output).isEmpty)
    }

    @Test func `of several servers ends with the worst and gives them in order`() async throws {
        let authority = try CertificateAuthority()
        let good = try LabServer.start(try authority.issue()) { _ in .text("hello") }
        let old = try LabServer.start(try authority.issue(), tls: Self.old(.tls11, .tls11)) { _ in .text("hello") }
        let stage = try ATSStage()
        let anchors = try stage.file("ca.pem", authority.anchorPEM)
        let urls = [old, good, old, good, good].map { "https://localhost:\($0.port)" }
        let result = await stage.run(["diagnose"] + urls + ["--jobs", "2", "--anchors", anchors, "--json"])
        let lines = result.output.split(separator: "\n").compactMap { try? JSONValue.parse(Array($0.utf8)) }
        #expect(lines.compactMap { $0["url"]?.string } == urls.map { $0 + "/" })
        #expect(lines.compactMap { $0["exitStatus"]?.integer } == [1, 0, 1, 0, 0])
        #expect(result.status.rawValue == 1)
        let junit = await stage.run(["diagnose"] + urls + ["--anchors", anchors, "--junit"])
        #expect(junit.output.contains("tests=\"5\" failures=\"2\" errors=\"0\""))
        let sarif = await stage.run(["diagnose"] + urls + ["--anchors", anchors, "--sarif"])
        #expect(sarif.json?["runs"]?.array?.first?["results"]?.array?.count == 2)
        let text = await stage.run(["diagnose"] + urls + ["--anchors", anchors])
        let places = ["2 work with an exception: localhost:\(old.port), localhost:\(old.port)", "3 need no exception"]
        for words in places { #expect(text.output.contains(words)) }
        let first = try #require(lines.first)
        #expect(first["conclusion"]?.string == "exceptionsSuffice" && first["schema"]?.integer == 1)
        #expect(first["port"]?.integer == Int64(old.port) && first["host"]?.string == "localhost")
        #expect(first["negotiated"]?["version"]?.string == "TLSv1.1")
        #expect(first["asked"]?.string?.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/) != nil)
        let days = try #require(first["daysLeft"]?.integer)
        #expect(days > 1 && text.output.contains("expires in \(days) days"))
        #expect(lines[1]["negotiated"]?["version"]?.string == "TLSv1.3" && lines[1]["plainHTTP"] == .null)
        #expect(lines[1]["negotiated"]?["suite"]?.string?.hasPrefix("TLS_") == true)
        #expect(first["rows"]?.array?.first?["codeName"]?.string == "errSSLPeerProtocolVersion")
        #expect(text.output.contains("<key>NSExceptionMinimumTLSVersion</key>"))
        good.stop()
        old.stop()
    }

    @Test func `the summary of a fleet names the first servers of a kind, and counts the others`() async throws {
        let stage = try ATSStage()
        let fleet = try stage.file("fleet.txt", (1...30).map { "h\($0).lab.eu\n" }.joined())
        let result = await stage.run("diagnose", "--hosts", fleet, "--connect", "127.0.0.1:1")
        let summary = try #require(result.output.split(separator: "\n").last { $0.contains("30 could not be reached") })
        #expect(summary.hasSuffix("h19.lab.eu, h20.lab.eu and 10 more"))
        #expect(result.status == .unreachable)
    }

    @Test func `asks the servers of a list, tells its bad lines, and says what changed since an earlier run`()
        async throws
    {
        let stage = try ATSStage()
        let authority = try CertificateAuthority()
        let good = try LabServer.start(try authority.issue()) { _ in .text("hello") }
        let old = try LabServer.start(try authority.issue(), tls: Self.old(.tls11, .tls11)) { _ in .text("hello") }
        let anchors = try stage.file("ca.pem", authority.anchorPEM)
        let fleet = try stage.file(
            "fleet.txt",
            "# servers\n\nlocalhost:\(good.port) # the good one\r\nhttps://a b\nhttps://localhost:\(good.port)/\n"
                + "localhost:\(old.port)")
        let first = await stage.run("diagnose", "--hosts", fleet, "--anchors", anchors, "--json")
        let lines = first.output.split(separator: "\n").compactMap { try? JSONValue.parse(Array($0.utf8)) }
        #expect(lines.compactMap { $0["port"]?.integer } == [Int64(good.port), Int64(old.port)])
        #expect(lines.allSatisfy { $0["change"] == nil })
        #expect(first.messages.contains("Line 4 of the list was left out."))
        #expect(first.status == .unreachable)
        let clean = try stage.file("clean.txt", "localhost:\(good.port)\n")
        #expect(await stage.run("diagnose", "--hosts", clean, "--anchors", anchors).status == .done)

        let gone = #"{"url":"https://gone.example/","conclusion":"noExceptionNeeded"}"#
        let earlier = try stage.file("earlier.jsonl", first.output + gone + "\n")
        let same = await stage.run("diagnose", "--hosts", clean, "--since", earlier, "--anchors", anchors)
        #expect(same.output.contains("https://gone.example/: not asked any more"))
        #expect(!same.output.contains("localhost:\(good.port): "))
        let changed = try stage.file(
            "changed.jsonl",
            first.output.replacing(#""conclusion":"noExceptionNeeded""#, with: #""conclusion":"unreachable""#))
        let now = await stage.run("diagnose", "--hosts", clean, "--since", changed, "--anchors", anchors)
        #expect(now.output.contains("localhost:\(good.port): conclusion: unreachable → noExceptionNeeded"))
        let object = await stage.run("diagnose", "--hosts", clean, "--since", changed, "--anchors", anchors, "--json")
        #expect(object.json?["change"]?["kind"]?.string == "changed")
        // Another key is what a pin would miss; a run of a version that told none says nothing of it.
        #expect(lines.allSatisfy { $0["spki"]?.string?.utf8.count == 44 })
        let rekeyed = try stage.file("rekeyed.jsonl", first.output.replacing(#""spki":""#, with: #""spki":"other-"#))
        let other = await stage.run("diagnose", "--hosts", clean, "--since", rekeyed, "--anchors", anchors)
        #expect(other.output.contains("localhost:\(good.port): key: other-"))
        let silent = try stage.file("silent.jsonl", first.output.replacing(#""spki":"#, with: #""unknown":"#))
        let quiet = await stage.run("diagnose", "--hosts", clean, "--since", silent, "--anchors", anchors)
        #expect(!quiet.output.contains("localhost:\(good.port): "))
        let cut = try stage.file("cut.jsonl", String(first.output.dropLast(10)))
        #expect(await stage.run("diagnose", "--hosts", clean, "--since", cut, "--anchors", anchors).status == .usage)
        #expect(await stage.run("diagnose").status == .usage)
        #expect(await stage.run("diagnose", "--hosts", "/nowhere/list").status == .usage)
        good.stop()
        old.stop()
    }

    @Test(arguments: ["", "\n\n", "# all of them are gone\n", "\u{FEFF}"])
    func `CL9: a list without an address is no fleet that needs nothing`(_ list: String) async throws {
        let stage = try ATSStage()
        let fleet = try stage.file("fleet.txt", list)
        for form in [[], ["--json"], ["--junit"]] {
            let result = await stage.run(["diagnose", "--hosts", fleet] + form)
            #expect(result.status == .usage)
            #expect((result.messages + result.output).contains("names no address"), "\(result.messages)")
        }
    }

    @Test func `names a server that an earlier run did not ask, and calls it new`() async throws {
        let stage = try ATSStage()
        let authority = try CertificateAuthority()
        let good = try LabServer.start(try authority.issue()) { _ in .text("hello") }
        let old = try LabServer.start(try authority.issue(), tls: Self.old(.tls11, .tls11)) { _ in .text("hello") }
        let anchors = try stage.file("ca.pem", authority.anchorPEM)
        let before = try stage.file("before.txt", "localhost:\(good.port)\n")
        let fleet = try stage.file("fleet.txt", "localhost:\(good.port)\nlocalhost:\(old.port)\n")
        let first = await stage.run("diagnose", "--hosts", before, "--anchors", anchors, "--json")
        #expect(first.status == .done)
        let earlier = try stage.file("earlier.jsonl", first.output)
        let now = await stage.run("diagnose", "--hosts", fleet, "--since", earlier, "--anchors", anchors)
        #expect(now.output.contains("Changed: 1, not asked any more: 0"))
        #expect(now.output.contains("localhost:\(old.port): new, exceptionsSuffice"))
        #expect(!now.output.contains("localhost:\(good.port): "))
        #expect(now.status.rawValue == 1)
        let objects = await stage.run("diagnose", "--hosts", fleet, "--since", earlier, "--anchors", anchors, "--json")
        let lines = objects.output.split(separator: "\n").compactMap { try? JSONValue.parse(Array($0.utf8)) }
        #expect(lines.compactMap { $0["change"]?["kind"]?.string } == ["same", "new"])
        // With both in the earlier run nothing is new any more.
        let both = try stage.file("both.jsonl", objects.output)
        let again = await stage.run("diagnose", "--hosts", fleet, "--since", both, "--anchors", anchors)
        #expect(again.output.contains("Nothing changed.") && !again.output.contains(": new"))
        good.stop()
        old.stop()
    }

    @Test func `of plain http asks for an exception only when https is not there`() async throws {
        let stage = try ATSStage()
        let plain = try Self.plainServer(connections: 7)
        let result = await stage.run("diagnose", "http://localhost:\(plain)", "--json")
        #expect(result.status.rawValue == 1)
        #expect(
            result.json?["exceptions"]?.text
                == #"{"NSExceptionDomains":{"localhost":{"NSExceptionAllowsInsecureHTTPLoads":true}}}"#)
        #expect(result.json?["needsJustification"]?.bool == true)
        #expect(await stage.run("diagnose", "https://localhost:\(plain)").status.rawValue == 3)

        let authority = try CertificateAuthority()
        let secure = try LabServer.start(try authority.issue()) { _ in .text("hello") }
        let anchors = try stage.file("ca.pem", authority.anchorPEM)
        let better = await stage.run("diagnose", "http://localhost:\(secure.port)", "--anchors", anchors, "--json")
        #expect(better.status.rawValue == 0)
        secure.stop()

        let nobody = try TCPListener.listen().port
        #expect(await stage.run("diagnose", "http://localhost:\(nobody)").status == .unreachable)
    }

    @Test(.long) func `of a silent server makes every offer side by side, so that its time is lost once`() async throws
    {
        let listener = Listener(socket: try TCPListener.listen())
        let seen = Seen()
        try WorkerThread.start {
            guard let first = try? listener.socket.accept(within: 20_000),
                (try? first.read(upTo: 16_384, within: 5_000)) != nil,
                let second = try? listener.socket.accept(within: 20_000),
                let third = try? listener.socket.accept(within: 20_000)
            else { return }
            // Nothing to read and not closed: the first one still waits for its answer.
            seen.firstIsOpen.withLock { $0 = (try? first.read(upTo: 1, within: 0)) == nil }
            // Nobody is told anything until the client itself hangs up.
            while let more = try? first.read(upTo: 16_384, within: 20_000), !more.isEmpty {}
            while let more = try? second.read(upTo: 16_384, within: 20_000), !more.isEmpty {}
            while let more = try? third.read(upTo: 16_384, within: 20_000), !more.isEmpty {}
        }
        let result = try await ATSStage().run("diagnose", "https://localhost:\(listener.socket.port)", "--json")
        #expect(result.status == .unreachable)
        #expect(result.output.contains("does not answer in time"))
        #expect(seen.firstIsOpen.withLock { $0 })
        listener.socket.shutDown()
    }

    /// A server that answers everything with a line of http, a handshake too.
    private static func plainServer(connections: Int) throws -> UInt16 {
        let listener = Listener(socket: try TCPListener.listen())
        try WorkerThread.start {
            for _ in 0..<connections {
                guard let peer = try? listener.socket.accept(within: 30_000) else { return }
                _ = try? peer.read(upTo: 4_096, within: 5_000)
                let answer = Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".utf8)
                try? peer.write(answer.span)
            }
        }
        return listener.socket.port
    }

    private final class Seen: Sendable {
        let firstIsOpen = Mutex(false)
    }

    private final class Listener: Sendable {
        let socket: TCPListener

        init(socket: consuming TCPListener) { self.socket = socket }
    }
}
