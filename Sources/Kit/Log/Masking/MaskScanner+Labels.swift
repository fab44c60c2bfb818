/// Values that are told by the name before them, by the word before them, or by their place in a URL.
extension MaskScanner {
    // MARK: Bearer, DPoP, Basic

    /// A space has ended a word that may be the name of a scheme (RFC 9110 §11.1).
    mutating func lookAtScheme(_ index: Int) {
        let kind: MaskKind
        switch byte(index - 1) | 0x20 {
        case UInt8(ascii: "r") where ends(Self.bearer, at: index) && isFree(before: index - 6): kind = .bearer
        case UInt8(ascii: "p") where ends(Self.dpop, at: index) && isFree(before: index - 4): kind = .dpop
        case UInt8(ascii: "c") where ends(Self.basic, at: index) && isFree(before: index - 5): kind = .basic
        default: return
        }
        var start = index + 1
        while byte(start) == UInt8(ascii: " ") { start += 1 }
        var end = start
        while end < bytes.count, Self.isToken68(bytes[end]) { end += 1 }
        while end > start, bytes[end - 1] == UInt8(ascii: ".") { end -= 1 }
        let value = bytes[start..<end]
        let isCredential =
            kind == .basic
            ? value.count >= 4 && Self.decoded(bytes, start, end - value.reversed().prefix { $0 == 0x3D }.count) != nil
            : value.count >= 16 || (value.count >= 8 && value.contains(where: ByteClass.isDigit))
        guard isCredential else { return }
        add(kind, start, end)
    }

    // Words end in these letters at every tenth space of a line: no text is made of a literal here.
    private static let bearer = Array("bearer".utf8)
    private static let dpop = Array("dpop".utf8)
    private static let basic = Array("basic".utf8)

    /// Whether a word in lower case ends before `end`; the case of the line does not matter.
    private func ends(_ word: [UInt8], at end: Int) -> Bool {
        let start = end - word.count
        guard start >= 0 else { return false }
        for place in word.indices.reversed() {
            let byte = bytes[start + place]
            guard (ByteClass.isUpper(byte) ? byte | 0x20 : byte) == word[place] else { return false }
        }
        return true
    }

    private func isFree(before index: Int) -> Bool { !ByteClass.isAlphanumeric(byteBefore(index)) }

    // RFC 9110 §11.2.
    private static func isToken68(_ byte: UInt8) -> Bool {
        if ByteClass.isAlphanumeric(byte) { return true }
        switch byte {
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "+"),
            UInt8(ascii: "/"), UInt8(ascii: "="):
            return true
        default: return false
        }
    }

    // MARK: URLs

    /// `://user:password@`; at most 256 bytes are looked at.
    mutating func lookAtUserinfo(_ index: Int) -> Bool {
        guard byte(index) == UInt8(ascii: ":"), byte(index + 1) == UInt8(ascii: "/"),
            byte(index + 2) == UInt8(ascii: "/")
        else { return false }
        let start = index + 3
        var end: Int?
        var place = start
        scan: while place < bytes.count, place < start + 256 {
            switch bytes[place] {
            case UInt8(ascii: "@"): end = place
            case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "\""), 0...0x20: break scan
            default: break
            }
            place += 1
        }
        if let end, !isMask(start) { add(.userinfo, start, end) }
        return true
    }

    // MARK: Names and values

    /// `name: value`, `name=value` and the same in quotes.
    mutating func lookAtLabel(_ index: Int) {
        guard let label = label(before: index) else { return }
        var start = index + 1
        while start < index + 4, byte(start) == UInt8(ascii: " ") { start += 1 }
        var quote: UInt8 = 0
        if byte(start) == UInt8(ascii: "\\"), byte(start + 1) == UInt8(ascii: "\"") { start += 1 }
        if byte(start) == UInt8(ascii: "\"") || byte(start) == UInt8(ascii: "'") {
            quote = bytes[start]
            start += 1
        }
        guard start < bytes.count, !isMask(start) else { return }
        let end = endOfValue(start, quote, label.isWholeLine && quote == 0)
        guard isWorthMasking(start, end, label) else { return }
        add(label.kind, start, end)
    }

    private func endOfValue(_ start: Int, _ quote: UInt8, _ isWholeLine: Bool) -> Int {
        var end = start
        while end < bytes.count {
            let byte = bytes[end]
            if quote != 0 {
                if byte == UInt8(ascii: "\\"), self.byte(end + 1) != quote {
                    end += 1
                } else if byte == quote || byte == UInt8(ascii: "\\") {
                    break
                }
            } else if isWholeLine ? byte < 0x20 || byte == UInt8(ascii: "\"") : ByteClass.endsValue(byte) {
                break
            }
            end += 1
        }
        return min(end, bytes.count)
    }

    // Words that say that there is no value; names of objects in memory, which logs of Java and Android are full of.
    private func isWorthMasking(_ start: Int, _ end: Int, _ label: MaskLabel) -> Bool {
        let length = end - start
        guard length > 0, !bytes[start..<end].allSatisfy({ $0 == UInt8(ascii: "*") }) else { return false }
        for word: StaticString in ["null", "nil", "true", "false", "none", "(null", "<private>", "«"]
        where length <= word.utf8CodeUnitCount && has(word, at: start) {
            return false
        }
        switch label.kind {
        case .password:
            return bytes[start] != UInt8(ascii: "/")
        case .token, .secret, .cookie:
            guard length >= 6 || label.isQuery else { return false }
            return !isObject(start, end)
        default: return true
        }
    }

    // `Binder@1a2b3c`, `0x7f…`, `a.b.C`, a number of few digits.
    private func isObject(_ start: Int, _ end: Int) -> Bool {
        if byte(start) == UInt8(ascii: "0"), byte(start + 1) | 0x20 == UInt8(ascii: "x") { return true }
        let value = bytes[start..<end]
        if let at = value.lastIndex(of: UInt8(ascii: "@")), at + 1 < end {
            return bytes[(at + 1)..<end].allSatisfy(ByteClass.isHex)
        }
        return value.count < 10 && value.allSatisfy(ByteClass.isDigit)
    }

    private func label(before index: Int) -> MaskLabel? {
        var end = index
        while end > 0, index - end < 2, bytes[end - 1] == UInt8(ascii: " ") { end -= 1 }
        var isQuoted = false
        if byte(end - 1) == UInt8(ascii: "\"") || byte(end - 1) == UInt8(ascii: "'") {
            isQuoted = true
            end -= 1
            if byte(end - 1) == UInt8(ascii: "\\") { end -= 1 }
        }
        // A name ends in a letter: this is where nearly all colons of ordinary lines go out.
        guard end > 2, ByteClass.isLetter(bytes[end - 1]), MaskLabel.canEnd(bytes[end - 1] | 0x20) else { return nil }
        var start = end
        while start > 0, end - start < 40, isOfName(bytes[start - 1]) { start -= 1 }
        let before = byte(start - 1)
        let isParameter =
            bytes[index] == UInt8(ascii: "=") && !isQuoted
            && (before == UInt8(ascii: "?") || before == UInt8(ascii: "&") || before == UInt8(ascii: "#"))
        var name: [UInt8] = []
        for place in start..<end where bytes[place] != UInt8(ascii: "-") && bytes[place] != UInt8(ascii: "_") {
            name.append(ByteClass.isUpper(bytes[place]) ? bytes[place] | 0x20 : bytes[place])
        }
        return MaskLabel(name, isParameter: isParameter, isField: bytes[index] == UInt8(ascii: ":") && !isQuoted)
    }

    private func isOfName(_ byte: UInt8) -> Bool {
        ByteClass.isAlphanumeric(byte) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
    }
}

