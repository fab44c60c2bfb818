extension AttackTable {
    /// Servers that send the client elsewhere.
    static let redirects: [AttackCase] =
        [301, 302, 303, 307, 308].map { status in
            hop(
                "cross-origin-\(status)", "origin",
                "A server sends a bearer's client to another server with \(status).", .sameOrigin
            ) {
                $0.front.script = { _, places in .redirect(status, to: "https://\(places.trap)/stolen") }
            }
        } + hops + repeats

    private static let hops: [AttackCase] = [
        hop("other-port", "origin", "The other server is another port of the same host.", .sameOrigin) {
            $0.trap?.host = "localhost"
        },
        hop(
            "other-name", "origin", "The same server is named otherwise.", .sameOrigin,
            .kept(front: .requests(atMost: 1), .redirect)
        ) {
            $0.front.script = { _, places in .redirect(302, to: "https://127.0.0.1:\(places.frontPort)/") }
        },
        hop("reported", "policy", "No redirect is to be followed.", .reported) { _ in },
        hop("discovery", "policy", "The address of a sign-in's metadata leads to another server.", .reported) {
            $0.request.path = "/.well-known/openid-configuration"
        },
        hop("web-finger", "policy", "The address of a WebFinger question leads to another server.", .reported) {
            $0.request.path = "/.well-known/webfinger?resource=acct:ada@localhost"
        },
        hop(
            "agreed", "credentials", "A person agreed to go there, and nothing secret may go along.", .agreed,
            .kept(trap: .withoutCanary, .answer)
        ) {
            $0.request.fields = [.init("X-Key", "{content}")]
        },
        hop("disagreed", "consent", "A person did not agree.", .disagreed, .kept(trap: .handshake, .redirect)) { _ in },
        hop(
            "outside-allowed-origins", "allowed origins", "A person agreed to what the policy does not allow.",
            .agreedWithinFront
        ) { _ in },
        hop(
            "changed-after-consent", "consent", "The target shows another key than the one that was agreed to.",
            .agreedThenChanged, .kept(trap: .withoutCanary, .redirect, .handshake)
        ) { _ in },
        hop(
            "untrusted-target", "every hop", "An authority that nobody knows vouches for the target.", .agreed,
            .kept(trap: .handshake, .certificate)
        ) {
            $0.trap?.certificate.root = .unknown
        },
        hop("old-target", "every hop", "The target speaks TLS 1.1.", .agreed, .kept(trap: .handshake, .handshake)) {
            $0.trap?.tls = LabTLS(minimum: .tls11, maximum: .tls11, securityLevel: 0)
        },
        hop(
            "back-again", "credentials", "A redirect leaves and comes back.", .agreed,
            .kept(trap: .withoutCanary, front: .canaries(atMost: 1), .answer)
        ) {
            $0.front.script = { request, places in
                request.path == "/" ? .redirect(302, to: "https://\(places.trap)/") : .text("back")
            }
            $0.trap?.script = { _, places in .redirect(302, to: "https://\(places.front)/back") }
        },
        hop(
            "downgrade", "https to http", "A redirect leads to http, and somebody agrees.", .agreed,
            .kept(.redirect, .transportSecurity)
        ) {
            $0.trap = .plain
            $0.front.script = { _, places in .redirect(302, to: "http://\(places.trap)/") }
        },
        hop(
            "downgrade-with-exception", "https to http", "The same, where http is allowed.", .agreed,
            .kept(.redirect, .transportSecurity)
        ) {
            $0.trap = .plain
            $0.trap?.host = "lab.localhost"
            $0.client.transportSecurity = allowed("lab.localhost")
            $0.front.script = { _, places in .redirect(302, to: "http://\(places.trap)/") }
        },
    ]

    // Requests that must not be sent again by themselves.
    private static let repeats: [AttackCase] =
        [307, 308].map { status in
            hop(
                "body-elsewhere-\(status)", "method and body", "A body is to go to another server with \(status).",
                .agreed
            ) {
                post(&$0)
                $0.front.script = { _, places in .redirect(status, to: "https://\(places.trap)/") }
            }
        }
        + [301, 302].map { status in
            hop(
                "post-again-\(status)", "method and body", "A POST is to be repeated after \(status).", .sameOrigin,
                .kept(front: .requests(atMost: 1), .redirect)
            ) {
                post(&$0)
                $0.front.script = { _, _ in .redirect(status, to: "/again") }
            }
        } + [
            hop(
                "body-after-303", "method and body", "A body is to follow a 303.", .agreed,
                .kept(trap: .withoutCanary, .answer)
            ) {
                post(&$0)
                $0.front.script = { _, places in .redirect(303, to: "https://\(places.trap)/") }
            },
            hop(
                "circle", "loop", "Redirects go in a circle.", .sameOrigin,
                .kept(front: .requests(atMost: 3), .redirect)
            ) {
                $0.front.script = { request, _ in .redirect(302, to: request.path == "/" ? "/a" : "/") }
            },
            hop("endless", "depth", "Redirects do not end.", .sameOrigin, .kept(front: .requests(atMost: 6), .redirect))
            {
                $0.front.script = { request, _ in .redirect(302, to: request.path + "x") }
            },
        ]

    private static func post(_ scene: inout AttackScene) {
        scene.request.method = "POST"
        scene.request.body = "{content}"
    }

    // The twin's redirect stays within the origin, except where none is followed. At its worst the attack's leads to
    // the trap.
    static func hop(
        _ name: String, _ rule: String, _ attack: String, _ redirects: AttackClient.Redirects,
        _ expected: AttackExpectation = .kept(.redirect), _ change: (inout AttackScene) -> Void
    ) -> AttackCase {
        AttackCase(
            "redirects/\(name)", rule, attack,
            given: {
                twoHosts(&$0)
                $0.client.redirects = redirects
                guard redirects != .reported else { return }
                $0.front.script = { request, _ in request.path == "/" ? .redirect(302, to: "/there") : .text("there") }
            }, expected: expected
        ) {
            $0.front.script = { _, places in .redirect(302, to: "https://\(places.trap)/stolen") }
            change(&$0)
        }.atConnections(.kept(front: .requests(atMost: 1), .redirect).because(neverFollows), usualTwin: true)
    }
}
