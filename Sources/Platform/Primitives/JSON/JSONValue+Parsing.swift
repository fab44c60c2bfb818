/// Why bytes are not a JSON value that Pavise reads.
package enum JSONFailure: Error, Hashable, Sendable {
    /// More than the allowed number of bytes.
    case tooLarge(limit: Int)
    /// Arrays and objects inside each other beyond the limit.
    case tooDeep(limit: Int)
    /// A name stands twice in one object: two readers could see two values (RFC 8259 §4).
    case duplicateMember(String)
    /// Not JSON, or not UTF-8, from this byte on.
    case malformed(offset: Int)
}

extension JSONValue {
    /// Reads one value and nothing else.
    ///
    /// Stricter than RFC 8259 requires: valid UTF-8 without a byte-order mark, no duplicate names, bounded size and
    /// depth.
    ///
    /// - Parameters:
    ///   - bytes: The text, in UTF-8.
    ///   - limit: The greatest size in bytes.
    ///   - depth: How many arrays and objects may stand inside each other.
    package static func parse(_ bytes: [UInt8], limit: Int = 65_536, depth: Int = 16) throws(JSONFailure) -> JSONValue {
        try parse(bytes, hiding: [], limit: limit, depth: depth).value
    }

    /// A value, and the texts of some of its members.
    package struct Parted: Sendable {
        /// The value, in which the hidden texts are empty.
        package let value: JSONValue
        /// The hidden texts by the names of their members.
        package let secrets: [String: SharedSecretBytes]
    }

    /// Reads one value as ``parse(_:limit:depth:)`` does, without making texts of its secrets, which nobody could wipe.
    ///
    /// - Parameters:
    ///   - bytes: The text, in UTF-8. The caller wipes it.
    ///   - hidden: Names of members of the value itself. Where one is a text, it goes into memory that is wiped.
    package static func parse(
        _ bytes: [UInt8], hiding hidden: Set<String>, limit: Int = 65_536, depth: Int = 16
    ) throws(JSONFailure) -> Parted {
        guard bytes.count <= limit else { throw .tooLarge(limit: limit) }
        // ASCII needs no text to be made for the check.
        guard bytes.allSatisfy({ $0 < 0x80 }) || String(validating: bytes, as: UTF8.self) != nil else {
            throw .malformed(offset: 0)
        }
        var parser = Parser(bytes: bytes, limit: depth, hidden: hidden)
        let value = try parser.value(depth: 0)
        parser.skipBlanks()
        guard parser.position == bytes.count else { throw .malformed(offset: parser.position) }
        return Parted(value: value, secrets: parser.secrets)
    }

    private struct Parser {
        let bytes: [UInt8]
        let limit: Int
        let hidden: Set<String>
        var secrets: [String: SharedSecretBytes] = [:]
        var position = 0

        init(bytes: [UInt8], limit: Int, hidden: Set<String>) {
            self.bytes = bytes
            self.limit = limit
            self.hidden = hidden
        }

        var malformed: JSONFailure { .malformed(offset: position) }
        var next: UInt8? { position < bytes.count ? bytes[position] : nil }

        mutating func skipBlanks() {
            while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { position += 1 }
        }

        mutating func take(_ letter: Character) -> Bool {
            guard next == letter.asciiValue else { return false }
            position += 1
            return true
        }

        mutating func value(depth: Int) throws(JSONFailure) -> JSONValue {
            guard depth < limit else { throw .tooDeep(limit: limit) }
            skipBlanks()
            switch next {
            case UInt8(ascii: "{"): return try object(depth: depth)
            case UInt8(ascii: "["): return try array(depth: depth)
            case UInt8(ascii: "\""): return .string(try string())
            case UInt8(ascii: "t"): return try word("true", .bool(true))
            case UInt8(ascii: "f"): return try word("false", .bool(false))
            case UInt8(ascii: "n"): return try word("null", .null)
            default: return try number()
            }
        }

        mutating func word(_ text: String, _ value: JSONValue) throws(JSONFailure) -> JSONValue {
            guard bytes[position...].starts(with: text.utf8) else { throw malformed }
            position += text.utf8.count
            return value
        }

