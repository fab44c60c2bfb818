import AuditCore
import AuditDriver
import AuditEvidence
import Foundation
import Testing

/// What evidence writes and takes is what Documentation/evidence.schema.json says.
@Suite struct SchemaTests {
    private static var worker: [String] {
        let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        return [own.appendingPathComponent("pavise-audit").path, "--worker"]
    }

    private static let maker = """
        {"subject": {"name": "Diary", "version": "1.4", "build": "210"},
         "notApplicable": [
           {"requirement": "O.Paid_1", "reason": "nothing is sold", "person": "A. Person", "date": "2026-11-25"}],
         "accepted": [{"fingerprint": "\(String(repeating: "0a", count: 32))", "reason": "old server",
           "owner": "A. Person", "date": "2026-11-25", "review": "2026-11-26"}],
         "leftOut": [{"requirement": "O.Data_7", "reason": "works without a server", "owner": "A. Person",
           "date": "2026-11-25", "review": "2027-11-25"}],
         "references": [{"requirement": "O.Arch_1", "title": "Concept", "digest": "sha256:00", "person": "A. Person"}]}
        """
    private static let results = [
        #"{"requirement":"O.Auth_15","kind":"kit-test","check":"T","outcome":"agrees","claim":"c","version":"2"}"#,
        #"{"requirement":"O.Auth_15","kind":"app-test","check":"U","outcome":"not run"}"#,
        #"{"requirement":"O.Auth_15","kind":"removal","check":"V","outcome":"agrees","inputs":"sha256:1"}"#,
    ]
    private static let app = [
        "A.swift": "func f(password: String) { print(password) } // REQ:TR:O.Arch_1#2\n",
        "B.swift": "func g(token: String) {\n    print(token) // pavise:ignore LOG-SENSITIVE a demo\n}\n",
        "C.swift": "let = \n", "D.m": "int main() {}\n",
        "Tests/E.swift": "func f(password: String) { print(password) }\n",
        "Info.plist": "<plist version=\"1.0\"><dict><key>CFBundleIdentifier</key><string>a</string></dict></plist>\n",
        "app.cdx.json": #"{"bomFormat":"CycloneDX","specVersion":"1.6"}"#, "pavise-audit.json": maker,
    ]

