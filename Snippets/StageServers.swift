// Servers that misbehave on purpose, and attackers, for the tests of a client.
#if os(Linux)
import PaviseLab
import PavisePrimitives

/// A server, and what a client told it.
func serve(_ talk: (String) throws -> Void) throws {
    let authority = try CertificateAuthority()
    let server = try LabServer.start(try authority.issue()) { request in .text("you asked for \(request.path)") }
    try talk(server.address("/x"))  // a client under test
    print(server.requests.map(\.path))  // ["/x"]
    print(server.counters.applicationBytes)  // 0 when a client refused the certificate
    server.stop()
}

/// Certificates of an authority.
func certificates() throws {
    let good = LeafProfile()  // localhost and 127.0.0.1, EC P-256, valid now
    let old = LeafProfile(validity: .expired)
    let weak = LeafProfile(key: .rsa(bits: 1024))
    let authority = try CertificateAuthority()
    for profile in [good, old, weak] { print(try authority.issue(profile).pin) }
    let narrow = AuthorityProfile(permitted: ["example.org"])  // may vouch for no other name
    let identity = try authority.issue(LeafProfile(), below: [narrow])
    print(identity.fingerprint)
}

/// An answer that waits.
func hold(_ identity: ServerIdentity, ask: @escaping @Sendable (String) async throws -> Void) async throws {
    let gate = LabGate()
    let server = try LabServer.start(identity) { _ in .text("late").held(by: gate) }
    async let answer: Void = ask(server.address("/"))
    await gate.waitForArrivals(1)  // the request is there, the answer is not
    gate.open()
    try await answer
}

/// What a server can answer.
func answers(_ gate: LabGate) -> [LabResponse] {
    [
        .text("hello"),
        .json(#"{"a":1}"#, status: 400),
        .redirect(302, to: "http://other.example/"),
        .text("late").held(by: gate),
        .text("cut short").cut(after: 40),
        .silence,
    ]
}

/// An authority that a client signs in at.
func authority(_ identity: ServerIdentity, address: String, token: String) async throws {
    let authority = try LabAuthority.start(identity)
    // … the client under test begins to sign in and shows its authorization address …
    let callback = try authority.approve(address)  // what the browser would be sent to
    authority.fail(.token, with: .status(500), times: 2)  // the next two token requests fail
    await authority.wait { $0.rotations == 1 }  // a refresh token was replaced
    print(callback, authority.isRevoked(token))
}

/// The browser of a person who agrees.
func browse(_ authority: LabAuthority, _ address: String) throws {
    let callback = try authority.approve(address)
    let page = try LabBrowser.open(callback)  // what the app shows when it has the code
    print(page)
}

/// Whether a token lies in a file.
func search(_ authority: LabAuthority, _ home: String) throws -> Bool {
    let report = try CanarySearch.find(authority.issuedTokens.map(\.value), in: home)
    return report.isClean  // no file holds any of them, and every file was read
}

/// Programs on the same machine that disturb a sign-in.
func disturb(_ callback: String) throws {
    for attack in LoopbackAttack.allCases {
        let attempt = try attack.play(against: callback)  // `callback` is the true address with code and state
        // … the listener must still accept the true callback …
        attempt.end()
    }
    let flood = LoopbackFlood()
    try flood.start(against: callback)  // `callback` is the true address with code and state
    flood.wait(for: 10_000)
    // … the listener must still accept the true callback, which ends it and the flood …
    let connections = flood.end()
    print(connections)
}

/// A case of the attack matrix.
func attack() -> AttackCase {
    AttackCase("trust/expired", "validity", "The certificate's time is over.") {
        $0.front.certificate.leaf.validity = .expired
    }
}

/// A network that cuts a connection between two records.
func cut(_ server: LabServer) throws {
    let relay = try RecordRelay(to: server)
    // … a request through relay.port, undisturbed …
    relay.disturb(2, with: .silence)  // from the third record on nothing comes through
}

/// A redirect that leads astray.
func redirect(_ authority: CertificateAuthority, _ identity: ServerIdentity) throws {
    let trap = try Redirector.trap(authority)
    let server = try LabServer.start(identity) { Redirector.answer(to: trap, $0) }
    // a client that asks for /redirect/307 must not reach the trap
    print(server.address("/redirect/307"), Redirector.credentials(seenBy: trap))  // []
}

/// Servers with weak cryptography.
func weaken(_ authority: CertificateAuthority) throws {
    for weakness in WeakServer.allCases {
        let server = try weakness.start(authority)
        // … the client refuses, and …
        print(server.counters.applicationBytes)  // is 0
    }
}

#endif
