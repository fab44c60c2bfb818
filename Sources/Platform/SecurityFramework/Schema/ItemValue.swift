internal import Foundation
internal import PavisePrimitives

/// A value of an attribute.
package enum ItemValue: Hashable, Sendable {
    /// A text.
    case text(String)
    /// Bytes.
    case data([UInt8])
    /// A number; truth values are 0 and 1.
    case number(Int64)
    /// Seconds since 2001-01-01T00:00:00Z.
    case date(Double)

    /// What is compared: a text and bytes with the same content are equal.
    var comparedBytes: [UInt8] {
        switch self {
        case .text(let text): Array(text.utf8)
        case .data(let bytes): bytes
        case .number(let number): Array(String(number).utf8)
        case .date(let seconds): Array(String(seconds.bitPattern).utf8)
        }
    }

    /// The object that the caller of the keychain gets.
    package var object: AnyObject {
        switch self {
        case .text(let text): text as NSString
        case .data(let bytes): Data(bytes) as NSData
        case .number(let number): NSNumber(value: number)
        case .date(let seconds): Date(timeIntervalSinceReferenceDate: seconds) as NSDate
        }
    }
}

/// The stored form of a set of values: number of entries, then code, kind, length and bytes of each.
enum ItemCoding {
    static func encode(_ values: ItemAttributes) -> [UInt8] {
        var writer = ByteWriter()
        writer.integer(UInt16(values.count))
        for (code, value) in values {
            writer.integer(code.number)
            switch value {
            case .text(let text): write(1, Array(text.utf8), to: &writer)
            case .data(let bytes): write(2, bytes, to: &writer)
            case .number(let number): writer.tagged(3, UInt64(bitPattern: number))
            case .date(let seconds): writer.tagged(4, seconds.bitPattern)
            }
        }
        return writer.bytes
    }

    private static func write(_ kind: UInt8, _ bytes: [UInt8], to writer: inout ByteWriter) {
        writer.integer(kind)
        writer.block(bytes)
    }

    /// Reads the stored form; the rest of the bytes stays in `reader`.
    static func decode(_ reader: inout ByteReader) throws(ByteReader.Truncated) -> ItemAttributes {
        let count = Int(try reader.integer(UInt16.self))
        var values = ItemAttributes()
        // Room for 16 entries at most, whatever the stored count claims, and for 4 that callers add.
        values.reserveCapacity(min(count, 16) + 4)
        for _ in 0..<count {
            let code = AttributeCode(number: try reader.integer())
            values[code] = try value(&reader)
        }
        return values
    }

    private static func value(_ reader: inout ByteReader) throws(ByteReader.Truncated) -> ItemValue {
        switch try reader.integer(UInt8.self) {
        case 1: return .text(String(decoding: try reader.block(limit: .max), as: UTF8.self))
        case 2: return .data(try reader.block(limit: .max))
        case 3: return .number(try reader.integer())
        case 4: return .date(Double(bitPattern: try reader.integer()))
        default: throw ByteReader.Truncated()
        }
    }
}

extension ByteWriter {
    fileprivate mutating func tagged(_ kind: UInt8, _ number: UInt64) {
        integer(kind)
        integer(number)
    }
}