    private func schema() throws -> EvidenceSchema {
        let root = (1...4).reduce(URL(fileURLWithPath: #filePath)) { url, _ in url.deletingLastPathComponent() }
        return try EvidenceSchema(Data(contentsOf: root.appendingPathComponent("Documentation/evidence.schema.json")))
    }

    private func bundle(_ set: String, _ body: (String) throws -> Void) throws {
        let path = NSTemporaryDirectory() + "schema-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: path) }
        for (name, text) in Self.app {
            let place = URL(fileURLWithPath: "\(path)/app/\(name)")
            try FileManager.default.createDirectory(
                at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: place)
        }
        try Data(Self.results.joined(separator: "\n").utf8).write(to: URL(fileURLWithPath: path + "/results"))
        let words = ["\(path)/app", "--standard", set, "--out", "\(path)/out", "--results", "\(path)/results"]
        let program = EvidenceProgram(arguments: words + ["--date", "2026-11-27"], worker: Self.worker)
        try #require(program.run() == 1)
        try body(path + "/out")
    }

    @Test(arguments: Requirement.sets)
    func `each file that evidence writes is as the schema says`(_ set: String) throws {
        let schema = try schema()
        try bundle(set) { path in
            for (name, part) in [
                ("evidence.jsonl", "record"), ("inputs.jsonl", "input"), ("register.json", "register"),
                ("manifest.json", "manifest"), ("run.json", "run"),
            ] {
                let text = try String(contentsOfFile: "\(path)/\(name)", encoding: .utf8)
                let lines = text.split(separator: "\n")
                try #require(!lines.isEmpty)
                for line in lines {
                    #expect(try schema.problems(JSONValue(String(line)), part) == [], "\(name)")
                }
            }
        }
    }

    @Test func `what evidence takes is as the schema says`() throws {
        let schema = try schema()
        #expect(try schema.problems(JSONValue(Self.maker), "maker") == [])
        for line in Self.results { #expect(try schema.problems(JSONValue(line), "result") == []) }
        #expect(try schema.problems(JSONValue(#"{"subject":{"name":"a","commit":"b"}}"#), "maker") != [])
        #expect(try schema.problems(JSONValue(#"{"notAplicable":[]}"#), "maker") != [])
    }

    @Test func `a record with a member too many, too few, or of another form does not fit`() throws {
        let schema = try schema()
        let files = [("/r/A.swift", "func f(password: String) { print(password) }\n")]
        let reports = files.map { Analyzer.analyze(Data($0.1.utf8), file: $0.0, root: "/r/") }
        let builder = EvidenceBuilder(AuditResult(reports: reports, root: "/r/", seconds: 0), .init())
        let found = builder.records("tr-03161-1").first { $0.requirement.id == "O.Source_3" }
        let record = try JSONValue(CanonicalJSON.text(try #require(found)))
        guard case .object(let whole) = record else {
            Issue.record("a record is an object")
            return
        }
        try #require(schema.problems(record, "record") == [])
        for name in whole.keys {
            #expect(schema.problems(.object(whole.filter { $0.key != name }), "record") != [], "without \(name)")
            #expect(schema.problems(.object(whole.merging([name: .flag(true)]) { $1 }), "record") != [], "\(name)")
        }
        let others: [(String, JSONValue)] = [
            ("more", .text("")), ("verdict", .text("certified")), ("schema", .text("pavise-evidence/2")),
            ("digest", .text("sha256:0")), ("needs", .list([.text("luck")])), ("findings", .list([.object([:])])),
            ("claim", .text("")),
        ]
        for (name, value) in others {
            #expect(schema.problems(.object(whole.merging([name: value]) { $1 }), "record") != [], "\(name)")
        }
    }
}

/// A value of JSON, read so that `true` is no number.
private enum JSONValue: Decodable, Hashable {
    case null
    case flag(Bool)
    case number(Double)
    case text(String)
    case list([JSONValue])
    case object([String: JSONValue])

    init(_ text: String) throws { self = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8)) }

    init(from decoder: any Decoder) throws {
        let box = try decoder.singleValueContainer()
        if box.decodeNil() {
            self = .null
        } else if let flag = try? box.decode(Bool.self) {
            self = .flag(flag)
        } else if let number = try? box.decode(Double.self) {
            self = .number(number)
        } else if let text = try? box.decode(String.self) {
            self = .text(text)
        } else if let list = try? box.decode([JSONValue].self) {
            self = .list(list)
        } else {
            self = .object(try box.decode([String: JSONValue].self))
        }
    }
}

/// The part of JSON Schema 2020-12 that the schema of evidence uses; another keyword is a problem.
private struct EvidenceSchema {
    private static let known: Set = [
        "description", "type", "properties", "required", "additionalProperties", "items", "enum", "const", "minimum",
        "minLength", "minProperties", "pattern",
    ]
    private let parts: [String: JSONValue]

    init(_ data: Data) throws {
        guard case .object(let root) = try JSONDecoder().decode(JSONValue.self, from: data),
            case .object(let parts)? = root["$defs"]
        else { throw CocoaError(.propertyListReadCorrupt) }
        self.parts = parts
    }

    func problems(_ value: JSONValue, _ part: String) -> [String] {
        problems(value, .object(["$ref": .text("#/$defs/\(part)")]), part)
    }

    private func problems(_ value: JSONValue, _ schema: JSONValue, _ path: String) -> [String] {
        guard case .object(let schema) = schema else { return ["\(path): the schema is no object"] }
        if case .text(let link)? = schema["$ref"] {
            guard let part = parts[String(link.dropFirst("#/$defs/".count))] else { return ["\(path): no \(link)"] }
            return problems(value, part, path)
        }
        let others = schema.keys.filter { !Self.known.contains($0) }
        guard others.isEmpty else { return ["\(path): \(others.sorted()) is not understood here"] }
        if let kind = schema["type"], !Self.isOf(kind, value) { return ["\(path): another type"] }
        if let only = schema["const"], only != value { return ["\(path): another value"] }
        if case .list(let words)? = schema["enum"], !words.contains(value) { return ["\(path): another word"] }
        switch value {
        case .null, .flag: return []
        case .number(let number):
            if case .number(let least)? = schema["minimum"], number < least { return ["\(path): too small"] }
            return []
        case .text(let text): return problems(text, schema, path)
        case .list(let values):
            guard let items = schema["items"] else { return [] }
            return values.enumerated().flatMap { problems($1, items, "\(path)[\($0)]") }
        case .object(let members): return problems(members, schema, path)
        }
    }

    private func problems(_ text: String, _ schema: [String: JSONValue], _ path: String) -> [String] {
        if case .number(let least)? = schema["minLength"], Double(text.count) < least { return ["\(path): too short"] }
        if case .text(let pattern)? = schema["pattern"], (try? Regex(pattern).firstMatch(in: text)) == nil {
            return ["\(path): “\(text)” is of another form"]
        }
        return []
    }

    private func problems(
        _ members: [String: JSONValue], _ schema: [String: JSONValue], _ path: String
    ) -> [String] {
        var found: [String] = []
        if case .number(let least)? = schema["minProperties"], Double(members.count) < least {
            found.append("\(path): too few members")
        }
        if case .list(let names)? = schema["required"] {
            for case .text(let name) in names where members[name] == nil { found.append("\(path): no \(name)") }
        }
        var own: [String: JSONValue] = [:]
        if case .object(let properties)? = schema["properties"] { own = properties }
        for (name, value) in members.sorted(by: { $0.key < $1.key }) {
            if let property = own[name] {
                found += problems(value, property, "\(path).\(name)")
            } else if let others = schema["additionalProperties"] {
                found += others == .flag(false) ? ["\(path): \(name)"] : problems(value, others, "\(path).\(name)")
            }
        }
        return found
    }

    private static func isOf(_ kind: JSONValue, _ value: JSONValue) -> Bool {
        guard case .text(let kind) = kind else { return false }
        switch value {
        case .null: return kind == "null"
        case .flag: return kind == "boolean"
        case .number(let number): return kind == "number" || (kind == "integer" && number == number.rounded())
        case .text: return kind == "string"
        case .list: return kind == "array"
        case .object: return kind == "object"
        }
    }
}
