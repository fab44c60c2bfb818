internal import PaviseLab
internal import PaviseTransport

/// A server that must be refused, and the reason that must be given.
private struct BadServer: Sendable {
    enum Reason: Sendable {
        case certificate(TrustFailure)
        case tls
    }

    let name: String
    let profile: LeafProfile
    var tls = LabTLS()
    let reason: Reason

    static let weak = LabTLS(securityLevel: 0)
    static let all = [
        BadServer(name: "expired", profile: LeafProfile(validity: .expired), reason: .certificate(.expired)),
        BadServer(
            name: "not yet valid", profile: LeafProfile(validity: .notYetValid), reason: .certificate(.notYetValid)),
        BadServer(
            name: "wrong host", profile: LeafProfile(names: ["other.example"], addresses: []),
            reason: .certificate(.wrongHost)),
        BadServer(name: "self-signed", profile: LeafProfile(isSelfSigned: true), reason: .certificate(.selfSigned)),
        BadServer(
            name: "RSA 1024", profile: LeafProfile(key: .rsa(bits: 1024)), tls: weak, reason: .certificate(.weakKey)),
        BadServer(
            name: "SHA-1", profile: LeafProfile(signature: .sha1), tls: weak, reason: .certificate(.weakSignature)),
        BadServer(
            name: "TLS 1.1", profile: LeafProfile(), tls: LabTLS(minimum: .tls10, maximum: .tls11, securityLevel: 0),
            reason: .tls),
        BadServer(
            name: "RSA key exchange", profile: LeafProfile(key: .rsa(bits: 2048)),
            tls: LabTLS(maximum: .tls12, suites: "AES128-GCM-SHA256:AES256-GCM-SHA384"), reason: .tls),
    ]
}

extension Scene {
    static let badServers = Scene(
        number: 9, title: "Eight bad servers",
        attack: "expired, not yet valid, wrong host, self-signed, RSA 1024, SHA-1, TLS 1.1, RSA key exchange",
        control: "server trust rules and the ATS floor, each with its own reason"
    ) { stage in
        let client = try stage.client()
        let good = try stage.server(try stage.authority.issue())
        let response = try await client.send(HTTPRequest("GET", try url(good.address())))
        try require(response.status == 200, "the good server must be reached, saw \(response.status)")
        var evidence: [String] = []
        for bad in BadServer.all {
            let server = try stage.server(try stage.authority.issue(bad.profile), tls: bad.tls)
            let seen = try await failure(of: client, server.address(), bad.name)
            evidence.append("\(bad.name): \(try reason(seen, for: bad))")
            try requireSilence(server, bad.name)
        }
        try require(Set(evidence.map { $0.drop { $0 != ":" } }).count == evidence.count, "two servers gave one reason")
        return evidence
    }

    private static func reason(_ failure: TransportFailure, for bad: BadServer) throws(SceneFailure) -> String {
        switch (failure, bad.reason) {
        case (.untrusted(let refusal), .certificate(let expected)):
            try require(
                refusal.failures.first == expected, "\(bad.name): expected \(expected), saw \(refusal.failures)")
            return expected.rawValue
        case (.tls(let words, _), .tls): return words
        default: throw SceneFailure("\(bad.name): expected \(bad.reason), saw \(failure)")
        }
    }
}
