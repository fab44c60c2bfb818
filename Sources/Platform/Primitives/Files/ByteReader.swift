/// Reads numbers and slices from bytes that came from outside. It never reads past the end and never traps.
package struct ByteReader {
    /// The bytes ended, or a length in them does not fit.
    package struct Truncated: Error, Hashable, Sendable {
        @inlinable package init() {}
    }

    @usableFromInline let bytes: [UInt8]
    /// The index of the next byte.
    @usableFromInline package internal(set) var position = 0

    /// Starts at the first byte.
    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// How many bytes are left.
    @inlinable package var remaining: Int { bytes.count - position }
    /// Whether all bytes are read.
    package var isAtEnd: Bool { remaining == 0 }

    /// The next `count` bytes.
    package mutating func read(_ count: Int) throws(Truncated) -> [UInt8] {
        guard count >= 0, count <= remaining else { throw Truncated() }
        defer { position += count }
        return Array(bytes[position..<position + count])
    }

    /// The next integer of at most 64 bits, big-endian. Inlinable, because the generic form costs a hundred times the
    /// work it does.
    @inlinable
    package mutating func integer<Value: FixedWidthInteger>(_: Value.Type = Value.self) throws(Truncated) -> Value {
        let count = Value.bitWidth / 8
        guard count <= remaining else { throw Truncated() }
        // In one width for all: shifts of a generic width are calls through tables.
        var value: UInt64 = 0
        for index in position..<position + count { value = value &<< 8 | UInt64(bytes[index]) }
        position += count
        return Value(truncatingIfNeeded: value)
    }

    /// A slice behind its own 32-bit big-endian length, which may not exceed `limit`.
    package mutating func block(limit: Int) throws(Truncated) -> [UInt8] {
        let count = Int(try integer(UInt32.self))
        guard count <= limit else { throw Truncated() }
        return try read(count)
    }
}

/// Writes the forms that ``ByteReader`` reads.
package struct ByteWriter {
    /// What was written so far.
    @usableFromInline package internal(set) var bytes: [UInt8] = []

    package init() {}

    /// With room for `count` bytes: an array that grew would leave copies of secrets behind.
    package init(reserving count: Int) { bytes.reserveCapacity(count) }

    /// Appends an integer, big-endian.
    @inlinable
    package mutating func integer<Value: FixedWidthInteger>(_ value: Value) {
        unsafe withUnsafeBytes(of: value.bigEndian) { unsafe bytes.append(contentsOf: $0) }
    }

    /// Appends bytes as they are.
    package mutating func raw(_ more: [UInt8]) { bytes += more }

    /// Appends bytes behind their 32-bit length.
    package mutating func block(_ more: [UInt8]) {
        integer(UInt32(more.count))
        bytes += more
    }
}
