/// Writes security events to a log: the event's name, which is documented at ``AuditEvent/Name``, its counts
/// and rules, and of other facts digits under the output's key alone, or `«hashed»` where it has none.
///
/// ```swift
/// let events = EventLog(LogOutput(sinks: [SystemLog()], key: try .ofInstallation()))
/// events.record(AuditEvent(.serverRefused, ["server": "https://cloud.example.org"]))
/// // server.refused server=«hashed 5f1d2c9a»
/// ```
///
/// What an administrator has to look at is an `error` and therefore in release builds; the rest is a `notice` and is
/// not.
public struct EventLog: AuditRecorder {
    private let log: Log

    /// Events on their way to `output`.
    public init(_ output: LogOutput) {
        log = Log(subsystem: "org.pavise", category: "security", output: output)
    }

    /// Writes one line. It does not wait, and what a sink does not take is counted by ``LogOutput/losses``.
    public func record(_ event: AuditEvent) {
        if event.name.isAlarming {
            log.error("\(public: event.name) \(facts: event.facts)")
        } else {
            log.notice("\(public: event.name) \(facts: event.facts)")
        }
    }
}

extension AuditEvent.Name: LogPublic {
    /// The name.
    public var logText: String { rawValue }
    /// See ``LogPublic``.
    public static var logPublicProof: LogPublicProof<Self> { LogPublicProof() }

    /// Whether it stands in the log of a release build.
    public var isAlarming: Bool {
        switch self {
        case .pinWrong, .wipeBegun, .wipeDone, .orderTaken, .orderRefused, .serverRefused, .sessionEnded,
            .sessionDegraded, .deviceFindings, .pinReported, .screenshotTaken, .screenCaptured, .errorTold,
            .trailLost, .trailDamaged:
            true
        case .pinSet, .pinChanged, .pinRemoved, .unlocked, .serverApproved, .policyChanged, .trailStarted,
            .sessionRefreshed, .signedIn, .signedOut, .accountRemoved, .locked:
            false
        }
    }
}

extension LogMessage.StringInterpolation {
    // The names of facts are literals of this package. Their values are anybody's, but for those that this package
    // makes of counts and of the names of cases and rules.
    mutating func appendInterpolation(facts: [String: String]) {
        for (index, fact) in facts.sorted(by: { $0.key < $1.key }).enumerated() {
            appendText("\(index == 0 ? "" : " ")\(fact.key)=")
            if Self.ownFacts.contains(fact.key), fact.value.utf8.allSatisfy(Self.isPlain) {
                appendText(fact.value)
            } else {
                appendInterpolation(hashed: fact.value)
            }
        }
    }

    private static let ownFacts: Set = ["action", "count", "error", "failures", "rules", "support"]

    static func isPlain(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || byte == 0x2D || byte == 0x20
    }

    private mutating func appendText(_ text: String) { self.text += text.utf8 }
}