/// A name whose value is masked.
struct MaskLabel {
    let kind: MaskKind
    /// A header field, whose value is the rest of the line.
    var isWholeLine = false
    /// A parameter of a URL.
    var isQuery = false

    // The last letters of all the names below.
    static func canEnd(_ letter: UInt8) -> Bool {
        switch letter {
        case UInt8(ascii: "d"), UInt8(ascii: "e"), UInt8(ascii: "t"), UInt8(ascii: "n"), UInt8(ascii: "y"),
            UInt8(ascii: "r"), UInt8(ascii: "g"), UInt8(ascii: "s"):
            true
        default: false
        }
    }

    /// - Parameter name: In lower case, without `-` and `_`.
    init?(_ name: [UInt8], isParameter: Bool, isField: Bool) {
        func ends(_ text: StaticString) -> Bool { name.ends(with: text) }
        func equals(_ text: StaticString) -> Bool { name.count == text.utf8CodeUnitCount && ends(text) }
        if isParameter {
            isQuery = true
            let isKnown =
                ends("token") || ends("secret") || ends("password") || equals("code") || equals("state")
                || ends("key") || equals("sig") || ends("signature") || equals("assertion") || equals("clientassertion")
                || equals("codeverifier") || equals("ticket") || equals("sid") || equals("auth") || ends("passwd")
            guard isKnown else { return nil }
            kind = .query
            return
        }
        switch name.last {
        case UInt8(ascii: "d") where ends("password") || ends("passwd") || equals("pwd"): kind = .password
        case UInt8(ascii: "d") where ends("sessionid") || ends("sessid"): kind = .cookie
        case UInt8(ascii: "e") where ends("passphrase") || ends("passcode"): kind = .password
        case UInt8(ascii: "e") where equals("cookie") || equals("setcookie"):
            kind = .cookie
            isWholeLine = isField
        case UInt8(ascii: "n") where equals("authorization") || equals("proxyauthorization"):
            kind = .authorization
            isWholeLine = isField
        case UInt8(ascii: "n") where ends("token"): kind = .token
        case UInt8(ascii: "n") where equals("pin"): kind = .password
        case UInt8(ascii: "n") where ends("clientassertion") || equals("assertion"): kind = .secret
        case UInt8(ascii: "t") where ends("secret"): kind = .secret
        case UInt8(ascii: "y") where ends("apikey") || ends("privatekey") || ends("secretkey") || ends("accesskey"):
            kind = .secret
        case UInt8(ascii: "r") where ends("codeverifier"): kind = .secret
        case UInt8(ascii: "s") where equals("credentials") || equals("pass"): kind = .password
        default: return nil
        }
    }
}

extension [UInt8] {
    fileprivate func ends(with text: StaticString) -> Bool {
        let length = text.utf8CodeUnitCount
        guard count >= length else { return false }
        var index = count - length
        for wanted in text.description.utf8 {
            if self[index] != wanted { return false }
            index += 1
        }
        return true
    }
}
