/// A value of CBOR (RFC 8949) as attestations use it: lengths that are given, keys that are texts and come once.
///
/// Everything else is refused: indefinite lengths, tags, floating point, other keys. Size, depth and the number of
/// values are bounded, so that a stranger's bytes cost a known price.
package indirect enum CBORValue: Hashable, Sendable {
    case unsigned(UInt64)
    /// -1 minus the number.
    case negative(UInt64)
    case bytes([UInt8])
    case text(String)
    case array([CBORValue])
    case map([String: CBORValue])
    case bool(Bool)
    case null

    /// The bytes are no such value.
    package struct Malformed: Error, Hashable, Sendable {}

    /// The most bytes that are read.
    package static let limit = 65_536
    private static let depth = 8
    private static let most = 1_024

    /// Reads one value and nothing behind it.
    package init(_ bytes: [UInt8]) throws(Malformed) {
        guard bytes.count <= Self.limit else { throw Malformed() }
        var reader = Reader(bytes: bytes)
        self = try reader.value(Self.depth)
        guard reader.isAtEnd else { throw Malformed() }
    }

    /// The member of a map; `nil` for another value and without it.
    package subscript(name: String) -> CBORValue? {
        guard case .map(let members) = self else { return nil }
        return members[name]
    }

    /// The bytes of a byte string.
    package var bytes: [UInt8]? {
        guard case .bytes(let bytes) = self else { return nil }
        return bytes
    }

    private struct Reader {
        let bytes: [UInt8]
        var place = 0
        var count = 0

        var isAtEnd: Bool { place == bytes.count }

        mutating func value(_ depth: Int) throws(Malformed) -> CBORValue {
            count += 1
            guard depth > 0, count <= CBORValue.most, place < bytes.count else { throw Malformed() }
            let head = bytes[place]
            place += 1
            guard head >> 5 != 7 else { return try simple(head & 31) }
            let number = try argument(head & 31)
            switch head >> 5 {
            case 0: return .unsigned(number)
            case 1: return .negative(number)
            case 2: return .bytes(Array(try take(number)))
            case 3:
                guard let text = String(validating: try take(number), as: UTF8.self) else { throw Malformed() }
                return .text(text)
            case 4: return .array(try array(number, depth))
            case 5: return .map(try map(number, depth))
            default: throw Malformed()
            }
        }

        private func simple(_ number: UInt8) throws(Malformed) -> CBORValue {
            switch number {
            case 20: return .bool(false)
            case 21: return .bool(true)
            case 22: return .null
            default: throw Malformed()
            }
        }

        // RFC 8949 §3: the number itself up to 23, else in 1, 2, 4 or 8 bytes behind the head.
        private mutating func argument(_ low: UInt8) throws(Malformed) -> UInt64 {
            guard low > 23 else { return UInt64(low) }
            guard low <= 27 else { throw Malformed() }
            return try take(UInt64(1) << UInt64(low - 24)).reduce(0) { $0 << 8 | UInt64($1) }
        }

        private mutating func take(_ count: UInt64) throws(Malformed) -> ArraySlice<UInt8> {
            guard count <= UInt64(bytes.count - place) else { throw Malformed() }
            defer { place += Int(count) }
            return bytes[place..<place + Int(count)]
        }

        // Each element takes a byte at least.
        private func isPossible(_ count: UInt64) -> Bool { count <= UInt64(bytes.count - place) }

        private mutating func array(_ count: UInt64, _ depth: Int) throws(Malformed) -> [CBORValue] {
            guard isPossible(count) else { throw Malformed() }
            var values: [CBORValue] = []
            for _ in 0..<count { values.append(try value(depth - 1)) }
            return values
        }

        private mutating func map(_ count: UInt64, _ depth: Int) throws(Malformed) -> [String: CBORValue] {
            guard isPossible(count) else { throw Malformed() }
            var members: [String: CBORValue] = [:]
            for _ in 0..<count {
                guard case .text(let name) = try value(depth - 1), members[name] == nil else { throw Malformed() }
                members[name] = try value(depth - 1)
            }
            return members
        }
    }
}
