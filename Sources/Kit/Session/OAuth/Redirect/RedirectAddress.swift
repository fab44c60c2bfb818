/// The redirect URI of an app (RFC 8252 §7.1, §7.2): an address that the system delivers to the app when the browser
/// opens it.
///
/// ```swift
/// let claimed = try RedirectAddress("https://app.example.org/signed-in")
/// let custom = try RedirectAddress("org.example.app:/signed-in")
/// ```
///
/// Prefer a claimed https address: the system gives it only to the app that the domain names. Any app can register a
/// custom scheme; what it would receive is a code, which is useless without the verifier that never leaves this app
/// (RFC 7636). A program without either uses the loopback listener, which needs no address.
public struct RedirectAddress: Hashable, Sendable, CustomStringConvertible {
    /// Why a text is no redirect address of an app.
    public enum Problem: Error, Hashable, Sendable {
        /// Empty, longer than 512 bytes, or with other characters than letters, digits and `-._~/:`. A redirect has no
        /// user, port, query, fragment or percent-encoding.
        case malformed
        /// Capital letters in the scheme or the host: systems write them small, and the answer would not be the same
        /// text.
        case notLowercase
        /// The scheme is no domain name backwards with a dot, such as `org.example.app`. Anybody's `myapp` is taken
        /// soon, and `http`, `file` or `javascript` are not an app's.
        case scheme
        /// The host of an https address is no domain name: empty, an address, without a dot. That of a custom scheme is
        /// no name.
        case host
        /// An https address without a path; a path with an empty part, `.` or `..`.
        case path
    }

    /// The address as it is registered at the authority, and as each answer has to begin.
    public let description: String
    /// Whether it is a claimed https address, and no custom scheme.
    public let isClaimed: Bool

    /// Reads an address strictly.
    ///
    /// - Parameter text: `https://host/path`, `reversed.domain:/path` or `reversed.domain://host/path`.
    public init(_ text: String) throws(Problem) {
        guard (1...512).contains(text.utf8.count), text.utf8.allSatisfy(Self.isPlain),
            let colon = text.firstIndex(of: ":")
        else { throw .malformed }
        let scheme = text[..<colon]
        let rest = text[text.index(after: colon)...]
        guard !rest.contains(":") else { throw .malformed }
        guard !scheme.contains(where: \.isUppercase) else { throw .notLowercase }
        isClaimed = scheme == "https"
        guard isClaimed || Self.isReversedDomain(scheme) else { throw .scheme }
        let (host, path) = Self.split(rest)
        guard host == nil || host?.contains(where: \.isUppercase) == false else { throw .notLowercase }
        guard host.map(isClaimed ? Self.isDomain : Self.isName) ?? !isClaimed else { throw .host }
        guard Self.isPath(path, mayBeEmpty: host != nil && !isClaimed) else { throw .path }
        description = text
    }

    /// What stands behind this address in one that the system delivered: its query.
    ///
    /// Scheme, host and path are compared as texts and nothing is normalised: another case, a slash more, a user, a
    /// port or a character that is percent-encoded make another address.
    ///
    /// - Returns: `nil` for another address. A fragment comes with the query, and is refused with it.
    func query(of delivered: String) -> String? {
        let (own, other) = (description.utf8, delivered.utf8)
        guard other.starts(with: own) else { return nil }
        let rest = other.dropFirst(own.count)
        switch rest.first {
        case nil: return ""
        case UInt8(ascii: "?"): return String(decoding: rest.dropFirst(), as: UTF8.self)
        case UInt8(ascii: "#"): return String(decoding: rest, as: UTF8.self)
        default: return nil
        }
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E, 0x2F, 0x3A: true
        default: false
        }
    }

    // "//host/path" has a host, "/path" has none.
    private static func split(_ rest: Substring) -> (host: Substring?, path: Substring) {
        guard rest.hasPrefix("//") else { return (nil, rest) }
        let place = rest.dropFirst(2)
        let slash = place.firstIndex(of: "/") ?? place.endIndex
        return (place[..<slash], place[slash...])
    }

    // RFC 3986 §3.1 begins a scheme with a letter and has no underscore; RFC 8252 §7.1 wants a domain backwards.
    private static func isReversedDomain(_ scheme: Substring) -> Bool {
        let labels = scheme.split(separator: ".", omittingEmptySubsequences: false)
        return labels.count >= 2 && labels.allSatisfy(isLabel) && scheme.first?.isLetter == true
    }

    private static func isDomain(_ host: Substring) -> Bool {
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        return labels.count >= 2 && isName(host) && labels.last?.contains { $0.isLetter } == true
    }

    private static func isName(_ host: Substring) -> Bool {
        host.split(separator: ".", omittingEmptySubsequences: false).allSatisfy(isLabel)
    }

    private static func isLabel(_ label: Substring) -> Bool {
        (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
            && label.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" }
    }

    private static func isPath(_ path: Substring, mayBeEmpty: Bool) -> Bool {
        guard !path.isEmpty else { return mayBeEmpty }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.first == "" else { return false }
        // One slash at the end is part of the address.
        return parts.dropFirst().dropLast().allSatisfy { !$0.isEmpty } && !parts.contains { $0 == "." || $0 == ".." }
    }
}
