extension AttackTable {
    /// A proxy that the environment names and that lies. The server never hears of the request, and the proxy gets no
    /// secret.
    static let proxies: [AttackCase] = [
        proxy("forged-server", "The tunnel leads to a server with a forged certificate.", .otherServer, .certificate),
        proxy("page", "A page comes instead of the tunnel, with the status of a tunnel.", .page, .handshake, .noAnswer),
        proxy("redirect", "The proxy sends elsewhere.", .redirect, .noAnswer),
        proxy("lure", "The proxy asks for a name and a password, and asks again.", .lure, .noAnswer),
        proxy("noise", "The answer is no HTTP.", .noise, .noAnswer),
        proxy("hang-up", "The proxy ends the connection.", .hangUp, .noAnswer),
    ]

    private static func proxy(
        _ name: String, _ attack: String, _ lie: LyingProxy.Lie, _ endings: AttackExpectation.Ending...
    ) -> AttackCase {
        var trap = AttackServer()
        trap.certificate.root = .namesake
        let hasTrap = lie == .otherServer
        return AttackCase(
            "credentials/proxy-\(name)", "proxy", attack,
            given: { $0.proxy = LyingProxy.Lie.none },
            expected: AttackExpectation(
                front: .nothing, trap: hasTrap ? .handshake : .nothing, endings: Set(endings))
        ) { [trap] in
            $0.proxy = lie
            if hasTrap { $0.trap = trap }
        }.atConnections(
            .kept(.answer).because("A connection takes no proxy from the environment: it goes to the server."),
            usualTwin: true)
    }
}
