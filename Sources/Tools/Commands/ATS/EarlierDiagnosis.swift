internal import PavisePrimitives

/// What an earlier run printed with `--json`, one object a line: a fleet is asked what changed since.
struct EarlierDiagnosis: Sendable {
    /// How a server stands to the earlier run.
    enum Change: Equatable, Sendable {
        /// It was not asked then.
        case new
        case same
        /// What is different, a sentence part each: `conclusion: noExceptionNeeded → exceptionsSuffice`.
        case changed([String])

        /// The value for programs.
        var data: JSONValue {
            switch self {
            case .new: .fields(["kind": "new"])
            case .same: .fields(["kind": "same"])
            case .changed(let what): .fields(["kind": "changed", "what": .array(what.map { .string($0) })])
            }
        }
    }

    /// A line that is no diagnosis.
    struct Unreadable: Error { let line: Int }

    /// 100,000 servers fit.
    static let limit = 512 << 20
    private static let longestLine = 64 << 10
    /// The members that are compared. How many handshakes it took, and the words of a verdict, may differ at each run.
    private static let compared: [(name: String, path: [String])] = [
        ("conclusion", ["conclusion"]), ("exceptions", ["exceptions"]), ("version", ["negotiated", "version"]),
        ("suite", ["negotiated", "suite"]), (key, ["spki"]), ("redirectsToHTTPS", ["plainHTTP", "redirectsToHTTPS"]),
    ]
    private static let key = "key"

    private var servers: [String: [JSONValue?]] = [:]

    /// Reads the lines of an earlier run.
    ///
    /// - Throws: ``Unreadable``: a comparison with half a file would call servers new that are not.
    init(_ bytes: [UInt8]) throws(Unreadable) {
        for (index, line) in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated()
        where !line.isEmpty {
            guard let object = try? JSONValue.parse(Array(line), limit: Self.longestLine, depth: 16),
                let url = object["url"]?.string, object["conclusion"]?.string != nil
            else { throw Unreadable(line: index + 1) }
            servers[url] = Self.values(object)
        }
    }

    /// What is different now.
    func change(_ report: DiagnosisReport) -> Change {
        guard let before = servers["\(report.url)"] else { return .new }
        let differences = zip(Self.compared, zip(before, Self.values(report.data))).compactMap {
            field, pair -> String? in
            // A key that was not seen, or not told by an earlier version, is no other key.
            guard pair.0 != pair.1, field.name != Self.key || pair.0?.string != nil && pair.1?.string != nil else {
                return nil
            }
            return "\(field.name): \(Self.words(pair.0)) → \(Self.words(pair.1))"
        }
        return differences.isEmpty ? .same : .changed(differences)
    }

    /// The servers of the earlier run that were not asked now, by name.
    func gone(_ reports: [DiagnosisReport]) -> [String] {
        Set(servers.keys).subtracting(reports.map { "\($0.url)" }).sorted()
    }

    private static func values(_ object: JSONValue) -> [JSONValue?] {
        compared.map { field in field.path.reduce(object as JSONValue?) { $0?[$1] } }
    }

    private static func words(_ value: JSONValue?) -> String {
        value.map { Printable.text($0.string ?? $0.text) } ?? "unknown"
    }
}
