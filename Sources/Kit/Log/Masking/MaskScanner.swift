/// Finds what must not be in a log: one pass over the bytes, a small bounded parser at each byte that can begin or
/// end something.
///
/// The work is linear in the length: each parser looks at most 512 bytes far, or masks what it looked at, and the
/// pass goes on behind it.
struct MaskScanner {
    let bytes: [UInt8]
    let policy: MaskPolicy
    /// How often what is scanned was decoded from base64 already.
    let depth: Int
    var found: [MaskedRange] = []
    /// Whether there are bytes that an encoding begins with.
    var seemsEncoded = false

    init(_ bytes: [UInt8], _ policy: MaskPolicy, depth: Int = 0) {
        self.bytes = bytes
        self.policy = policy
        self.depth = depth
    }

    mutating func scan() {
        let classes = ByteClass.table[...]
        let table = classes.span
        let line = bytes[...]
        let bytes = line.span
        let count = bytes.count
        var word = 0
        var run = 0
        var index = 0
        while index <= count {
            let kind = index < count ? table[Int(bytes[index])] : ByteClass.hard
            if kind == ByteClass.letter {
                index &+= 1
                while index < count, table[Int(bytes[index])] == ByteClass.letter { index &+= 1 }
                continue
            }
            let before = found.count
            if index &- word >= 4 { lookAtWord(word, index) }
            if kind != ByteClass.soft {
                if index &- run >= 14 { lookAtRun(run, index) }
                run = index &+ 1
            }
            if index < count { lookAt(kind, index) }
            word = index &+ 1
            index &+= 1
            if found.count != before, let end = found.last?.end, end > index {
                index = end
                word = end
                run = end
            }
        }
    }

    private mutating func lookAt(_ kind: UInt8, _ index: Int) {
        switch kind {
        case ByteClass.space: lookAtScheme(index)
        case ByteClass.label:
            if !lookAtUserinfo(index) { lookAtLabel(index) }
            if policy.masksIdentifiers, bytes[index] == UInt8(ascii: ":") { lookAtIPv6(index) }
        case ByteClass.at: lookAtEmail(index)
        case ByteClass.escape: seemsEncoded = true
        case ByteClass.soft:
            if bytes[index] == UInt8(ascii: "+") { lookAtPhone(index) }
            if bytes[index] == UInt8(ascii: "-") { lookAtPEM(index) }
        default:
            if policy.masksIdentifiers, bytes[index] == UInt8(ascii: ".") { lookAtIPv4(index) }
        }
    }

    mutating func add(_ kind: MaskKind, _ start: Int, _ end: Int) {
        guard policy.kinds.contains(kind), end > start else { return }
        found.append(MaskedRange(kind: kind, start: start, end: end))
    }

    func byte(_ index: Int) -> UInt8 { index >= 0 && index < bytes.count ? bytes[index] : 0 }

    /// Whether `text` stands at `index`; `text` is in lower case, and the case of the line does not matter.
    func has(_ text: StaticString, at index: Int) -> Bool {
        guard index >= 0, index + text.utf8CodeUnitCount <= bytes.count else { return false }
        return matches(text, at: index)
    }

    private func matches(_ text: StaticString, at index: Int) -> Bool {
        var index = index
        for wanted in text.description.utf8 {
            let byte = bytes[index]
            guard (ByteClass.isUpper(byte) ? byte | 0x20 : byte) == wanted else { return false }
            index += 1
        }
        return true
    }

    /// Whether a mask begins at `index`: what is masked already stays as it is.
    func isMask(_ index: Int) -> Bool { byte(index) == 0xC2 && byte(index + 1) == 0xAB }
}
