extension JSONValue {
    /// A value that was encoded as JSON, from the strict parser: Foundation's decoder would parse once more.
    ///
    /// - Throws: `DecodingError` when a member is missing or of another kind.
    package func decoded<Value: Decodable>(as type: Value.Type) throws -> Value {
        try Value(from: ValueDecoder(value: self, codingPath: []))
    }
}

/// One value, and how it is decoded as whatever it is to be.
private struct ValueDecoder: Decoder {
    let value: JSONValue
    let codingPath: [any CodingKey]

    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(Members(members: try of("an object", value.members), codingPath: codingPath))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        Elements(elements: try of("an array", value.array), codingPath: codingPath)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    private func of<Wanted>(_ kind: String, _ wanted: Wanted?) throws -> Wanted {
        guard let wanted else {
            throw DecodingError.typeMismatch(
                Wanted.self, DecodingError.Context(codingPath: codingPath, debugDescription: "This is not \(kind)."))
        }
        return wanted
    }

    private func whole<Integer: FixedWidthInteger>(_ type: Integer.Type) throws -> Integer {
        guard case .number(let text) = value else { return try of("a number", nil) }
        return try of("a whole number of this size", Integer(text))
    }

    // Swift reads 1e999 as infinity, which no JSON says and `Int` traps at. Foundation refuses it as well.
    private func floating<Real: BinaryFloatingPoint & LosslessStringConvertible>(_ type: Real.Type) throws -> Real {
        guard case .number(let text) = value else { return try of("a number", nil) }
        return try of("a number of this size", Real(text).flatMap { $0.isFinite ? $0 : nil })
    }
}

extension ValueDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { value == .null }
    func decode(_ type: Bool.Type) throws -> Bool { try of("true or false", value.bool) }
    func decode(_ type: String.Type) throws -> String { try of("a text", value.string) }
    func decode(_ type: Float.Type) throws -> Float { try floating(type) }
    func decode(_ type: Double.Type) throws -> Double { try floating(type) }
    func decode(_ type: Int.Type) throws -> Int { try whole(type) }
    func decode(_ type: Int8.Type) throws -> Int8 { try whole(type) }
    func decode(_ type: Int16.Type) throws -> Int16 { try whole(type) }
    func decode(_ type: Int32.Type) throws -> Int32 { try whole(type) }
    func decode(_ type: Int64.Type) throws -> Int64 { try whole(type) }
    func decode(_ type: UInt.Type) throws -> UInt { try whole(type) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try whole(type) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try whole(type) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try whole(type) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try whole(type) }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try Value(from: self) }
}

/// The members of an object.
private struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let members: [JSONValue.Member]
    let codingPath: [any CodingKey]

    var allKeys: [Key] { members.compactMap { Key(stringValue: $0.name) } }

    func contains(_ key: Key) -> Bool { members.contains { $0.name == key.stringValue } }

    func decodeNil(forKey key: Key) throws -> Bool { try decoder(key).decodeNil() }

    // One for every type that the protocol names.
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try Value(from: try decoder(key))
    }

    func nestedContainer<Nested>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> { try decoder(key).container(keyedBy: type) }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { ValueDecoder(value: .object(members), codingPath: codingPath) }

    func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }

    private func decoder(_ key: Key) throws -> ValueDecoder {
        guard let member = members.first(where: { $0.name == key.stringValue }) else {
            throw DecodingError.keyNotFound(
                key, DecodingError.Context(codingPath: codingPath, debugDescription: "There is no member of this name.")
            )
        }
        return ValueDecoder(value: member.value, codingPath: codingPath + [key])
    }
}

/// The elements of an array.
private struct Elements: UnkeyedDecodingContainer {
    let elements: [JSONValue]
    let codingPath: [any CodingKey]
    private(set) var currentIndex = 0

    init(elements: [JSONValue], codingPath: [any CodingKey]) {
        self.elements = elements
        self.codingPath = codingPath
    }

    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex == elements.count }

    mutating func decodeNil() throws -> Bool {
        guard try next().decodeNil() else { return false }
        currentIndex += 1
        return true
    }

    // One for every type that the protocol names.
    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let value = try Value(from: try next())
        currentIndex += 1
        return value
    }

    mutating func nestedContainer<Nested>(keyedBy type: Nested.Type) throws -> KeyedDecodingContainer<Nested> {
        let container = try next().container(keyedBy: type)
        currentIndex += 1
        return container
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let container = try next().unkeyedContainer()
        currentIndex += 1
        return container
    }

    mutating func superDecoder() throws -> any Decoder {
        let decoder = try next()
        currentIndex += 1
        return decoder
    }

    private func next() throws -> ValueDecoder {
        guard !isAtEnd else {
            throw DecodingError.valueNotFound(
                JSONValue.self,
                DecodingError.Context(codingPath: codingPath, debugDescription: "The array is at its end."))
        }
        return ValueDecoder(value: elements[currentIndex], codingPath: codingPath)
    }
}
