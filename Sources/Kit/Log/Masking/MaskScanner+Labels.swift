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
        if label.isAmbiguous { return lookAtAmbiguous(start, quote, label) }
        let end = endOfValue(start, quote, label.isWholeLine && quote == 0)
        guard isWorthMasking(start, end, label) else { return }
        add(label.kind, start, end)
    }

    /// A member of JSON, `"code":"SplxlOBe…"`, or the first field of a form, `code=SplxlOBe…&grant_type=…`, whose value
    /// looks like a random one: `"code":404`, `"state":"RUNNING"` and `code=404&page=2` stay. The value ends at the
    /// next `=` or quote at the latest, so that no byte is looked at for two names. Seldom called: inlined, it would
    /// slow the scan of every line.
    @inline(never)
    private mutating func lookAtAmbiguous(_ start: Int, _ quote: UInt8, _ label: MaskLabel) {
        var end = start
        var (digits, lower, upper) = (0, 0, 0)
        while end < bytes.count, bytes[end] != UInt8(ascii: "="), Self.isToken68(bytes[end]) || isPercent(end) {
            if ByteClass.isDigit(bytes[end]) { digits += 1 }
            if ByteClass.isUpper(bytes[end]) { upper += 1 } else if ByteClass.isLetter(bytes[end]) { lower += 1 }
            end += 1
        }
        let length = end - start
        // Words in capitals are parted by small letters: a name of an error has few of them.
        let isRandom = digits > 0 ? lower > 0 || (upper > 0 && length >= 24) : lower > 0 && upper * 3 > length
        guard length >= label.least, isRandom else { return }
        while byte(end) == UInt8(ascii: "="), end - start < length + 2 { end += 1 }
        guard label.isMember ? quote != 0 && endsMember(end, quote) : quote == 0 && beginsField(end) else { return }
        add(label.kind, start, end)
    }

    private func isPercent(_ index: Int) -> Bool { bytes[index] == UInt8(ascii: "%") }

    private func endsMember(_ index: Int, _ quote: UInt8) -> Bool {
        byte(index) == quote || (byte(index) == UInt8(ascii: "\\") && byte(index + 1) == quote)
    }

    /// `&name=`
    private func beginsField(_ index: Int) -> Bool {
        guard byte(index) == UInt8(ascii: "&") else { return false }
        var end = index + 1
        while end < bytes.count, end - index < 40, isOfName(bytes[end]) { end += 1 }
        return end > index + 1 && byte(end) == UInt8(ascii: "=")
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
        guard end > 2, ByteClass.isLetter(bytes[end - 1]),
            MaskLabel.canEnd(bytes[end - 1] | 0x20)
                || (bytes[end - 1] | 0x20 == UInt8(ascii: "h") && has("auth", at: end - 4))
        else { return nil }
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
        let isColon = bytes[index] == UInt8(ascii: ":")
        return MaskLabel(
            name, isParameter: isParameter, isField: isColon && !isQuoted, isMember: isColon && isQuoted,
            isFormField: !isColon && !isQuoted)
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
    /// A name of OAuth that is a word of every day elsewhere: masked by its place and what the value looks like.
    var isAmbiguous = false
    /// A member of JSON.
    let isMember: Bool
    /// The fewest bytes that a value of an ambiguous name has.
    var least = 8

    // The last letters of all the names below but `auth`.
    static func canEnd(_ letter: UInt8) -> Bool {
        switch letter {
        case UInt8(ascii: "d"), UInt8(ascii: "e"), UInt8(ascii: "t"), UInt8(ascii: "n"), UInt8(ascii: "y"),
            UInt8(ascii: "r"), UInt8(ascii: "g"), UInt8(ascii: "s"):
            true
        default: false
        }
    }

    /// - Parameter name: In lower case, without `-` and `_`.
    init?(_ name: [UInt8], isParameter: Bool, isField: Bool, isMember: Bool, isFormField: Bool) {
        self.isMember = isMember
        func ends(_ text: StaticString) -> Bool { name.ends(with: text) }
        func equals(_ text: StaticString) -> Bool { name.count == text.utf8CodeUnitCount && ends(text) }
        if isParameter {
            isQuery = true
            let isKnown =
                ends("token") || ends("secret") || ends("password") || equals("code") || equals("state")
                || ends("key") || equals("sig") || ends("signature") || equals("assertion") || equals("clientassertion")
                || equals("codeverifier") || equals("ticket") || equals("sid") || equals("auth") || ends("passwd")
                || equals("devicecode") || equals("usercode")
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
        // RFC 8628 §3.2.
        case UInt8(ascii: "e") where equals("devicecode") || equals("usercode"): kind = .secret
        case UInt8(ascii: "s") where equals("credentials") || equals("pass"): kind = .password
        default:
            let isLong = equals("state") || equals("key")
            guard isMember || isFormField,
                isLong || equals("code") || equals("sig") || equals("ticket") || equals("sid") || equals("auth")
            else { return nil }
            kind = .query
            isAmbiguous = true
            least = isLong ? 16 : 8
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
