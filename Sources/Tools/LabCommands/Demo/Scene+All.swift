extension Scene {
    /// The play, in its order.
    static let all: [Scene] = [
        unknownAuthority, signIn, canaries, thousandCallers, rotation, outages, kill, manInTheMiddle, badServers,
        redirects,
        plainHTTP, flippedBits, wipe,
    ]
}
