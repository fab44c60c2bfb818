package import PavisePrimitives

extension AuditEntry {
    /// The entry as an object.
    package var data: JSONValue {
        .fields([
            "number": .integer(number), "time": .string(LogTime.text(milliseconds: milliseconds)),
            "event": .string(name),
            "facts": .object(facts.sorted { $0.key < $1.key }.map { .init($0.key, .string($0.value)) }),
        ])
    }

    /// The most bytes of a fact that are kept.
    private static let longestFact = 256

    /// What is sealed of an event.
    static func plain(_ event: AuditEvent, at milliseconds: Int64) -> [UInt8] {
        let masker = Masker()
        let facts = event.facts.sorted { $0.key < $1.key }.prefix(16).map { fact in
            // As much of it as the masker looks at, and no more of a text that may be anybody's.
            let value = Array(fact.value.utf8.prefix(Self.longestFact + 1024))
            let text = LineEncoding.encoded(masker.beginning(of: value, upTo: Self.longestFact))
            return JSONValue.Member(fact.key, .string(String(decoding: text, as: UTF8.self)))
        }
        return Array(
            JSONValue.fields([
                "t": .integer(milliseconds), "e": .string(event.name.rawValue), "f": .object(facts),
            ]).text.utf8)
    }

    /// Reads what ``plain(_:at:)`` gave; `nil` for anything else.
    init?(_ number: UInt64, _ plain: [UInt8]) {
        guard let value = try? JSONValue.parse(plain, limit: SealedRecords.longestRecord, depth: 4),
            case .object(let members) = value
        else { return nil }
        self.number = number
        var time: Int64?
        var name: String?
        var facts: [String: String] = [:]
        for member in members {
            switch (member.name, member.value) {
            case ("t", .number(let text)): time = Int64(text)
            case ("e", .string(let text)): name = text
            case ("f", .object(let found)):
                for fact in found {
                    guard case .string(let text) = fact.value else { return nil }
                    facts[fact.name] = text
                }
            default: return nil
            }
        }
        guard let time, let name else { return nil }
        milliseconds = time
        self.name = name
        self.facts = facts
    }
}
