internal import PavisePrimitives

extension TokenGrant {
    /// The lifetime that is assumed when the server names none (oauth T3).
    private static let assumedLifetime: Int64 = 300
    /// The longest token, in bytes.
    private static let longest = 16_384
    /// The longest lifetime that is believed: a year.
    private static let longestLifetime: Int64 = 31_536_000

    /// Reads a token answer. Only its shape is judged here: an access token there must be, other members may be
    /// missing.
    ///
    /// - Parameter isBound: Whether the request proved possession of a key.
    /// - Returns: `nil` when there is no usable access token, or a refresh token of another type than text.
    init?(_ answer: JSONValue.Parted, isBound: Bool = false) {
        let (value, secrets) = (answer.value, answer.secrets)
        guard let access = secrets["access_token"], access.isVisible(limit: Self.longest) else { return nil }
        var refresh: SharedSecretBytes?
        if let member = value["refresh_token"], member != .null {
            guard let token = secrets["refresh_token"], token.isVisible(limit: Self.longest) else { return nil }
            refresh = token
        }
        self.init(
            accessToken: access, refreshToken: refresh, idToken: secrets["id_token"],
            tokenType: value["token_type"]?.string, isBound: isBound,
            lifetime: Self.lifetime(value["expires_in"]),
            scopes: value["scope"]?.string.map { $0.split(separator: " ").map(String.init) })
    }

    private static func lifetime(_ member: JSONValue?) -> Int64 {
        guard let seconds = member?.integer ?? member?.string.flatMap({ Int64($0) }) else { return assumedLifetime }
        return min(max(0, seconds), longestLifetime)
    }
}
