extension AttackTable {
    /// Authorities that break a rule.
    static let chains: [AttackCase] = [
        chain("not-an-authority", "basic constraints", "A server's certificate signed another one.") {
            $0.isAuthority = false
        },
        chain("no-basic-constraints", "basic constraints", "The issuer does not say that it is an authority.") {
            $0.isAuthority = nil
        },
        chain("may-not-certify", "key usage", "The issuer's key may not sign certificates.") { $0.mayCertify = false },
        chain("authority-for-clients", "nested purpose", "The issuer may vouch for clients only.") {
            $0.purposes = [.client]
        },
        chain("name-not-permitted", "name constraints", "The issuer may vouch for another domain only.") {
            $0.permitted = ["example.org"]
        },
        chain("name-excluded", "name constraints", "The issuer may not vouch for this name.") {
            $0.excluded = ["localhost"]
        },
        chain("expired-authority", "validity", "The issuer's time is over.") { $0.validity = .expired },
        chain("unknown-demand-above", "critical extension", "The issuer demands a rule that nobody knows.") {
            $0.demandsUnknown = true
        },
        AttackCase(
            "trust/path-too-long", "path length", "More authorities follow than the root allows.",
            given: { $0.front.certificate.authorities = [AuthorityProfile(name: "Upper")] }
        ) { $0.front.certificate.authorities.append(AuthorityProfile(name: "Lower")) },
        AttackCase(
            "trust/path-length-zero", "path length", "An issuer that allows no authority below it has one.",
            given: { $0.front.certificate.authorities = [AuthorityProfile(pathLength: 0)] }
        ) { $0.front.certificate.authorities.append(AuthorityProfile(name: "Lower")) },
        AttackCase(
            "trust/missing-authority", "path", "The server keeps the issuer's certificate to itself.",
            given: { $0.front.certificate.authorities = [AuthorityProfile()] }
        ) { $0.front.certificate.hidesAuthorities = true },
        weakAuthority("rsa-1024-authority", "key size", "The issuer's key is RSA with 1024 bits.") {
            $0.key = .rsa(bits: 1024)
        },
        weakAuthority("sha-1-authority", "hash", "The root signed a SHA-1 hash of the issuer.") {
            $0.signature = .sha1
        },
        AttackCase(
            "trust/changed-meanwhile", "each connection anew",
            """
            After a good visit somebody else stands in the server's place, with a certificate of an unknown authority.
            """,
            given: {
                $0.steps = [.send(AttackRequest()), .change(AttackCertificate()), .send(AttackRequest("/second"))]
            },
            expected: .kept(front: .requests(atMost: 1), .certificate)
        ) {
            var other = AttackCertificate()
            other.root = .unknown
            $0.steps[1] = .change(other)
        },
    ]

    /// What a person or management said.
    static let approvals: [AttackCase] = [
        approved(
            "approved-other-key", "approval", "After an approval the server shows another key that it signed itself."
        ) {
            $0.steps = [.change(.leaf { $0.isSelfSigned = true }), .send(AttackRequest())]
        },
        approved("approved-other-host", "approval", "The approved certificate is there for another host.") {
            $0.request.address = "https://127.0.0.1:{port}/"
            $0.request.hasCredential = false
        }.atConnections(.refused(.credential).because(onlyOwnOrigin)),
        AttackCase(
            "trust/approved-weak-key", "hard failures", "An approval in a file is for an RSA key of 1024 bits.",
            given: { $0.front.tls.securityLevel = 0 }, expected: .refused(.certificate, .handshake)
        ) {
            $0.front.certificate.leaf.key = .rsa(bits: 1024)
            $0.client.alsoApproved = ["weakKey"]
        },
        AttackCase(
            "trust/approved-less", "approval", "Of an expired certificate for another host only the first was approved."
        ) {
            $0.front.certificate.leaf.validity = .expired
            $0.front.certificate.leaf.names = ["other.example"]
            $0.client.alsoApproved = ["expired"]
        },
        AttackCase(
            "trust/revoked", "revocation", "The authority took the certificate back, and the server says so itself.",
            given: { $0.front.certificate.status = .good }
        ) { $0.front.certificate.status = .revoked },
        AttackCase("trust/denied-key", "management", "Management denies the key of a good certificate.") {
            $0.client.isDenied = true
        }.at(.fetch, .kept(.answer).because("The program's machine has no such rules in the scene.")),
    ]

    private static func chain(
        _ name: String, _ rule: String, _ attack: String, _ change: (inout AuthorityProfile) -> Void
    ) -> AttackCase {
        AttackCase(
            "trust/\(name)", rule, attack, given: { $0.front.certificate.authorities = [AuthorityProfile()] }
        ) { change(&$0.front.certificate.authorities[0]) }
    }

    private static func weakAuthority(
        _ name: String, _ rule: String, _ attack: String, _ change: (inout AuthorityProfile) -> Void
    ) -> AttackCase {
        AttackCase(
            "trust/\(name)", rule, attack,
            given: {
                $0.front.certificate.authorities = [AuthorityProfile()]
                $0.front.tls.securityLevel = 0
            }, expected: .refused(.certificate, .handshake)
        ) { change(&$0.front.certificate.authorities[0]) }
    }

    // In the twin a person has approved a certificate that the server signed itself.
    private static func approved(
        _ name: String, _ rule: String, _ attack: String, _ change: (inout AttackScene) -> Void
    ) -> AttackCase {
        AttackCase(
            "trust/\(name)", rule, attack,
            given: {
                $0.front.certificate.leaf.isSelfSigned = true
                $0.client.hasApproved = true
            }, attacking: change)
    }
}
