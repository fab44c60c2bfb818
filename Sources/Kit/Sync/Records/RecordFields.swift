package import PavisePrimitives

/// The content of a record: named values of JSON (RFC 8259).
///
/// Two contents are equal when they mean the same: neither the order of members nor the form of a number counts.
/// At most 256 KiB, 512 fields, and 16 arrays and objects inside each other.
public struct RecordFields: Hashable, Sendable {
    /// The most bytes.
    public static let sizeLimit = 262_144
    static let depthLimit = 16
    static let countLimit = 512

    /// Stands for what both sides agreed on and is not kept any more: another content than any that an app writes, an
    /// empty one too, so that whatever comes after is sent.
    package static let erased = RecordFields(values: ["~erased": .bool(true)])

    package let values: [String: JSONValue]

    /// No fields.
    public init() { values = [:] }

    package init(values: [String: JSONValue]) { self.values = values.mapValues(Self.canonical) }

    /// Reads an object of JSON.
    ///
    /// - Throws: ``SyncFailure/refused(_:)`` for what is none, is too large or too deep, or has a name twice.
    public init(json: [UInt8]) throws(SyncFailure) {
        let value: JSONValue
        do throws(JSONFailure) {
            value = try JSONValue.parse(json, limit: Self.sizeLimit, depth: Self.depthLimit)
        } catch {
            throw .refused("A record is no JSON that can be read.")
        }
        guard let fields = RecordFields(value) else { throw .refused("A record is an object of JSON.") }
        // Some numbers and letters are longer in the form that is stored: what is too long there is never read again.
        guard json.count <= Self.sizeLimit / Self.mostGrowth || fields.json.count <= Self.sizeLimit else {
            throw .refused("A record is too large.")
        }
        self = fields
    }

    // U+007F is one byte, and six in its escape.
    private static let mostGrowth = 8

    /// Reads an object; `nil` for what is none, or has too many or too deep values. The caller looks at its size.
    package init?(_ value: JSONValue) {
        guard let members = value.members, members.count <= Self.countLimit, Self.isFlat(value, Self.depthLimit) else {
            return nil
        }
        var values: [String: JSONValue] = [:]
        for member in members { values[member.name] = Self.canonical(member.value) }
        guard values.count == members.count else { return nil }
        self.values = values
    }

    package var value: JSONValue {
        .object(values.sorted { Self.precedes($0.key, $1.key) }.map { JSONValue.Member($0.key, $0.value) })
    }

    /// The object as JSON: the same bytes for what is equal.
    public var json: [UInt8] { Array(value.text.utf8) }

    /// The digest of ``json``.
    public var digest: ContentDigest { ContentDigest(of: json) }

    // A record that stands alone in a server's answer is less deep in it than one in a page.
    private static func isFlat(_ value: JSONValue, _ depth: Int) -> Bool {
        guard depth > 0 else { return false }
        switch value {
        case .null, .bool, .number, .string: return true
        case .array(let elements): return elements.allSatisfy { isFlat($0, depth - 1) }
        case .object(let members): return members.allSatisfy { isFlat($0.value, depth - 1) }
        }
    }

    private static func precedes(_ one: String, _ other: String) -> Bool {
        one.utf8.lexicographicallyPrecedes(other.utf8)
    }

    private static func canonical(_ value: JSONValue) -> JSONValue {
        switch value {
        case .null, .bool, .string: value
        case .number(let text): .number(canonical(number: text))
        case .array(let elements): .array(elements.map(canonical))
        case .object(let members):
            .object(
                members.sorted { precedes($0.name, $1.name) }
                    .map { JSONValue.Member($0.name, canonical($0.value)) })
        }
    }

    // Up to 15 digits a double has all of them; what has more keeps its text.
    private static func canonical(number text: String) -> String {
        guard text.utf8.prefix(while: { $0 | 0x20 != 0x65 }).count(where: { (0x30...0x39).contains($0) }) <= 15,
            let value = Double(text), value.isFinite
        else { return text }
        guard value.rounded() == value, abs(value) < 1e15 else { return "\(value)" }
        return "\(Int64(value))"
    }
}

/// What becomes of two versions of a record, given the one that both were made of. Pure, and without a clock.
package enum RecordMerge: Hashable, Sendable {
    /// Both changed other fields, or the same ones to the same: this has all of it.
    case merged(RecordFields)
    /// Both changed these fields, and differently.
    case clash(Set<String>)

    /// Compares field by field (sync/SY9); a field that is not there is a value too.
    package init(base: RecordFields?, here: RecordFields, there: RecordFields) {
        var (values, clashes) = ([String: JSONValue](), Set<String>())
        let before = base?.values ?? [:]
        for name in Set(before.keys).union(here.values.keys).union(there.values.keys) {
            let (old, mine, theirs) = (before[name], here.values[name], there.values[name])
            if mine == theirs || theirs == old {
                values[name] = mine
            } else if mine == old {
                values[name] = theirs
            } else {
                clashes.insert(name)
            }
        }
        let merged = RecordFields(values: values)
        // What no store reads again is no record: both stay for themselves then.
        let isTooLarge = values.count > RecordFields.countLimit || merged.json.count > RecordFields.sizeLimit
        self = clashes.isEmpty && !isTooLarge ? .merged(merged) : .clash(clashes)
    }
}
