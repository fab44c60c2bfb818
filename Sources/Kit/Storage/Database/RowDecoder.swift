internal import Foundation
internal import PaviseProtectedStorage

/// Decodes a row: scalars, dates, bytes, identifiers and raw values from their columns; anything else from JSON text.
struct RowDecoder: Decoder {
    let row: DatabaseRow
    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(Columns(row: row))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        throw DecodingError.typeMismatch([Any].self, .init(codingPath: [], debugDescription: "a row is no list"))
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        guard let value = row.values.first, row.values.count == 1 else {
            throw DecodingError.typeMismatch(Any.self, .init(codingPath: [], debugDescription: "a row of one column"))
        }
        return ColumnDecoder(value: value, codingPath: [])
    }

    private struct Columns<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let row: DatabaseRow
        let codingPath: [any CodingKey] = []
        var allKeys: [Key] { row.columns.compactMap(Key.init(stringValue:)) }

        func contains(_ key: Key) -> Bool { row.columns.contains(key.stringValue) }
        func decodeNil(forKey key: Key) throws -> Bool { try value(key) == .null }

        func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
            try ColumnDecoder(value: value(key), codingPath: [key]).decode(type)
        }

        func nestedContainer<Other: CodingKey>(
            keyedBy type: Other.Type, forKey key: Key
        ) throws -> KeyedDecodingContainer<Other> { throw refused(key) }
        func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { throw refused(key) }
        func superDecoder() throws -> any Decoder { RowDecoder(row: row) }
        func superDecoder(forKey key: Key) throws -> any Decoder { throw refused(key) }

        private func value(_ key: Key) throws -> SQLValue {
            guard let index = row.columns.firstIndex(of: key.stringValue) else {
                throw DecodingError.keyNotFound(key, .init(codingPath: [key], debugDescription: "no such column"))
            }
            return row.values[index]
        }

        private func refused(_ key: Key) -> DecodingError {
            .typeMismatch(Any.self, .init(codingPath: [key], debugDescription: "a column holds one value"))
        }
    }
}

/// Decodes the value of one column.
struct ColumnDecoder: Decoder, SingleValueDecodingContainer {
    let value: SQLValue
    let codingPath: [any CodingKey]
    let userInfo: [CodingUserInfoKey: Any] = [:]

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> { throw NeedsJSON() }
    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw NeedsJSON() }
    func singleValueContainer() -> any SingleValueDecodingContainer { self }
    func decodeNil() -> Bool { value == .null }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        if let type = type as? any SQLConvertible.Type {
            guard let value = type.init(sqlValue: value) as? Value else { throw mismatch(Value.self) }
            return value
        }
        if type == Float.self, let value = Double(sqlValue: value).map(Float.init) as? Value { return value }
        if type == UInt.self, let value = Int(sqlValue: value).flatMap(UInt.init(exactly:)) as? Value { return value }
        if type == UInt64.self, let value = Int64(sqlValue: value).flatMap(UInt64.init(exactly:)) as? Value {
            return value
        }
        do {
            return try Value(from: self)
        } catch is NeedsJSON {
            guard let text = String(sqlValue: value) else { throw mismatch(Value.self) }
            do {
                return try JSONDecoder().decode(Value.self, from: Data(text.utf8))
            } catch {
                throw mismatch(Value.self)
            }
        }
    }

    // The column holds one value, and the type wants several.
    private struct NeedsJSON: Error {}

    private func mismatch(_ type: Any.Type) -> DecodingError {
        .typeMismatch(type, .init(codingPath: codingPath, debugDescription: "the column is of another type"))
    }
}
