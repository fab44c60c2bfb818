/// Reads BER (X.690 §8), which PKCS#7 allows where X.509 wants DER: lengths that are not told beforehand, octet
/// strings in pieces.
package enum BEREncoding {
    static let deepest = 32
    static let mostElements = 100_000

    /// The same element with all lengths told and octet strings whole. An element that has nothing else in it stays as
    /// it is, byte for byte: what was signed is not changed.
    ///
    /// - Returns: `nil` for bytes that are not one element of BER alone, nest deeper than 32, or hold more than 100,000
    ///   elements.
    package static func definite(_ bytes: [UInt8]) -> [UInt8]? {
        var rest = bytes[...]
        var count = 0
        guard let whole = try? element(&rest, 1, &count), rest.isEmpty else { return nil }
        return Array(whole.bytes)
    }

    private struct Element {
        var bytes: ArraySlice<UInt8>
        /// Of a whole octet string.
        var content: ArraySlice<UInt8>
        var wasChanged: Bool
    }

    private static func element(
        _ rest: inout ArraySlice<UInt8>, _ depth: Int, _ count: inout Int
    ) throws(DERFailure) -> Element {
        let start = rest
        count += 1
        guard depth <= deepest, count <= mostElements, let tag = rest.popFirst(), tag & 0x1F != 0x1F else {
            throw DERFailure()
        }
        let isConstructed = tag & 0x20 != 0
        let length = try length(&rest)
        guard isConstructed || length != nil else { throw DERFailure() }
        guard isConstructed else {
            let content = rest.prefix(length ?? 0)
            rest = rest.dropFirst(content.count)
            return Element(bytes: start.prefix(start.count - rest.count), content: content, wasChanged: false)
        }
        let parts = try parts(&rest, length, depth, &count)
        let whole = start.prefix(start.count - rest.count)
        if tag == DERTag.octetString | 0x20 { return try joined(parts) }
        guard length == nil || parts.contains(where: \.wasChanged) else {
            return Element(bytes: whole, content: [], wasChanged: false)
        }
        return Element(
            bytes: DEREncoding.element(tag, parts.flatMap(\.bytes))[...], content: [], wasChanged: true)
    }

    // `nil` for one that is not told.
    private static func length(_ rest: inout ArraySlice<UInt8>) throws(DERFailure) -> Int? {
        guard let first = rest.popFirst() else { throw DERFailure() }
        guard first != 0x80 else { return nil }
        guard first > 0x80 else {
            guard rest.count >= first else { throw DERFailure() }
            return Int(first)
        }
        let octets = rest.prefix(Int(first & 0x7F))
        guard octets.count == first & 0x7F, octets.count <= 4 else { throw DERFailure() }
        rest = rest.dropFirst(octets.count)
        let length = octets.reduce(0) { $0 << 8 | Int($1) }
        guard rest.count >= length else { throw DERFailure() }
        return length
    }

    private static func parts(
        _ rest: inout ArraySlice<UInt8>, _ length: Int?, _ depth: Int, _ count: inout Int
    ) throws(DERFailure) -> [Element] {
        var parts: [Element] = []
        guard let length else {
            while !rest.starts(with: [0, 0]) { parts.append(try element(&rest, depth + 1, &count)) }
            rest = rest.dropFirst(2)
            return parts
        }
        var inside = rest.prefix(length)
        rest = rest.dropFirst(length)
        while !inside.isEmpty { parts.append(try element(&inside, depth + 1, &count)) }
        return parts
    }

    private static func joined(_ parts: [Element]) throws(DERFailure) -> Element {
        guard parts.allSatisfy({ $0.bytes.first == DERTag.octetString }) else { throw DERFailure() }
        let content = parts.flatMap(\.content)
        return Element(
            bytes: DEREncoding.element(DERTag.octetString, content)[...], content: content[...], wasChanged: true)
    }
}
