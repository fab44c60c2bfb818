extension AttackTable {
    /// Plain http, with and without exceptions for somebody else.
    static let transportSecurity: [AttackCase] = [
        plain("http", "plain http", "The address is http.") { _ in },
        plain("http-address", "plain http", "The address is http to an address.") { $0.front.host = "127.0.0.1" },
        plain("exception-for-another-host", "exceptions", "http is allowed for another host.") {
            $0.client.transportSecurity = allowed("other.example")
        },
        plain("exception-above", "exceptions", "http is allowed for the domain, and not below it.") {
            $0.front.host = child
            $0.client.transportSecurity = allowed("lab.localhost")
        },
        plain("exception-below", "exceptions", "http is allowed for names below the host.") {
            $0.client.transportSecurity = allowed(child, more: "<key>NSIncludesSubdomains</key><true/>")
        },
        plain("exception-of-wrong-type", "exceptions", "The permission is a text in place of a truth.") {
            $0.client.transportSecurity =
                "<key>NSExceptionDomains</key><dict><key>lab.localhost</key><string>yes</string></dict>"
        },
        plain("arbitrary-loads-overruled", "exceptions", "Arbitrary loads are allowed, and not for this host.") {
            $0.client.transportSecurity =
                "<key>NSAllowsArbitraryLoads</key><true/><key>NSExceptionDomains</key><dict><key>lab.localhost</key><dict/></dict>"
        },
        AttackCase(
            "ats/strict-transport-stripped", "strict transport",
            "After an answer over https asked for https only, the address is http.",
            given: {
                $0.client.remembers = true
                $0.client.transportSecurity = allowed("lab.localhost")
                named(&$0, "lab.localhost", "lab.localhost")
                $0.front.script = { _, _ in LabResponse.text("hello").with("Strict-Transport-Security", "max-age=1000")
                }
                $0.trap = .plain
                $0.trap?.host = "lab.localhost"
                $0.steps = [.send(AttackRequest()), .send(AttackRequest())]
            }, expected: .kept(trap: .withoutCanary, .noAnswer, .handshake)
        ) {
            $0.request.address = "http://{trap}/"
            $0.request.hasCredential = false
            $0.request.fields = [.init("X-Key", "{content}")]
        }.atConnections(.kept(.credential).because(onlyOwnOrigin)),
    ]

    /// Servers whose TLS is too old or too weak.
    static let handshakes: [AttackCase] = [
        tls("tls-1.0", "TLS 1.2", "The server speaks TLS 1.0.") {
            $0 = LabTLS(minimum: .tls10, maximum: .tls10, securityLevel: 0)
        },
        tls("tls-1.1", "TLS 1.2", "The server speaks TLS 1.1.") {
            $0 = LabTLS(minimum: .tls11, maximum: .tls11, securityLevel: 0)
        },
        suites("rsa-key-exchange", "forward secrecy", "Keys are agreed on by RSA encryption.", "AES256-GCM-SHA384"),
        suites("rsa-key-exchange-cbc", "forward secrecy", "The same, with CBC.", "AES128-SHA"),
        suites(
            "finite-field", "forward secrecy", "Keys are agreed on over a finite field.", "DHE-RSA-AES128-GCM-SHA256"),
        suites("no-encryption", "suites", "Nothing is encrypted.", "ECDHE-RSA-NULL-SHA"),
        suites("anonymous", "suites", "Nobody proves who the server is.", "AECDH-AES128-SHA"),
        suites("camellia", "suites", "A suite that is not among the allowed ones.", "ECDHE-RSA-CAMELLIA128-SHA256"),
        // Of those with forward secrecy only the ones for an elliptic key have such a tag.
        AttackCase("ats/ccm-8", "suites", "A suite with a tag of eight bytes.", expected: .refused(.handshake)) {
            $0.front.tls = LabTLS(maximum: .tls12, suites: "ECDHE-ECDSA-AES128-CCM8", securityLevel: 0)
        },
        suites(
            "cbc-sha384", "suites", "A suite with CBC that is not among the allowed ones.", "ECDHE-RSA-AES256-SHA384"),
    ]

    static func allowed(_ host: String, more: String = "") -> String {
        """
        <key>NSExceptionDomains</key><dict><key>\(host)</key><dict>
        <key>NSExceptionAllowsInsecureHTTPLoads</key><true/>\(more)</dict></dict>
        """
    }

    // The credential is left out, so that the twin's server without TLS may be asked: see credentials.
    private static func plain(
        _ name: String, _ rule: String, _ attack: String, _ change: (inout AttackScene) -> Void
    ) -> AttackCase {
        AttackCase(
            "ats/\(name)", rule, attack,
            given: {
                $0.front.isSecure = false
                $0.front.host = "lab.localhost"
                $0.request.hasCredential = false
                $0.request.fields = [.init("X-Key", "{content}")]
                $0.client.transportSecurity = allowed("lab.localhost")
            }, expected: .never(.transportSecurity)
        ) {
            $0.client.transportSecurity = nil
            change(&$0)
        }.atConnections(
            .never(.transportSecurity, .credential).because("A credential never goes without TLS."),
            usualTwin: true)
    }

    private static func suites(_ name: String, _ rule: String, _ attack: String, _ list: String) -> AttackCase {
        tls(name, rule, attack) { $0 = LabTLS(maximum: .tls12, suites: list, securityLevel: 0) }
    }

    private static func tls(
        _ name: String, _ rule: String, _ attack: String, _ change: (inout LabTLS) -> Void
    ) -> AttackCase {
        AttackCase(
            "ats/\(name)", rule, attack,
            given: {
                $0.front.certificate.leaf.key = .rsa(bits: 2048)
            }, expected: .refused(.handshake)
        ) { change(&$0.front.tls) }
    }
}
