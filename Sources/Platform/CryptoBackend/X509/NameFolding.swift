/// Folds the attributes of a name so that equal names become equal bytes (RFC 5280 §7.1, without Unicode's normal
/// forms).
enum NameFolding {
    /// Appends the form of one relative name: its length, whether it has several attributes, and what they say.
    static func append(_ source: DERReader, to form: inout [UInt8]) throws(DERFailure) {
        var set = source
        let start = form.count
        form += [0, 0, 0, 0, 0]
        try appendPair(&set, to: &form)
        if !set.isAtEnd {
            let parts = try sortedPairs(source)
            form.removeSubrange(start + 5..<form.count)
            form[start + 4] = 1
            for part in parts { form += length(part.count) + part }
        }
        form.replaceSubrange(start..<start + 4, with: length(form.count - start - 5))
    }

    // A set has no order of its own.
    private static func sortedPairs(_ source: DERReader) throws(DERFailure) -> [[UInt8]] {
        var set = source
        var parts: [[UInt8]] = []
        while !set.isAtEnd {
            var part: [UInt8] = []
            try appendPair(&set, to: &part)
            parts.append(part)
        }
        return parts.sorted { $0.lexicographicallyPrecedes($1) }
    }

    // One attribute: its type, then its text in lower case with single spaces, or the value as it is where it is no
    // text.
    private static func appendPair(_ set: inout DERReader, to form: inout [UInt8]) throws(DERFailure) {
        var pair = try set.inside()
        let type = try pair.next(DERTag.objectIdentifier)
        try type.checkObjectIdentifier()
        let value = try pair.next()
        try pair.finish()
        form += type.whole
        if isText(value.tag), isPlain(value) {
            form.append(1)
            appendCollapsed(value.content, to: &form)
        } else if isText(value.tag), let text = value.text() {
            form.append(1)
            appendCollapsed(Array(text.lowercased().utf8)[...], to: &form)
        } else {
            form.append(0)
            form += value.whole
        }
    }

    static func isText(_ tag: UInt8) -> Bool {
        switch tag {
        case DERTag.utf8String, DERTag.printableString, DERTag.teletexString, DERTag.ia5String, DERTag.bmpString: true
        default: false
        }
    }

    private static func length(_ count: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) }
    }

    private static func isPlain(_ value: DERElement) -> Bool {
        value.tag != DERTag.bmpString && value.content.allSatisfy { $0 < 0x80 }
    }

    // Lower case, one space between words, none at the ends.
    private static func appendCollapsed(_ text: ArraySlice<UInt8>, to form: inout [UInt8]) {
        let start = form.count
        var needsSpace = false
        for byte in text {
            guard byte != 0x20 else {
                needsSpace = form.count > start
                continue
            }
            if needsSpace { form.append(0x20) }
            needsSpace = false
            form.append((0x41...0x5A).contains(byte) ? byte | 0x20 : byte)
        }
    }
}
