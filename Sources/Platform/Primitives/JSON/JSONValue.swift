/// A JSON value (RFC 8259) as it was sent: members keep their order, numbers keep their text.
package indirect enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    /// The number's own text, so that nothing is rounded on the way.
    case number(String)
    case string(String)
    case array([JSONValue])
    case object([Member])

    /// One member of an object.
    package struct Member: Hashable, Sendable {
        package let name: String
        package let value: JSONValue

        package init(_ name: String, _ value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    /// The member `name` of an object; `nil` when there is none, or when this is no object.
    package subscript(name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }

    /// The text of a string.
    package var string: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    /// The value of a number that is whole and fits 64 bits.
    package var integer: Int64? {
        guard case .number(let text) = self else { return nil }
        if let whole = Int64(text) { return whole }
        guard let value = Double(text), value.rounded() == value, abs(value) < 9e15 else { return nil }
        return Int64(value)
    }

    /// The value of `true` or `false`.
    package var bool: Bool? {
        guard case .bool(let value) = self else { return nil }
        return value
    }

    /// The elements of an array.
    package var array: [JSONValue]? {
        guard case .array(let elements) = self else { return nil }
        return elements
    }

    /// The members of an object.
    package var members: [Member]? {
        guard case .object(let members) = self else { return nil }
        return members
    }

    /// A number from an integer.
    package static func integer(_ value: some BinaryInteger) -> JSONValue { .number(String(value)) }

    /// An object from pairs; a pair whose value is `nil` is left out.
    package static func fields(_ pairs: KeyValuePairs<String, JSONValue?>) -> JSONValue {
        .object(pairs.compactMap { name, value in value.map { Member(name, $0) } })
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByArrayLiteral
{
    package init(stringLiteral value: String) { self = .string(value) }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(integerLiteral value: Int) { self = .number(String(value)) }
    package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
}
