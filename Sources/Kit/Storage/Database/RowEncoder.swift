internal import Foundation
internal import PaviseProtectedStorage

/// Encodes a value as the columns of a row: the opposite of ``RowDecoder``.
final class RowEncoder: Encoder {
    private(set) var columns: [(name: String, value: SQLValue)] = []
    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]

    /// The columns of `row`. Their names are checked, since the keys of some types are made at run time.
    static func columns(
        of row: some Encodable
    ) throws(ProtectedDatabaseError) -> [(name: String, value: SQLValue)] {
        let encoder = RowEncoder()
        do {
            try row.encode(to: encoder)
        } catch let error as ProtectedDatabaseError {
            throw error
        } catch {
            throw .column("\(type(of: row))")
        }
        for column in encoder.columns where !isName(column.name) { throw .column("?") }
        guard !encoder.columns.isEmpty else { throw .column("\(type(of: row))") }
        return encoder.columns
    }

    private static func isName(_ name: String) -> Bool {
        guard let first = name.utf8.first, name.utf8.count <= 128, !(0x30...0x39).contains(first) else { return false }
        return name.utf8.allSatisfy { byte in
            (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x5f
        }
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(Columns(encoder: self))
    }
    func unkeyedContainer() -> any UnkeyedEncodingContainer { JSONOnly() }
    func singleValueContainer() -> any SingleValueEncodingContainer { JSONOnly() }

    /// What a column holds of `value`.
    static func column(_ value: some Encodable) throws -> SQLValue {
        if let value = value as? any SQLConvertible { return value.sqlValue }
        if let value = value as? Float { return Double(value).sqlValue }
        if let value = value as? UInt, let number = Int64(exactly: value) { return .integer(number) }
        if let value = value as? UInt64, let number = Int64(exactly: value) { return .integer(number) }
        let data = try JSONEncoder().encode(value)
        // A type with one raw value of its own is stored as that.
        if let raw = try? JSONDecoder().decode(String.self, from: data) { return .text(raw) }
        if let number = try? JSONDecoder().decode(Int64.self, from: data) { return .integer(number) }
        return .text(String(decoding: data, as: UTF8.self))
    }

    fileprivate func add(_ name: String, _ value: SQLValue) { columns.append((name, value)) }

    private struct Columns<Key: CodingKey>: KeyedEncodingContainerProtocol {
        let encoder: RowEncoder
        let codingPath: [any CodingKey] = []

        mutating func encodeNil(forKey key: Key) { encoder.add(key.stringValue, .null) }

        mutating func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
            encoder.add(key.stringValue, try RowEncoder.column(value))
        }

        // The synthesized code leaves out what is nil, and a row has all of its columns.
        mutating func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws {
            encoder.add(key.stringValue, try column(value))
        }

        private func column(_ value: (some Encodable)?) throws -> SQLValue {
            guard let value else { return .null }
            return try RowEncoder.column(value)
        }

        mutating func nestedContainer<Other: CodingKey>(
            keyedBy type: Other.Type, forKey key: Key
        ) -> KeyedEncodingContainer<Other> { KeyedEncodingContainer(JSONOnly.Keyed<Other>()) }
        mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { JSONOnly() }
        mutating func superEncoder() -> any Encoder { encoder }
        mutating func superEncoder(forKey key: Key) -> any Encoder { encoder }
    }
}

/// Takes what is no row, and refuses it.
private struct JSONOnly: UnkeyedEncodingContainer, SingleValueEncodingContainer {
    let codingPath: [any CodingKey] = []
    let count = 0
    func encodeNil() throws { throw ProtectedDatabaseError.column("?") }
    func encode(_ value: some Encodable) throws { throw ProtectedDatabaseError.column("?") }
    func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(Keyed<Key>())
    }
    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { self }
    func superEncoder() -> any Encoder { RowEncoder() }

    struct Keyed<Key: CodingKey>: KeyedEncodingContainerProtocol {
        let codingPath: [any CodingKey] = []
        mutating func encodeNil(forKey key: Key) throws { throw ProtectedDatabaseError.column(key.stringValue) }
        mutating func encode(_ value: some Encodable, forKey key: Key) throws {
            throw ProtectedDatabaseError.column(key.stringValue)
        }
        mutating func nestedContainer<Other: CodingKey>(
            keyedBy type: Other.Type, forKey key: Key
        ) -> KeyedEncodingContainer<Other> { KeyedEncodingContainer(Keyed<Other>()) }
        mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { JSONOnly() }
        mutating func superEncoder() -> any Encoder { RowEncoder() }
        mutating func superEncoder(forKey key: Key) -> any Encoder { RowEncoder() }
    }
}
