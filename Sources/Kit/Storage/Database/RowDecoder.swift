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
    // The type whose own `init(from:)` asks. A number asks for itself then, which would never end.
    var asking: ObjectIdentifier?
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
        guard asking != ObjectIdentifier(type) else { throw mismatch(type) }
        do {
            return try Value(from: ColumnDecoder(value: value, codingPath: codingPath, asking: ObjectIdentifier(type)))
        } catch {
            let wantsSeveral = error is NeedsJSON
            if let found = written(as: type, isWhole: wantsSeveral) { return found }
            guard wantsSeveral else { throw error }
            throw mismatch(type)
        }
    }

    // What ``RowEncoder`` writes by way of JSON: text that is JSON and, for a type that is one value in JSON (an
    // address, a decimal number, a number in a type of its own), that value itself. The latter counts only where it is
    // what would be written: nothing else becomes a value.
    private func written<Value: Decodable>(as type: Value.Type, isWhole: Bool) -> Value? {
        switch value {
        case .text(let text):
            if let found = try? JSONDecoder().decode(type, from: Data(text.utf8)), isWhole || isWritten(found, value) {
                return found
            }
            guard let quoted = try? JSONEncoder().encode(text),
                let found = try? JSONDecoder().decode(type, from: quoted), isWritten(found, value)
            else { return nil }
            return found
        case .integer(let number):
            guard let found = try? JSONDecoder().decode(type, from: Data("\(number)".utf8)), isWritten(found, value)
            else { return nil }
            return found
        case .real(let number):
            // A column of numbers makes a number of the text of one.
            let text = "\(number)"
            guard let found = try? JSONDecoder().decode(type, from: Data(text.utf8)), isWritten(found, .text(text))
            else { return nil }
            return found
        case .null, .blob: return nil
        }
    }

    private func isWritten(_ found: some Decodable, _ stored: SQLValue) -> Bool {
        guard let found = found as? any Encodable else { return false }
        return (try? RowEncoder.column(found)) == stored
    }

    // The column holds one value, and the type wants several.
    private struct NeedsJSON: Error {}

    private func mismatch(_ type: Any.Type) -> DecodingError {
        .typeMismatch(type, .init(codingPath: codingPath, debugDescription: "the column is of another type"))
    }
}
