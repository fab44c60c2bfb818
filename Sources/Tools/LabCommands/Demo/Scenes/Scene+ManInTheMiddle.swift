internal import PaviseLab
internal import PaviseTransport

extension Scene {
    static let manInTheMiddle = Scene(
        number: 8, title: "Man in the middle with a valid certificate",
        attack: "a proxy holds a certificate for the right name, signed by a trusted authority, over another key",
        control: "public-key pins, matched in the handshake"
    ) { stage in
        let honest = try stage.authority.issue()
        let server = try stage.server(honest)
        let shown = try await stage.client().inspect(try url(server.address()).origin)
        let backup = try stage.server(try stage.authority.issue())
        let spare = try await stage.client().inspect(try url(backup.address()).origin)
        guard let current = shown.path.first, let next = spare.path.first else {
            throw SceneFailure("the handshake showed no key")
        }
        let client = try stage.client(pins: [try PinSet(hosts: ["127.0.0.1"], leaf: [current, next])])
        let response = try await client.send(HTTPRequest("GET", try url(server.address())))
        try require(response.status == 200, "the pinned server must be reached, saw \(response.status)")

        try server.use(try stage.authority.issue())
        server.dropConnections()
        server.forget()
        let refused = try await refusal(of: client, server.address(), "a valid certificate with another key")
        try require(refused.failures == [.pinMismatch], "expected pinMismatch alone, saw \(refused.failures)")
        try require(!refused.canBeApproved, "a pin mismatch must not be one that a person may approve")
        await server.wait(within: .seconds(2)) { $0.failedHandshakes > 0 || $0.handshakes > 0 }
        try requireSilence(server, "the man in the middle")
        return [
            "the pinned key answers 200",
            "the proxy's certificate is valid in every other respect: refused by the pin alone",
            "the proxy received \(server.counters.connections) connection and 0 bytes of a request",
        ]
    }
}
