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
    // Where the last mask ends.
    private var floor = 0

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
            let begun = run
            if index &- word >= 4 { lookAtWord(word, index) }
            if kind != ByteClass.soft {
                if index &- run >= 14 { lookAtRun(run, index) }
                run = index &+ 1
            }
            if found.count != before { floor = max(floor, found.last?.end ?? 0) }
            if index < count { lookAt(kind, index) }
            word = index &+ 1
            index &+= 1
            if found.count != before, let mask = found.last {
                lookBefore(mask, begun)
                floor = max(floor, mask.end)
                run = max(run, mask.end)
                if mask.end > index {
                    index = mask.end
                    word = mask.end
                }
            }
        }
    }

    /// A mask parts the run that began at `begun`: what is before it is a run of its own, as whoever reads the masked
    /// line sees it.
    private mutating func lookBefore(_ mask: MaskedRange, _ begun: Int) {
        guard mask.start - begun >= 14 else { return }
        let place = found.count - 1
        lookAtRun(begun, mask.start)
        found.append(found.remove(at: place))
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

    /// The byte before a value. The end of a mask is what stands there for whoever reads the masked line.
    func byteBefore(_ start: Int) -> UInt8 { start <= floor && floor > 0 ? 0xBB : byte(start - 1) }

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
