/// The bytes are not DER (X.690 §10) or not of the expected type.
package struct DERFailure: Error, Hashable, Sendable {
    package init() {}
}

/// One type-length-value of DER.
package struct DERElement: Sendable {
    /// The identifier octet: class, constructed bit and number.
    package let tag: UInt8
    /// Identifier, length and value as they were sent.
    package let whole: ArraySlice<UInt8>
    private let header: Int

    init(tag: UInt8, whole: ArraySlice<UInt8>, header: Int) {
        self.tag = tag
        self.whole = whole
        self.header = header
    }

    /// The value alone.
    package var content: ArraySlice<UInt8> { whole.dropFirst(header) }

    /// The same bytes under another tag, as an implicit tag stands for a type.
    func read(as tag: UInt8) -> DERElement { DERElement(tag: tag, whole: whole, header: header) }
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
        let (start, count) = (rest.startIndex, rest.count)
        guard count >= 2 else { throw DERFailure() }
        let tag = rest[start]
        guard tag & 0x1F != 0x1F else { throw DERFailure() }
        var length = Int(rest[start + 1])
        var header = 2
        if length >= 0x80 {
            header += length & 0x7F
            guard (3...6).contains(header), count >= header, rest[start + 2] != 0 else { throw DERFailure() }
            length = 0
            for index in start + 2..<start + header { length = length << 8 | Int(rest[index]) }
            guard length >= 0x80 else { throw DERFailure() }
        }
        guard count - header >= length else { throw DERFailure() }
        let whole = rest[start..<start + header + length]
        rest = rest[whole.endIndex...]
        return DERElement(tag: tag, whole: whole, header: header)
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
