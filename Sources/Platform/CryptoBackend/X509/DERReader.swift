/// The bytes are not DER (X.690 §10) or not of the expected type.
package struct DERFailure: Error, Hashable, Sendable {
    package init() {}
}

/// One type-length-value of DER.
package struct DERElement: Sendable {
    /// The identifier octet: class, constructed bit and number.
    package let tag: UInt8
    /// The value alone.
    package let content: ArraySlice<UInt8>
    /// Identifier, length and value as they were sent.
    package let whole: ArraySlice<UInt8>
}

/// Reads DER that came from outside: definite and shortest lengths only, no tag numbers above 30, never past the end.
package struct DERReader {
    private var rest: ArraySlice<UInt8>

    /// Starts at the first byte of `bytes`.
    package init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    /// Whether all bytes are read.
    package var isAtEnd: Bool { rest.isEmpty }

    /// The identifier octet of the next element; `nil` at the end.
    package var nextTag: UInt8? { rest.first }

    /// The next element, whatever its type.
    package mutating func next() throws(DERFailure) -> DERElement {
        let start = rest.startIndex
        guard rest.count >= 2, rest[start] & 0x1F != 0x1F else { throw DERFailure() }
        let first = rest[start + 1]
        var length = Int(first)
        var header = 2
        if first >= 0x80 {
            let size = Int(first & 0x7F)
            guard (1...4).contains(size), rest.count >= 2 + size else { throw DERFailure() }
            let octets = rest[start + 2..<start + 2 + size]
            length = octets.reduce(0) { $0 << 8 | Int($1) }
            guard octets.first != 0, length >= 0x80 else { throw DERFailure() }
            header += size
        }
        guard rest.count - header >= length else { throw DERFailure() }
        let end = start + header + length
        defer { rest = rest[end...] }
        return DERElement(tag: rest[start], content: rest[start + header..<end], whole: rest[start..<end])
    }

    /// The next element, which must have this tag.
    package mutating func next(_ tag: UInt8) throws(DERFailure) -> DERElement {
        guard nextTag == tag else { throw DERFailure() }
        return try next()
    }

    /// The next element where it has this tag; otherwise nothing is read.
    package mutating func optional(_ tag: UInt8) throws(DERFailure) -> DERElement? {
        guard nextTag == tag else { return nil }
        return try next()
    }

    /// A reader for the inside of the next element, which must have this tag.
    package mutating func inside(_ tag: UInt8 = DERTag.sequence) throws(DERFailure) -> DERReader {
        DERReader(try next(tag).content)
    }

    /// Throws unless all bytes are read.
    package func finish() throws(DERFailure) {
        guard isAtEnd else { throw DERFailure() }
    }
}

/// Identifier octets in use.
package enum DERTag {
    package static let boolean: UInt8 = 0x01
    package static let integer: UInt8 = 0x02
    package static let bitString: UInt8 = 0x03
    package static let octetString: UInt8 = 0x04
    package static let null: UInt8 = 0x05
    package static let objectIdentifier: UInt8 = 0x06
    package static let enumerated: UInt8 = 0x0A
    package static let utf8String: UInt8 = 0x0C
    package static let printableString: UInt8 = 0x13
    package static let teletexString: UInt8 = 0x14
    package static let ia5String: UInt8 = 0x16
    package static let utcTime: UInt8 = 0x17
    package static let generalizedTime: UInt8 = 0x18
    package static let bmpString: UInt8 = 0x1E
    package static let sequence: UInt8 = 0x30
    package static let set: UInt8 = 0x31

    /// A context-specific tag; `constructed` for one that holds elements.
    package static func context(_ number: UInt8, constructed: Bool) -> UInt8 {
        0x80 | (constructed ? 0x20 : 0) | number
    }
}
