/// Why a file is not one that this suite reads.
enum LimboFailure: Error, CustomStringConvertible {
    /// Not JSON in the suite's schema, from this byte on.
    case malformed(offset: Int)
    /// Larger than any edition of the suite.
    case tooLarge
    /// The file does not exist or `xz` cannot open it.
    case unreadable(String)

    var description: String {
        switch self {
        case .malformed(let offset): "not a limbo file, at byte \(offset)"
        case .tooLarge: "more than \(LimboFile.limit) bytes"
        case .unreadable(let path): "cannot read \(path)"
        }
    }
}

/// Reads JSON as it comes, without building a value: most of a suite's bytes are certificates, wanted once.
struct LimboReader {
    private let bytes: [UInt8]
    private(set) var position: Int

    /// Starts at a byte.
    init(_ bytes: [UInt8], from position: Int = 0) {
        self.bytes = bytes
        self.position = position
    }

    private var malformed: LimboFailure { .malformed(offset: position) }

    /// The next byte that is no blank; not taken.
    mutating func next() throws(LimboFailure) -> UInt8 {
        while position < bytes.count {
            let byte = bytes[position]
            guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return byte }
            position += 1
        }
        throw malformed
    }

    mutating func take(_ letter: Unicode.Scalar) throws(LimboFailure) -> Bool {
        guard try next() == UInt8(ascii: letter) else { return false }
        position += 1
        return true
    }

    /// Gives each name of the object to `member`, which must take the value.
    mutating func object(
        _ member: (String, inout LimboReader) throws(LimboFailure) -> Void
    ) throws(LimboFailure) {
        guard try take("{") else { throw malformed }
        if try take("}") { return }
        while true {
            let name = String(decoding: try string(), as: UTF8.self)
            guard try take(":") else { throw malformed }
            try member(name, &self)
            if try take("}") { return }
            guard try take(",") else { throw malformed }
        }
    }

    /// Calls `element` before each element of the array; it must take it.
    mutating func array(_ element: (inout LimboReader) throws(LimboFailure) -> Void) throws(LimboFailure) {
        guard try take("[") else { throw malformed }
        if try take("]") { return }
        while true {
            try element(&self)
            if try take("]") { return }
            guard try take(",") else { throw malformed }
        }
    }

    /// The bytes of a string, escapes resolved; those of `\u` only for ASCII, others become a question mark.
    mutating func string() throws(LimboFailure) -> [UInt8] {
        guard try take("\"") else { throw malformed }
        var text: [UInt8] = []
        while true {
            let end = endOfRun()
            text += bytes[position..<end]
            position = end
            guard end < bytes.count else { throw malformed }
            if bytes[end] == UInt8(ascii: "\"") {
                position += 1
                return text
            }
            if text.capacity < 1_024 { text.reserveCapacity(1_024) }
            text.append(try escape())
        }
    }

    // The next quotation mark or backslash.
    private func endOfRun() -> Int {
        let span = bytes.span
        var end = position
        while end < span.count, span[end] != UInt8(ascii: "\""), span[end] != UInt8(ascii: "\\") { end += 1 }
        return end
    }

    private mutating func escape() throws(LimboFailure) -> UInt8 {
        guard position + 1 < bytes.count else { throw malformed }
        let letter = bytes[position + 1]
        position += 2
        switch letter {
        case UInt8(ascii: "n"): return 0x0A
        case UInt8(ascii: "r"): return 0x0D
        case UInt8(ascii: "t"): return 0x09
        case UInt8(ascii: "u"):
            guard position + 4 <= bytes.count else { throw malformed }
            let digits = String(decoding: bytes[position..<position + 4], as: UTF8.self)
            position += 4
            guard let value = UInt16(digits, radix: 16) else { throw malformed }
            return value < 0x80 ? UInt8(value) : UInt8(ascii: "?")
        default: return letter
        }
    }

    /// A string, or `nil` for `null`.
    mutating func text() throws(LimboFailure) -> String? {
        guard try next() == UInt8(ascii: "\"") else {
            try skip()
            return nil
        }
        return String(decoding: try string(), as: UTF8.self)
    }

    /// The strings of an array; none for `null`.
    mutating func strings() throws(LimboFailure) -> [[UInt8]] {
        guard try next() == UInt8(ascii: "[") else {
            try skip()
            return []
        }
        var strings: [[UInt8]] = []
        try array { reader throws(LimboFailure) in strings.append(try reader.string()) }
        return strings
    }

    /// A whole number, or `nil` for `null`.
    mutating func number() throws(LimboFailure) -> Int? {
        _ = try next()
        let start = position
        try skip()
        return Int(String(decoding: bytes[start..<position], as: UTF8.self))
    }

    /// Passes over one value, however deep; only brackets are counted.
    mutating func skip() throws(LimboFailure) {
        var depth = 0
        repeat {
            switch try next() {
            case UInt8(ascii: "\""): try skipString()
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                position += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                position += 1
            case UInt8(ascii: ","), UInt8(ascii: ":"):
                guard depth > 0 else { throw malformed }
                position += 1
            default: skipWord()
            }
        } while depth > 0
        guard depth == 0 else { throw malformed }
    }

    private mutating func skipString() throws(LimboFailure) {
        position += 1
        while true {
            position = endOfRun()
            guard position < bytes.count else { throw malformed }
            guard bytes[position] == UInt8(ascii: "\\") else { break }
            position += 2
        }
        position += 1
    }

    private mutating func skipWord() {
        while position < bytes.count, ![0x2C, 0x3A, 0x5D, 0x7D, 0x20, 0x0A, 0x0D, 0x09].contains(bytes[position]) {
            position += 1
        }
    }
}
