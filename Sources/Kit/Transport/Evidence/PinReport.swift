internal import PavisePrimitives

/// What a set of pins refused about one server: for a log, for a collector of reports (RFC 7469 §3), or for a trial
/// before the set is enforced.
public struct PinReport: Hashable, Sendable {
    /// What was found.
    public enum Result: Int, Hashable, Sendable {
        /// No pin is in the chain.
        case noMatchingPin = 1
        /// The chain fails the rules for servers as well.
        case invalidChain = 2
    }

    /// Seconds since 1970.
    public let seconds: Int64
    /// The server.
    public let origin: Origin
    /// The host of the set that covers the server.
    public let notedHost: String
    /// Whether the set covers names below that host.
    public let includesSubdomains: Bool
    /// Whether the connection was refused for it.
    public let isEnforced: Bool
    /// What was found.
    public let result: Result
    /// The keys that the set knows.
    public let knownPins: Set<Pin>
    /// When the set ends, in seconds since 1970; `nil` for never.
    public let expires: Int64?
    /// The keys of the path that was built, the leaf first.
    public let path: [Pin]
    /// The certificates of that path, DER.
    public let validated: [[UInt8]]

    /// Who sends a report: TrustKit's collectors ask for it.
    public struct Sender: Hashable, Sendable {
        /// For example `org.example.app`.
        public var application: String
        /// For example `1.4`.
        public var version: String
        /// A random name of this installation, without any other meaning.
        public var installation: String
        /// For example `Linux`.
        public var platform: String

        /// A sender from its parts.
        public init(application: String, version: String, installation: String = "", platform: String = "Linux") {
            self.application = application
            self.version = version
            self.installation = installation
            self.platform = platform
        }
    }

    /// The report as JSON with the names of TrustKit's reports, which follow RFC 7469 §3.
    public func json(from sender: Sender) -> String {
        var members: [JSONValue.Member] = [
            .init("app-bundle-id", .string(sender.application)), .init("app-version", .string(sender.version)),
            .init("app-vendor-id", .string(sender.installation)), .init("app-platform", .string(sender.platform)),
            .init("date-time", .string(HTTPDate.text(seconds))), .init("hostname", .string(origin.host)),
            .init("port", .number(String(origin.port))), .init("noted-hostname", .string(notedHost)),
            .init("include-subdomains", .bool(includesSubdomains)), .init("enforce-pinning", .bool(isEnforced)),
            .init("validated-certificate-chain", .array(validated.map { .string(Self.pem($0)) })),
            .init("known-pins", .array(knownPins.map(\.base64).sorted().map { .string("pin-sha256=\"\($0)\"") })),
            .init("validation-result", .number(String(result.rawValue))),
        ]
        if let expires { members.append(.init("effective-expiration-date", .string(HTTPDate.text(expires)))) }
        return JSONValue.object(members).text
    }

    // RFC 7468 §5.
    private static func pem(_ der: [UInt8]) -> String {
        var rest = Base64.encode(der)[...]
        var lines = ["-----BEGIN CERTIFICATE-----"]
        while !rest.isEmpty {
            lines.append(String(rest.prefix(64)))
            rest = rest.dropFirst(64)
        }
        return (lines + ["-----END CERTIFICATE-----", ""]).joined(separator: "\n")
    }
}

extension PinSet {
    /// What each set that covers `origin` and is not over has to report; empty when all of them are met. Enforced sets
    /// are taken together, as ``match(_:host:path:certificates:at:)`` does: where one of them lets the server through,
    /// the others have refused nothing.
    public static func reports(
        _ sets: [PinSet], on chain: EvaluatedChain, at origin: Origin, seconds: Int64
    ) -> [PinReport] {
        let isRefused =
            switch match(sets, host: origin.host, path: chain.path, certificates: chain.certificates, at: seconds) {
            case .mismatch, .expired: true
            case .notPinned, .matched: false
            }
        return sets.compactMap { set in
            guard set.covers(origin.host), !set.isOver(at: seconds), !set.isMet(by: chain.path, chain.certificates),
                isRefused || set.enforcement == .reportOnly
            else { return nil }
            return PinReport(
                seconds: seconds, origin: origin, notedHost: set.notedHost(for: origin.host),
                includesSubdomains: set.subdomains != .none, isEnforced: set.enforcement == .enforced,
                result: chain.failures.isEmpty ? .noMatchingPin : .invalidChain,
                knownPins: set.leaf.union(set.authority), expires: set.expires, path: chain.path, validated: chain.der)
        }
    }

    // The longest host of the set that covers the name.
    private func notedHost(for host: String) -> String {
        let name = (host.hasSuffix(".") ? String(host.dropLast()) : host).lowercased()
        let fitting = hosts.filter { name == $0 || name.hasSuffix(".\($0)") }
        return fitting.max { ($0.utf8.count, $0) < ($1.utf8.count, $1) } ?? name
    }
}

/// Which reports are sent: one a day for each noted host, enforcement and result. A pure value.
public struct PinReportLimit: Hashable, Sendable {
    private struct Subject: Hashable {
        let host: String
        let isEnforced: Bool
        let result: PinReport.Result
    }
    private var sent: [Subject: Int64] = [:]

    /// Nothing was sent yet.
    public init() {}

    /// Whether `report` is to be sent; says so once within 86,400 s. What was sent at a time to come, by a clock that
    /// was set back since, counts for nothing.
    public mutating func admits(_ report: PinReport) -> Bool {
        sent = sent.filter { (0..<86_400).contains(report.seconds &- $0.value) }
        let subject = Subject(host: report.notedHost, isEnforced: report.isEnforced, result: report.result)
        guard sent[subject] == nil, sent.count < 1000 else { return false }
        sent[subject] = report.seconds
        return true
    }
}
