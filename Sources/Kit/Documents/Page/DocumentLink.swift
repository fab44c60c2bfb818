/// A link of a document: shown as a number, opened only by a person's own act outside the page.
public struct DocumentLink: Hashable, Sendable {
    /// Its number in the page.
    public let number: Int
    /// The address: `http`, `https` or `mailto`, in printable ASCII.
    public let address: String

    /// The host that it leads to, as the person should see it before it is opened; `nil` for an e-mail address.
    public var host: String? {
        guard address.prefix(7).lowercased() != "mailto:", let start = address.firstRange(of: "://") else { return nil }
        let authority = address[start.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        // What stands before an @ is a user name, and often a deception.
        let host = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? authority
        return String(host)
    }

    /// Reads an address; `nil` for what is not offered to anybody.
    static func address(_ bytes: some Sequence<UInt8>) -> String? {
        var result: [UInt8] = []
        for byte in bytes where byte > 0x20 {
            guard byte < 0x7F, result.count < 2048 else { return nil }
            result.append(byte)
        }
        let text = String(decoding: result, as: UTF8.self)
        let lower = text.prefix(8).lowercased()
        guard ["http://", "https://", "mailto:"].contains(where: { lower.hasPrefix($0) }) else { return nil }
        // Of `https:///a.example` a browser takes a slash away, and goes to a host that nobody was shown.
        guard !text.contains("\\"), DocumentLink(number: 0, address: text).host != "" else { return nil }
        return text
    }
}
