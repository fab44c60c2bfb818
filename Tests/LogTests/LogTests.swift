import Foundation
import PaviseLog
import PavisePrimitives
import PaviseVault
import Synchronization
import TestSupport
import Testing

/// Keeps what it is given.
final class MemorySink: LogSink {
    let entries = Mutex<[LogEntry]>([])
    let takes: Bool
    init(takes: Bool = true) { self.takes = takes }
    func write(_ entry: LogEntry) -> Bool {
        entries.withLock { $0.append(entry) }
        return takes
    }
    var lines: [String] { entries.withLock { $0.map { String(decoding: $0.text, as: UTF8.self) } } }
}

struct CanaryFailure: Error { var text = "canary" }
enum CanaryCase: Error { case refused(String), conflict }
enum DescribedCase: Error, CustomStringConvertible {
    case one
    var description: String { "canary" }
}
enum ReflectedCase: Error, CustomReflectable {
    case one(String)
    var customMirror: Mirror { Mirror(self, children: ["canary": 1], displayStyle: .enum) }
}

@Suite struct PrivateLogTests {
    let sink = MemorySink()

    private func log(_ key: LogKey? = nil, minimum: LogLevel = .debug) -> Log {
        Log(subsystem: "org.example", category: "tests", output: LogOutput(sinks: [sink], minimum: minimum, key: key))
    }

    @Test func `PR1: a value is private and is not computed`() {
        let asked = Mutex(0)
        func value() -> String {
            asked.withLock { $0 += 1 }
            return "canary"
        }
        log().error("sign-in of \(value()) failed \(public: 3) times after \(public: Duration.milliseconds(1250))")
        #expect(sink.lines == ["sign-in of «private» failed 3 times after 1.250 s"])
        #expect(asked.withLock { $0 } == 0)
    }

    @Test func `a level that is off computes nothing`() {
        let asked = Mutex(0)
        func value() -> Int {
            asked.withLock { $0 += 1 }
            return 1
        }
        log(minimum: .fault).error("n \(public: value())")
        #expect(sink.lines.isEmpty && asked.withLock { $0 } == 0)
    }

    @Test func `PR9: two installations give different digits, one gives the same`() throws {
        let (one, other) = (
            try LogKey.ofInstallation(in: VolatileStore()), try LogKey.ofInstallation(in: VolatileStore())
        )
        for key in [one, one, other] { log(key).error("\(hashed: "jane@example.org")") }
        let lines = sink.lines
        #expect(lines[0] == lines[1] && lines[1] != lines[2] && lines[0].hasPrefix("«hashed "))
        log().error("\(hashed: "jane@example.org")")
        #expect(sink.lines.last == "«hashed»")
    }

    @Test(arguments: [0, 1, 16, 31, 33, 64])
    func `PR9: a key of another length is none, and makes no digits that can be guessed`(_ count: Int) {
        let key = LogKey(SecretBytes(copying: [UInt8](repeating: 7, count: count)))
        #expect(key == nil)
        log(key).error("\(hashed: "jane@example.org")")
        #expect(sink.lines == ["«hashed»"])
    }

    @Test func `PR9: a key of 32 bytes makes digits`() {
        log(LogKey(SecretBytes(copying: [UInt8](repeating: 7, count: 32)))).error("\(hashed: "jane@example.org")")
        #expect(sink.lines.count { $0.hasPrefix("«hashed ") } == 1)
    }

    @Test func `PR8: an error shows its type and case, and nothing that is in it`() {
        log().error("\(error: CanaryCase.refused("canary"))")
        log().error("\(error: CanaryFailure())")
        #expect(sink.lines.allSatisfy { !$0.contains("canary") })
        #expect(sink.lines[0] == "CanaryCase.refused")
    }

    @Test func `PR8: a case without values is shown by its name, and what a type says of itself is not`() {
        log().error("\(error: CanaryCase.conflict)")
        log().error("\(error: DescribedCase.one)")
        log().error("\(error: ReflectedCase.one("canary"))")
        #expect(sink.lines[0] == "CanaryCase.conflict")
        #expect(sink.lines.allSatisfy { !$0.contains("canary") }, "\(sink.lines)")
    }

    @Test func `PR8: of an error of Foundation neither its text nor its userInfo is shown`() {
        let info: [String: Any] = [
            NSLocalizedDescriptionKey: "canary one", "NSErrorFailingURLStringKey": "https://canary.example/two",
        ]
        log().error("\(error: NSError(domain: "org.example.files", code: 7, userInfo: info))")
        log().error("\(error: URLError(.timedOut, userInfo: info))")
        #expect(sink.lines.count == 2 && sink.lines.allSatisfy { !$0.contains("canary") }, "\(sink.lines)")
    }

