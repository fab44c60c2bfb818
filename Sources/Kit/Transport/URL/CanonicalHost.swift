/// The one spelling of a host that every rule compares: pins, approvals, known servers, exceptions of App Transport
/// Security, cookies, https-only hosts, proxies and the administrator's rules.
///
/// - A name is ASCII in lower case, without the dot of the root at its end. `example.org` and `example.org.` are one
///   server: the second form only tells a resolver not to try its search list (RFC 1034 §3.1).
/// - An address of version 4 has four decimal numbers without leading zeros. A name whose last label is a number,
///   decimal or hexadecimal, is refused: resolvers read `0x7f000001` as 127.0.0.1 (WHATWG URL, "ends in a number
///   checker").
/// - An address of version 6 is written as RFC 5952 §4 says. One that maps version 4 (`::ffff:0:0/96`) is refused: it
///   would be a second name for a host that has rules under its first.
/// - A label that begins with `xn--` must be an A-label (RFC 5890 §2.3.2.1); see ``InternationalLabel``.
package enum CanonicalHost {
    /// Reads what stands in a URL, without brackets around an address of version 6.
    ///
    /// - Returns: `nil` for what is no host, or has more than one reading.
    package static func of(_ text: String) -> String? {
        text.utf8.contains(UInt8(ascii: ":")) ? version6(text) : name(text)
    }

    /// A name or an address of version 4.
    static func name(_ text: String) -> String? {
        guard text.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        var host = text.lowercased()
        let endsInDot = host.hasSuffix(".")
        if endsInDot { host.removeLast() }
        guard (1...253).contains(host.utf8.count) else { return nil }
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.allSatisfy(isLabel), let last = labels.last else { return nil }
        guard endsInNumber(last) else { return host }
        // Parsers differ on an address with a dot behind it: a name for some of them.
        return !endsInDot && labels.count == 4 && labels.allSatisfy(isOctet) ? host : nil
    }

    /// An address of version 6 without brackets, zone and dotted part.
    static func version6(_ text: String) -> String? {
        guard !text.utf8.contains(UInt8(ascii: ".")), let address = ATSAddress(text), address.isVersion6,
            !(address.high == 0 && address.low >> 32 == 0xFFFF)
        else { return nil }
        return address.text
    }

    private static func isLabel(_ label: Substring) -> Bool {
        (1...63).contains(label.utf8.count) && !label.hasPrefix("-") && !label.hasSuffix("-")
            && label.utf8.allSatisfy {
                $0 == 0x2D || $0 == 0x5F || ($0 >= 0x30 && $0 <= 0x39) || ($0 >= 0x61 && $0 <= 0x7A)
            }
            && (!label.hasPrefix(InternationalLabel.prefix) || InternationalLabel.isValid(label))
    }

    private static func endsInNumber(_ last: Substring) -> Bool {
        last.hasPrefix("0x") || last.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
    }

    private static func isOctet(_ label: Substring) -> Bool {
        label.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 } && UInt8(label) != nil
            && (label == "0" || !label.hasPrefix("0"))
    }
}
