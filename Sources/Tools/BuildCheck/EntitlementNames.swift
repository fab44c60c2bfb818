/// The names in the DER form of entitlements, which Apple's newer systems read in place of the property list: an
/// element with the tag 16 of its application, in it the number of the form and an element with the tag 16 of its
/// context, in it for each entitlement a sequence of its name and its value.
enum EntitlementNames {
    private static let most = 1_024

    /// The names; `nil` for bytes of another form.
    static func inDER(_ bytes: ArraySlice<UInt8>) -> Set<String>? {
        let file = FileBytes(bytes: Array(bytes))
        guard let whole = element(file, 0, bytes.count, 0x70), whole.upperBound == bytes.count,
            let form = element(file, whole.lowerBound, whole.upperBound, 0x02),
            let list = element(file, form.upperBound, whole.upperBound, 0xB0), list.upperBound == whole.upperBound
        else { return nil }
        var names: Set<String> = []
        var at = list.lowerBound
        while at < list.upperBound {
            guard names.count < most, let entry = element(file, at, list.upperBound, 0x30),
                let name = element(file, entry.lowerBound, entry.upperBound, 0x0C),
                let text = file.part(name.lowerBound, name.count)
            else { return nil }
            names.insert(String(decoding: text, as: UTF8.self))
            at = entry.upperBound
        }
        return names
    }

    // Where the content of the element at `start` lies, within `end`.
    private static func element(_ file: FileBytes, _ start: Int, _ end: Int, _ tag: UInt64) -> Range<Int>? {
        guard file.number(start, 1) == tag, let short = file.number(start + 1, 1) else { return nil }
        var (content, length) = (start + 2, Int(short))
        if short >= 0x80 {
            let digits = Int(short) - 0x80
            guard (1...4).contains(digits) else { return nil }
            length = 0
            for index in 0..<digits {
                guard let digit = file.number(content + index, 1) else { return nil }
                length = length << 8 | Int(digit)
            }
            content += digits
        }
        guard content <= end, length <= end - content else { return nil }
        return content..<content + length
    }
}
