extension PropertyListValue {
    /// The same value as a property list: `true` and `false` are Booleans, whole numbers integers; `null` is
    /// ``Kind/other``.
    package init(json: JSONValue) {
        switch json {
        case .null: self.init(.other)
        case .bool(let value): self.init(.bool(value))
        case .number(let text):
            self.init(json.integer.map { .integer($0) } ?? .real(Double(text) ?? .nan))
        case .string(let text): self.init(.string(text))
        case .array(let elements): self.init(.array(elements.map { PropertyListValue(json: $0) }))
        case .object(let members):
            self.init(.dictionary(members.map { Member($0.name, PropertyListValue(json: $0.value)) }))
        }
    }
}
