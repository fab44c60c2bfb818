/// A value of a property list, with the line it stands on.
package struct PropertyListValue: Hashable, Sendable {
    /// The types of Apple's property lists.
    package indirect enum Kind: Hashable, Sendable {
        case string(String)
        /// An integer; what does not fit 64 bits becomes a real number.
        case integer(Int64)
        case real(Double)
        case bool(Bool)
        /// A date as ISO 8601 text (XML), or as seconds since 2001 (binary).
        case date(String)
        case data([UInt8])
        case array([PropertyListValue])
        case dictionary([Member])
        /// A place in the list of objects of a keyed archive: nothing that Info.plist uses.
        case reference(Int)
        /// A null or a set: nothing that Info.plist uses.
        case other
    }

    /// One entry of a dictionary.
    package struct Member: Hashable, Sendable {
        package let name: String
        /// The line of the key; `nil` in a binary list.
        package let line: Int?
        package let value: PropertyListValue

        package init(_ name: String, line: Int? = nil, _ value: PropertyListValue) {
            self.name = name
            self.line = line
            self.value = value
        }
    }

    package let kind: Kind
    /// The line where the value begins, from 1; `nil` in a binary list.
    package let line: Int?

    package init(_ kind: Kind, line: Int? = nil) {
        self.kind = kind
        self.line = line
    }

    /// The value of a key, the last one where a key is repeated; `nil` when there is none or this is no dictionary.
    package subscript(name: String) -> PropertyListValue? { member(name)?.value }

    /// The entry of a key, the last one where a key is repeated.
    package func member(_ name: String) -> Member? { members?.last { $0.name == name } }

    /// The entries of a dictionary in their order.
    package var members: [Member]? {
        guard case .dictionary(let members) = kind else { return nil }
        return members
    }

    /// The elements of an array.
    package var array: [PropertyListValue]? {
        guard case .array(let elements) = kind else { return nil }
        return elements
    }

    /// The text of a string.
    package var string: String? {
        guard case .string(let text) = kind else { return nil }
        return text
    }

    /// What a number object says when it is compared with `true`, as CoreFoundation does; `nil` for any other type.
    ///
    /// The integer 1 and the real number 1 are true. The integer 2 is false, and so is every other number.
    package var truth: Bool? {
        switch kind {
        case .bool(let value): value
        case .integer(let value): value == 1
        case .real(let value): value == 1
        default: nil
        }
    }

    /// The name of the type, for messages.
    package var typeName: String {
        switch kind {
        case .string: "string"
        case .integer: "integer"
        case .real: "real number"
        case .bool: "Boolean"
        case .date: "date"
        case .data: "data"
        case .array: "array"
        case .dictionary: "dictionary"
        case .reference, .other: "other type"
        }
    }
}
