/// A proxy of ``ProxyRules`` in parts, for a carrier that takes no address: where it is, and who asks it.
package struct ProxyEndpoint: Hashable, Sendable {
    /// A name or a numeric address, without brackets.
    package let host: String
    /// 1080 where the address names none, as for libcurl (CURLOPT_PROXY).
    package let port: UInt16
    /// The name that it is told; `nil` for none.
    package let user: String?
    /// Its password; empty where only a name is there.
    package let password: String

    /// Reads an address that ``ProxyRules`` took, for example `http://anna:secret@proxy.example:3128`.
    ///
    /// - Returns: `nil` for anything else.
    package init?(_ address: String) {
        guard address.hasPrefix("http://") else { return nil }
        let place = address.dropFirst("http://".count)
        let mark = place.lastIndex(of: "@")
        let rest = mark.map { place[place.index(after: $0)...] } ?? place
        guard let url = try? WebURL("http://\(rest)") else { return nil }
        host = url.origin.host
        let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        port = Self.namesPort(authority) ? url.origin.port : 1_080
        let parts = mark.map { place[..<$0].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false) }
        guard let parts, let name = parts.first else {
            (user, password) = (nil, "")
            return
        }
        guard let name = Self.decoded(name), let word = Self.decoded(parts.count == 2 ? parts[1] : "") else {
            return nil
        }
        (user, password) = (name, word)
    }

    // A colon inside brackets is one of an IPv6 address.
    private static func namesPort(_ authority: Substring) -> Bool {
        let end = authority.lastIndex(of: "]").map { authority[$0...] } ?? authority
        guard let colon = end.lastIndex(of: ":") else { return false }
        return end.index(after: colon) < end.endIndex
    }

    // The escapes of RFC 3986 §2.1; `nil` where one is cut short, or the bytes are no text.
    private static func decoded(_ text: Substring) -> String? {
        var (bytes, rest) = ([UInt8](), text.utf8[...])
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = String(Substring(rest.prefix(2)))
            guard digits.utf8.count == 2, !digits.hasPrefix("+"), let value = UInt8(digits, radix: 16) else {
                return nil
            }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
