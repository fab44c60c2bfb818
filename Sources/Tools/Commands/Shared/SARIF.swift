internal import PaviseIntegrity
internal import PavisePrimitives

/// A log in the Static Analysis Results Interchange Format, version 2.1.0 (OASIS), with one run.
struct SARIF {
    /// A rule that the tool knows.
    struct Rule {
        let id: String
        let summary: String
        let level: Level
    }

    /// How much a result matters.
    enum Level: String {
        case error, warning, note
    }

    /// One result.
    struct Result {
        let rule: String
        let level: Level
        let text: String
        /// A URI reference: an address, or a path that ``SARIF/reference(_:)`` has encoded.
        let place: String
        /// The line from 1; `nil` where there is none.
        let line: Int?
    }

    let rules: [Rule]
    let results: [Result]

    /// The log.
    var log: JSONValue {
        .fields([
            "$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0",
            "runs": .array([.fields(["tool": .fields(["driver": driver]), "results": .array(results.map(value))])]),
        ])
    }

    private var driver: JSONValue {
        .fields([
            "name": "pavise", "version": .string(BuildFacts.version),
            "rules": .array(
                rules.map { rule in
                    .fields([
                        "id": .string(rule.id), "shortDescription": .fields(["text": .string(rule.summary)]),
                        "defaultConfiguration": .fields(["level": .string(rule.level.rawValue)]),
                    ])
                }),
        ])
    }

    private func value(_ result: Result) -> JSONValue {
        let region: JSONValue? = result.line.map { .fields(["startLine": .integer($0)]) }
        let place = JSONValue.fields([
            "artifactLocation": .fields(["uri": .string(result.place)]), "region": region,
        ])
        return .fields([
            "ruleId": .string(result.rule),
            "ruleIndex": rules.firstIndex { $0.id == result.rule }.map { .integer($0) },
            "level": .string(result.level.rawValue), "message": .fields(["text": .string(result.text)]),
            "locations": .array([.fields(["physicalLocation": place])]),
        ])
    }

    /// A path as a URI reference (RFC 3986): what is not allowed in a path is percent-encoded.
    static func reference(_ path: String) -> String {
        path.utf8.map { byte -> String in
            let isPlain =
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || "-._~/".utf8.contains(byte)
            guard !isPlain else { return String(UnicodeScalar(byte)) }
            return "%" + Hex.encode([byte]).uppercased()
        }.joined()
    }
}
