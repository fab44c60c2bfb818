internal import PavisePrimitives

/// The rules as they were read, with the members of each object by name: the same text for the same rules, whatever
/// their order. It tells two states apart, and is no part of what the rules say.
package struct ManagedForm: Hashable, Sendable {
    /// JSON.
    package let text: String

    init(_ value: JSONValue) { text = Self.ordered(value).text }

    private static func ordered(_ value: JSONValue) -> JSONValue {
        switch value {
        case .array(let elements): return .array(elements.map(ordered))
        case .object(let members):
            let ordered = members.map { JSONValue.Member($0.name, Self.ordered($0.value)) }
            return .object(ordered.sorted { $0.name < $1.name })
        case .null, .bool, .number, .string: return value
        }
    }

    package static func == (one: Self, other: Self) -> Bool { true }
    package func hash(into hasher: inout Hasher) {}
}
