extension AttackTable {
    /// Server certificates that must not be trusted: no byte of a request leaves.
    static let leaves: [AttackCase] = [
        leaf("expired", "validity", "The certificate's time is over.") { $0.validity = .expired },
        leaf("not-yet-valid", "validity", "The certificate's time has not begun.") { $0.validity = .notYetValid },
        leaf("self-signed", "anchor", "The server signed its certificate itself.") { $0.isSelfSigned = true },
        AttackCase("trust/unknown-authority", "anchor", "An authority that nobody knows signed the certificate.") {
            $0.front.certificate.root = .unknown
        },
        AttackCase("trust/namesake", "signature", "An authority with the name of the trusted one signed it.") {
            $0.front.certificate.root = .namesake
        },
        AttackCase("trust/forged-signature", "signature", "One bit of the authority's signature is another.") {
            $0.front.certificate.isForged = true
        },
        leaf("for-clients", "purpose", "The certificate is for clients.") { $0.purposes = [.client] },
        leaf("without-purpose", "purpose", "The certificate names no purpose.") { $0.purposes = [] },
        leaf("unknown-demand", "critical extension", "The certificate demands a rule that nobody knows.") {
            $0.demandsUnknown = true
        },
        leaf("too-long", "lifetime", "The certificate is valid for 826 days.") {
            $0.validity = .seconds(from: -60, to: 826 * 86_400 + 3_600)
        },
        weak("rsa-1024", "key size", "The server's key is RSA with 1024 bits.") { $0.key = .rsa(bits: 1024) },
        weak("p-224", "key size", "The server's key is on a curve of 224 bits.") { $0.key = .ec(curve: "secp224r1") },
        weak("sha-1", "hash", "The authority signed a SHA-1 hash.") { $0.signature = .sha1 },
    ]

    /// Certificates for other names.
    static let names: [AttackCase] = [
        leaf("wrong-host", "host name", "The certificate is for another host.") {
            $0.names = ["other.example"]
            $0.addresses = []
        },
        leaf("common-name-alone", "host name", "The host stands in the common name only.") {
            $0.names = ["other.example"]
            $0.addresses = []
            $0.commonName = "localhost"
        },
        leaf("no-alternative-name", "host name", "There is no alternative name at all.") {
            $0.names = []
            $0.addresses = []
        },
        wildcard("wildcard-two-levels", "A wildcard is to stand for two labels.", "*.localhost"),
        wildcard("wildcard-in-label", "A wildcard is a part of a label.", "a*.lab.localhost"),
        wildcard("wildcard-in-middle", "A wildcard stands in the middle.", "a.*.localhost"),
        wildcard("wildcard-parent", "A wildcard is to stand for no label.", "*.a.lab.localhost"),
        AttackCase(
            "trust/wildcard-on-suffix", "wildcard", "A wildcard stands for every name below a public suffix.",
            given: { named(&$0, "lab.localhost", "lab.localhost") }
        ) { $0.front.certificate.leaf.names = ["*.localhost"] },
        AttackCase(
            "trust/wrong-address", "host name", "The certificate is for another address.",
            given: { $0.front.host = "127.0.0.1" }
        ) { $0.front.certificate.leaf.addresses = ["127.0.0.2"] },
        AttackCase(
            "trust/address-as-name", "host name", "The address stands in the certificate as a DNS name.",
            given: { $0.front.host = "127.0.0.1" }
        ) {
            $0.front.certificate.leaf.addresses = []
            $0.front.certificate.leaf.names = ["127.0.0.1"]
        },
    ]

    private static func leaf(
        _ name: String, _ rule: String, _ attack: String, _ change: (inout LeafProfile) -> Void
    ) -> AttackCase {
        AttackCase("trust/\(name)", rule, attack) { change(&$0.front.certificate.leaf) }
    }

    // Weak keys and hashes need a server that permits them; TLS itself may refuse them already.
    private static func weak(
        _ name: String, _ rule: String, _ attack: String, _ change: (inout LeafProfile) -> Void
    ) -> AttackCase {
        AttackCase(
            "trust/\(name)", rule, attack, given: { $0.front.tls.securityLevel = 0 },
            expected: .refused(.certificate, .handshake)
        ) { change(&$0.front.certificate.leaf) }
    }

    private static func wildcard(_ name: String, _ attack: String, _ presented: String) -> AttackCase {
        AttackCase("trust/\(name)", "wildcard", attack, given: { named(&$0, child, "*.lab.localhost") }) {
            $0.front.certificate.leaf.names = [presented]
        }
    }

    /// The front server is asked as `host` and shows a certificate for `name`.
    static func named(_ scene: inout AttackScene, _ host: String, _ name: String) {
        scene.front.host = host
        scene.front.certificate.leaf.names = [name]
        scene.front.certificate.leaf.addresses = []
    }
}
