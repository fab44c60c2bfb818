extension AttackTable {
    /// Exceptions from App Transport Security that are not for this host, or not for this fault. In each twin the
    /// host's own exception lets the server in.
    static let exceptions: [AttackCase] = [
        excepted("version-elsewhere", "TLS 1.1 is allowed for another host.", old, entry("lab.localhost", floor)) {
            $0.client.transportSecurity = domains(entry("other.example", floor))
        },
        excepted(
            "version-above", "TLS 1.1 is allowed for the domain, and not below it.", old, entry(child, floor),
            host: child
        ) {
            $0.client.transportSecurity = domains(entry("lab.localhost", floor))
        },
        excepted(
            "secrecy-elsewhere", "RSA key exchange is allowed for another host.", transport,
            entry("lab.localhost", secrecy)
        ) {
            $0.client.transportSecurity = domains(entry("other.example", secrecy))
        },
        excepted(
            "version-is-not-secrecy", "A lower version is allowed, and RSA key exchange is offered.", transport,
            entry("lab.localhost", secrecy)
        ) {
            $0.client.transportSecurity = domains(entry("lab.localhost", floor))
        },
        excepted(
            "secrecy-is-not-version", "RSA key exchange is allowed, and TLS 1.1 is offered.", old,
            entry("lab.localhost", floor)
        ) {
            $0.client.transportSecurity = domains(entry("lab.localhost", secrecy))
        },
        excepted(
            "http-is-not-trust", "http is allowed, and the certificate is of an unknown authority.", LabTLS(),
            entry("lab.localhost", http), .certificate
        ) {
            $0.front.certificate.root = .unknown
        },
        excepted("arbitrary-but-this", "Arbitrary loads are allowed, and not for this host.", old, nil) {
            $0.client.transportSecurity = arbitrary + domains(entry("lab.localhost", ""))
        },
    ]

    private static let floor = "<key>NSExceptionMinimumTLSVersion</key><string>TLSv1.1</string>"
    private static let secrecy = "<key>NSExceptionRequiresForwardSecrecy</key><false/>"
    private static let http = "<key>NSExceptionAllowsInsecureHTTPLoads</key><true/>"
    private static let arbitrary = "<key>NSAllowsArbitraryLoads</key><true/>"
    private static let old = LabTLS(minimum: .tls11, maximum: .tls11, securityLevel: 0)
    private static let transport = LabTLS(maximum: .tls12, suites: "AES256-GCM-SHA384", securityLevel: 0)

    private static func entry(_ host: String, _ members: String) -> String {
        "<key>\(host)</key><dict>\(members)</dict>"
    }

    private static func domains(_ entries: String) -> String { "<key>NSExceptionDomains</key><dict>\(entries)</dict>" }

    // Without an entry the twin allows arbitrary loads.
    private static func excepted(
        _ name: String, _ attack: String, _ tls: LabTLS, _ entry: String?,
        _ ending: AttackExpectation.Ending = .handshake, host: String = "lab.localhost",
        _ change: (inout AttackScene) -> Void
    ) -> AttackCase {
        AttackCase(
            "ats/\(name)", "exceptions", attack,
            given: {
                named(&$0, host, host)
                $0.front.certificate.leaf.key = .rsa(bits: 2048)
                $0.front.tls = tls
                $0.client.transportSecurity = entry.map(domains) ?? arbitrary
            }, expected: .refused(ending), attacking: change
        ).atConnections(
            .refused(ending).because("A connection has no exceptions from App Transport Security."),
            usualTwin: true)
    }
}
