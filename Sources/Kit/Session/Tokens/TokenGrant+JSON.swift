internal import PavisePrimitives

extension TokenGrant {
    /// The lifetime that is assumed when the server names none (oauth T3).
    private static let assumedLifetime: Int64 = 300
    /// The longest lifetime that is believed: a year.
    private static let longestLifetime: Int64 = 31_536_000

    /// Reads a token answer. Only its shape is judged here: an access token there must be, other members may be missing.
    ///
    /// - Returns: `nil` when there is no usable access token, or a refresh token of another type than text.
    init?(_ value: JSONValue) {
        guard let access = value["access_token"]?.string, Self.isToken(access) else { return nil }
        var refresh: SharedSecret?
        if let member = value["refresh_token"], member != .null {
            guard let text = member.string, Self.isToken(text) else { return nil }
            refresh = SharedSecret(text)
        }
        self.init(
            accessToken: SharedSecret(access), refreshToken: refresh,
            idToken: value["id_token"]?.string.map { SharedSecret($0) },
            tokenType: value["token_type"]?.string,
            lifetime: Self.lifetime(value["expires_in"]),
            scopes: value["scope"]?.string.map { $0.split(separator: " ").map(String.init) })
    }

    // Visible ASCII (RFC 6749 appendix A.12), so that a token can never break a header line.
    private static func isToken(_ text: String) -> Bool {
        (1...16_384).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    private static func lifetime(_ member: JSONValue?) -> Int64 {
        guard let seconds = member?.integer ?? member?.string.flatMap({ Int64($0) }) else { return assumedLifetime }
        return min(max(0, seconds), longestLifetime)
    }
}
