/// Folds the attributes of a name so that equal names become equal bytes (RFC 5280 §7.1, without Unicode's normal forms).
enum NameFolding {
    /// One attribute: its type, then its text in lower case with single spaces, or the value as it is where it is no text.
    static func pair(_ set: inout DERReader) throws(DERFailure) -> [UInt8] {
        var pair = try set.inside()
        let type = try pair.next(DERTag.objectIdentifier)
        try type.checkObjectIdentifier()
        let value = try pair.next()
        try pair.finish()
        guard isText(value.tag), let text = folded(value) else { return Array(type.whole) + [0] + value.whole }
        return Array(type.whole) + [1] + text
    }

    /// The attributes of one relative name, each with its length, and the length of all in front.
    static func piece(_ parts: [[UInt8]]) -> [UInt8] {
        let content = parts.count == 1 ? parts[0] : parts.flatMap { length($0.count) + $0 }
        return length(content.count) + [parts.count == 1 ? 0 : 1] + content
    }

    static func isText(_ tag: UInt8) -> Bool {
        switch tag {
        case DERTag.utf8String, DERTag.printableString, DERTag.teletexString, DERTag.ia5String, DERTag.bmpString: true
        default: false
        }
    }

    private static func length(_ count: Int) -> [UInt8] {
        stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: count >> $0) }
    }

    private static func folded(_ value: DERElement) -> [UInt8]? {
        if value.tag != DERTag.bmpString, value.content.allSatisfy({ $0 < 0x80 }) { return collapsed(value.content) }
        return value.text().map { collapsed(Array($0.lowercased().utf8)[...]) }
    }

    // Lower case, one space between words, none at the ends.
    private static func collapsed(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(text.count)
        var needsSpace = false
        for byte in text {
            guard byte != 0x20 else {
                needsSpace = !result.isEmpty
                continue
            }
            if needsSpace { result.append(0x20) }
            needsSpace = false
            result.append((0x41...0x5A).contains(byte) ? byte | 0x20 : byte)
        }
        return result
    }
}