    @Test func `PR6: one entry is one line, whatever is in it`() {
        let text = LineEncoding.encoded(Array("a\nb\u{1B}[2J\u{202E}c\u{2028}d\u{0}\u{85}".utf8))
        #expect(!text.contains(10) && !text.contains(0x1B) && !text.contains(0))
        #expect(String(decoding: text, as: UTF8.self) == "a\\u{a}b\\u{1b}[2J\\u{202e}c\\u{2028}d\\u{0}\\u{85}")
    }

    @Test func `PR3: the second net is on in every line`() {
        log().error("literal with jane@example.org in it")
        #expect(sink.lines == ["literal with «email» in it"])
    }

    @Test func `a text is cut at 4096 bytes, at the beginning of a character`() {
        let long = LogOutput(sinks: []).shown(Array((" " + String(repeating: "ä", count: 4000)).utf8))
        #expect(long.count < 4120 && String(validating: long, as: UTF8.self)?.hasSuffix("ä… (cut)") == true)
    }

    @Test(arguments: [
        ("jane.doe@example.org", "jane.d"), ("4111111111111111", "411111"), ("DE89370400440532013000", "DE8937"),
        ("https://ann:pw12@example.org/", "ann:p"),
    ])
    func `PR3: a value that lies across the cut is masked, wherever it is cut`(_ value: String, _ part: String) {
        let output = LogOutput(sinks: [])
        for place in (LineEncoding.limit - value.utf8.count)...LineEncoding.limit {
            let text = String(repeating: ".", count: place - 1) + " " + value + " " + String(repeating: ".", count: 900)
            let shown = String(decoding: output.shown(Array(text.utf8)), as: UTF8.self)
            #expect(shown.hasSuffix("… (cut)") && !shown.contains(part), "\(place): \(shown.suffix(60))")
        }
    }

    @Test func `PR10: what a sink does not take is counted`() {
        let output = LogOutput(sinks: [MemorySink(takes: false), sink])
        Log(subsystem: "a", category: "b", output: output).error("x")
        #expect(output.losses == 1 && sink.lines == ["x"])
    }
}

/// What must not compile. Each program differs from the first one, which compiles, in one line.
@Suite struct `What the compiler refuses of a log` {
    private static let head = """
        import PaviseLog
        import PavisePrimitives
        enum Mood: String { case good }
        let log = Log(subsystem: "org.example", category: "a")
        let text = "a person's"
        let secret = SecretBytes(utf8: text)

        """

    @Test func `what is allowed compiles`() throws {
        let allowed = #"""
            log.error("\(text) \(public: 3) \(public: true) \(public: Duration.seconds(1))")
            log.error("\(hashed: text) \(public: LogCode("a")) \(Mood.good)")
            """#
        #expect(try CompilerCheck.errors(in: Self.head + allowed) == [])
    }

    @Test(
        .long,
        arguments: [
            #"log.error("\(public: text)")"#, #"log.error(text)"#, #"log.error("\(secret)")"#,
            #"log.error("\(public: Mood.good)")"#,
            #"log.error("\(public: LogCode(text))")"#, #"log.error("\(public: [1])")"#, #"log.error("\(public: 1.5)")"#,
            #"log.error(LogMessage(stringLiteral: text))"#, #"extension Mood: LogPublic {}"#,
            #"extension Mood: LogPublic { var logText: String { "" }; "#
                + "static var logPublicProof: LogPublicProof<Mood> { LogPublicProof() } }",
            #"extension Mood: LogPublic { var logText: String { "" }; "#
                + "static var logPublicProof: LogPublicProof<Int> { Int.logPublicProof } }",
            "extension String: @retroactive LogPublic { public var logText: String { self }; "
                + "public static var logPublicProof: LogPublicProof<String> { Int.logPublicProof } }",
            #"let other = Log(subsystem: text, category: "a")"#,
        ])
    func `PR2: text, secrets, types of one's own do not become public`(_ line: String) throws {
        #expect(try CompilerCheck.errors(in: Self.head + line) != [])
    }

    @Test func `the reason is in the message`() throws {
        let errors = try CompilerCheck.errors(in: Self.head + #"log.error("\(public: text)")"#)
        #expect(errors.contains { $0.contains("Text is never public in a log") })
        let secret = try CompilerCheck.errors(in: Self.head + #"log.error("\(secret)")"#)
        #expect(secret.contains { $0.contains("A secret is never in a log") })
    }
}
