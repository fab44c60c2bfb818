/// E-mail addresses and PEM blocks.
extension MaskScanner {
    /// An address (RFC 5321 §4.1.2) around the `@` at `index`: at most 64 bytes before it, a domain with a dot of at
    /// most 253 behind it.
    mutating func lookAtEmail(_ index: Int) {
        // User name and password of a URL end at this very sign.
        guard found.last?.end != index else { return }
        var start = index
        if byte(index - 1) == UInt8(ascii: "\"") {
            start = index - 1
            while start > 0, index - start < 66, bytes[start - 1] != UInt8(ascii: "\"") { start -= 1 }
            guard byte(start - 1) == UInt8(ascii: "\"") else { return }
            start -= 1
        } else {
            while start > 0, index - start < 64, isOfLocalPart(start - 1) { start -= 1 }
            while start < index, bytes[start] == UInt8(ascii: ".") || bytes[start] == UInt8(ascii: "-") { start += 1 }
        }
        guard start < index, let end = endOfDomain(index + 1) else { return }
        add(.email, start, end)
    }

    private func isOfLocalPart(_ index: Int) -> Bool {
        let byte = bytes[index]
        if ByteClass.isAlphanumeric(byte) { return true }
        switch byte {
        case UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "'"),
            UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "*"), UInt8(ascii: "~"):
            return true
        // RFC 6531; the signs around a mask are no part of an address.
        case 0x80...0xFF:
            return byte != 0xAB && byte != 0xBB && !(byte == 0xC2 && [0xAB, 0xBB].contains(self.byte(index + 1)))
        default: return false
        }
    }

    private func endOfDomain(_ start: Int) -> Int? {
        var end = start
        var label = start
        var lastDot: Int?
        while end < bytes.count, end - start < 253 {
            let byte = bytes[end]
            if byte == UInt8(ascii: ".") {
                guard end > label else { break }
                // A dot that ends a sentence is no part of the name.
                guard ByteClass.isAlphanumeric(self.byte(end + 1)) || self.byte(end + 1) >= 0x80 else { break }
                lastDot = end
                label = end + 1
            } else if !ByteClass.isAlphanumeric(byte), byte != UInt8(ascii: "-"), byte < 0x80 || isMask(end) {
                break
            }
            end += 1
        }
        guard let lastDot, end - lastDot > 2, bytes[(lastDot + 1)..<end].contains(where: { !ByteClass.isDigit($0) })
        else { return nil }
        return isFileName(lastDot + 1, end) ? nil : end
    }

    // An instance of a template, as systemd names it (`getty@tty1.service`, systemd.unit(5)), and a picture for a finer
    // screen, as Xcode does (`icon@2x.png`). No top-level domain has one of these names.
    private func isFileName(_ start: Int, _ end: Int) -> Bool {
        for ending: StaticString in [
            "service", "socket", "timer", "mount", "automount", "slice", "scope", "device", "swap", "png", "jpg",
            "jpeg", "gif", "webp", "heic",
        ] where end - start == ending.utf8CodeUnitCount && has(ending, at: start) {
            return true
        }
        return false
    }

    /// `-----BEGIN …` to the end of its `-----END …-----`, or of the text.
    mutating func lookAtPEM(_ index: Int) {
        guard has("-----begin ", at: index), !isMask(index) else { return }
        var end = index + 11
        while end < bytes.count, !has("-----end ", at: end) { end += 1 }
        guard end < bytes.count else { return add(.pem, index, bytes.count) }
        end += 9
        while end < bytes.count, bytes[end] != UInt8(ascii: "-"), bytes[end] >= 0x20 { end += 1 }
        while end < bytes.count, bytes[end] == UInt8(ascii: "-") { end += 1 }
        add(.pem, index, end)
    }
}