        mutating func object(depth: Int) throws(JSONFailure) -> JSONValue {
            position += 1
            var members: [Member] = []
            var names: Set<String> = []
            skipBlanks()
            if take("}") { return .object([]) }
            while true {
                skipBlanks()
                guard next == UInt8(ascii: "\"") else { throw malformed }
                let name = try string()
                guard isNew(name, beside: members, &names) else { throw .duplicateMember(name) }
                skipBlanks()
                guard take(":") else { throw malformed }
                skipBlanks()
                if depth == 0, next == UInt8(ascii: "\""), hidden.contains(name) {
                    secrets[name] = try secret()
                    members.append(Member(name, ""))
                } else {
                    members.append(Member(name, try value(depth: depth + 1)))
                }
                skipBlanks()
                if take("}") { return .object(members) }
                guard take(",") else { throw malformed }
            }
        }

        // A few comparisons are faster than making a set, above all the first set of a process
        // (Documentation/Benchmarks.md).
        private func isNew(_ name: String, beside members: [Member], _ names: inout Set<String>) -> Bool {
            guard members.count >= 16 else { return !members.contains { $0.name == name } }
            if names.isEmpty { names = Set(members.map(\.name)) }
            return names.insert(name).inserted
        }

        mutating func array(depth: Int) throws(JSONFailure) -> JSONValue {
            position += 1
            var elements: [JSONValue] = []
            skipBlanks()
            if take("]") { return .array([]) }
            while true {
                elements.append(try value(depth: depth + 1))
                skipBlanks()
                if take("]") { return .array(elements) }
                guard take(",") else { throw malformed }
            }
        }

        mutating func number() throws(JSONFailure) -> JSONValue {
            let start = position
            _ = take("-")
            let whole = digits()
            guard whole == 1 || whole > 1 && bytes[position - whole] != UInt8(ascii: "0") else { throw malformed }
            if take(".") { guard digits() > 0 else { throw malformed } }
            if take("e") || take("E") {
                if !take("+") { _ = take("-") }
                guard digits() > 0 else { throw malformed }
            }
            return .number(String(decoding: bytes[start..<position], as: UTF8.self))
        }

        mutating func digits() -> Int {
            let start = position
            while let byte = next, byte >= 0x30, byte <= 0x39 { position += 1 }
            return position - start
        }

        mutating func string() throws(JSONFailure) -> String {
            var text: [UInt8] = []
            try read(into: &text)
            return String(decoding: text, as: UTF8.self)
        }

        mutating func secret() throws(JSONFailure) -> SharedSecretBytes {
            var text: [UInt8] = []
            // An array that grew would leave copies behind. What an escape stands for is never longer than the escape.
            text.reserveCapacity(bytes.count - position)
            defer { Wipe.bytes(&text) }
            try read(into: &text)
            return SharedSecretBytes(SecretBytes(copying: text))
        }

        private mutating func read(into text: inout [UInt8]) throws(JSONFailure) {
            position += 1
            while let byte = next {
                position += 1
                switch byte {
                case UInt8(ascii: "\""): return
                case UInt8(ascii: "\\"): text += try escape()
                case 0..<0x20: throw malformed
                default: text.append(byte)
                }
            }
            throw malformed
        }

        mutating func escape() throws(JSONFailure) -> [UInt8] {
            guard let letter = next else { throw malformed }
            position += 1
            switch letter {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [letter]
            case UInt8(ascii: "b"): return [8]
            case UInt8(ascii: "f"): return [12]
            case UInt8(ascii: "n"): return [10]
            case UInt8(ascii: "r"): return [13]
            case UInt8(ascii: "t"): return [9]
            case UInt8(ascii: "u"): return Array(String(try scalar()).utf8)
            default: throw malformed
            }
        }

        // A pair of surrogates is one scalar; half a pair is an error (RFC 8259 §8.2).
        mutating func scalar() throws(JSONFailure) -> Unicode.Scalar {
            let first = try unit()
            guard first & 0xF800 == 0xD800 else {
                guard let scalar = Unicode.Scalar(first) else { throw malformed }
                return scalar
            }
            guard first < 0xDC00, take("\\"), take("u") else { throw malformed }
            let second = try unit()
            guard second & 0xFC00 == 0xDC00,
                let scalar = Unicode.Scalar(0x10000 + (first & 0x3FF) << 10 + second & 0x3FF)
            else { throw malformed }
            return scalar
        }

        mutating func unit() throws(JSONFailure) -> UInt32 {
            guard position + 4 <= bytes.count,
                let pair = Hex.decode(String(decoding: bytes[position..<position + 4], as: UTF8.self))
            else { throw malformed }
            position += 4
            return UInt32(pair[0]) << 8 | UInt32(pair[1])
        }
    }
}
