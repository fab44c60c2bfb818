extension DistinguishedName {
    /// The name in the form that Apple's systems compare and search by, DER: texts of type PrintableString in upper
    /// case, without blanks at the ends, with one space for each run of blanks. All else stays as it was.
    ///
    /// The form is not the same as ``comparable``, which treats every type of text alike (RFC 5280 §7.1).
    package var normalized: [UInt8] {
        // What was read once is read again without failure.
        (try? Self.normalized(der)) ?? der
    }

    private static func normalized(_ der: [UInt8]) throws(DERFailure) -> [UInt8] {
        var outer = DERReader(der[...])
        var names = try outer.inside()
        var content: [UInt8] = []
        while !names.isAtEnd {
            var set = try names.inside(DERTag.set)
            var pairs: [UInt8] = []
            while !set.isAtEnd { pairs += try pair(&set) }
            content += DEREncoding.element(DERTag.set, pairs)
        }
        return DEREncoding.element(DERTag.sequence, content)
    }

    private static func pair(_ set: inout DERReader) throws(DERFailure) -> [UInt8] {
        var pair = try set.inside()
        let type = try pair.next()
        let value = try pair.next()
        let text = value.tag == DERTag.printableString ? DEREncoding.element(value.tag, folded(value.content)) : nil
        return DEREncoding.element(DERTag.sequence, type.whole + (text ?? Array(value.whole)))
    }

    private static func folded(_ text: ArraySlice<UInt8>) -> [UInt8] {
        let words = text.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        return Array(words.joined(separator: [UInt8(ascii: " ")])).map { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) ? byte - 32 : byte
        }
    }
}
