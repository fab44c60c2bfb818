extension Scene {
    /// The play, in its order.
    static let all: [Scene] = [
        unknownAuthority, manInTheMiddle, badServers, redirects, plainHTTP,
    ]
}
