/// Why bytes are not a property list that Pavise reads.
package enum PropertyListFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// More bytes than the limit.
    case tooLarge(limit: Int)
    /// Arrays and dictionaries inside each other beyond the limit.
    case tooDeep(limit: Int)
    /// More values, or more text, than the limit.
    case tooMany(limit: Int)
    /// Neither XML nor binary.
    case unknownFormat
    /// A part of XML that property lists do not need and that could hide or multiply text.
    case unsupported(String, line: Int)
    /// Not XML of a property list from this line on.
    case malformed(String, line: Int)
    /// Not a binary property list from this byte on.
    case damaged(offset: Int)

    /// One sentence.
    package var description: String {
        switch self {
        case .tooLarge(let limit): "The property list is larger than \(limit) bytes."
        case .tooDeep(let limit): "The property list has more than \(limit) levels."
        case .tooMany(let limit): "The property list holds more than \(limit) values, or too much text."
        case .unknownFormat: "This is neither an XML nor a binary property list."
        case .unsupported(let what, let line): "Line \(line): \(what) is not read in property lists."
        case .malformed(let what, let line): "Line \(line): \(what)."
        case .damaged(let offset): "The binary property list is damaged at byte \(offset)."
        }
    }

    /// The line it happened on.
    package var line: Int? {
        switch self {
        case .unsupported(_, let line), .malformed(_, let line): line
        default: nil
        }
    }
}

/// How much of a property list is read.
package struct PropertyListLimits: Hashable, Sendable {
    /// Bytes of the whole.
    package var bytes = 8 << 20
    /// Levels of arrays and dictionaries.
    package var depth = 64
    /// Values, each reference in a binary list counted.
    package var values = 200_000
    /// Bytes of text and data, each reference in a binary list counted.
    package var text = 32 << 20

    package init() {}
}

extension PropertyListValue {
    /// Reads a list in XML or binary form.
    ///
    /// - Throws: ``PropertyListFailure``; nothing in the bytes traps, and every size is bounded.
    package static func parse(
        _ bytes: [UInt8], limits: PropertyListLimits = PropertyListLimits()
    ) throws(PropertyListFailure) -> PropertyListValue {
        guard bytes.count <= limits.bytes else { throw .tooLarge(limit: limits.bytes) }
        if bytes.starts(with: "bplist0".utf8) {
            return try BinaryPropertyList.parse(bytes, limits: limits)
        }
        return try XMLPropertyList.parse(PropertyListText.utf8(bytes), limits: limits)
    }
}

/// The encodings that Apple's tools write XML lists in.
enum PropertyListText {
    /// UTF-8 without a byte-order mark; UTF-16 with one is converted.
    static func utf8(_ bytes: [UInt8]) throws(PropertyListFailure) -> [UInt8] {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return Array(bytes.dropFirst(3)) }
        let isBig = bytes.starts(with: [0xFE, 0xFF])
        guard isBig || bytes.starts(with: [0xFF, 0xFE]) else { return bytes }
        guard bytes.count % 2 == 0 else { throw .unknownFormat }
        let units = stride(from: 2, to: bytes.count, by: 2).map { index -> UInt16 in
            let pair = isBig ? (bytes[index], bytes[index + 1]) : (bytes[index + 1], bytes[index])
            return UInt16(pair.0) << 8 | UInt16(pair.1)
        }
        return Array(String(decoding: units, as: UTF16.self).utf8)
    }
}
