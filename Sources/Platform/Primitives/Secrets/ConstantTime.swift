/// Comparisons whose time does not depend on the content.
package enum ConstantTime {
    /// Compares without stopping at the first difference. The lengths are compared first and are not secret.
    package static func equal(_ one: Span<UInt8>, _ other: Span<UInt8>) -> Bool {
        guard one.count == other.count else { return false }
        return difference(count: one.count) { index in one[index] ^ other[index] } == 0
    }

    /// Compares the UTF-8 bytes of two texts, without a copy of either.
    package static func equal(_ one: String, _ other: String) -> Bool {
        guard one.utf8.count == other.utf8.count else { return false }
        var bytes = zip(one.utf8, other.utf8).makeIterator()
        return difference(count: one.utf8.count) { _ in
            guard let (left, right) = bytes.next() else { return .max }
            return left ^ right
        } == 0
    }

    /// All bits in which `count` bytes differ. Every one is looked at, wherever the first difference is; a test counts
    /// that.
    @inline(__always)
    package static func difference(count: Int, _ byte: (Int) -> UInt8) -> UInt8 {
        var difference: UInt8 = 0
        for index in 0..<count { difference |= byte(index) }
        return difference
    }
}
