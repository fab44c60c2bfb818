internal import Pavise
internal import PaviseLab
internal import PaviseTransport

extension Scene {
    static let manInTheMiddle = Scene(
        number: 8, title: "Man in the middle with a valid certificate",
        attack: "a proxy holds a certificate for the right name, signed by a trusted authority, over another key",
        control: "public-key pins, matched in the handshake"
    ) { stage in
        let honest = try stage.authority.issue()
        let server = try stage.passwordServer(honest)
        let backup = try stage.server(try stage.authority.issue())
        let looking = try stage.app()
        let keys = [try await key(of: server, seenBy: looking), try await key(of: backup, seenBy: looking)]
        let app = try stage.app(pins: [try PinSet(hosts: ["127.0.0.1"], leaf: Set(keys))])
        let reviewed = try await app.review(server.address())
        let account = try await stage.account(at: reviewed, as: "lab", in: app)
        try await requireAnswer(of: account, "the pinned server")

        try server.use(try stage.authority.issue())
        server.dropConnections()
        server.forget()
        let error = try await failure(of: account, at: server.address(), "a valid certificate with another key")
        let refused = try refusal(in: error, "a valid certificate with another key")
        try require(refused.failures == [.pinMismatch], "expected pinMismatch alone, saw \(refused.failures)")
        try require(!refused.canBeApproved, "a pin mismatch must not be one that a person may approve")
        await server.wait(within: .seconds(2)) { $0.failedHandshakes > 0 || $0.handshakes > 0 }
        try await requireSilence(server, "the man in the middle")
        return [
            "the pinned key answers 200",
            "the proxy's certificate is valid in every other respect: refused by the pin alone",
            "the proxy received \(server.counters.connections) connection and 0 bytes of a request",
        ]
    }

    // As an app's makers see it before they ship its pins.
    private static func key(of server: LabServer, seenBy app: AppSecurity) async throws -> Pin {
        guard case .trusted(let summary) = try await app.review(server.address()).verdict,
            let key = summary.flatMap({ Pin($0.spki) })
        else { throw SceneFailure("the handshake showed no key") }
        return key
    }
}
