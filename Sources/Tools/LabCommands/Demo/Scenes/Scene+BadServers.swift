internal import Pavise
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
        let app = try stage.app()
        let good = try stage.passwordServer(try stage.authority.issue())
        let account = try await stage.account(at: try await app.review(good.address()), as: "good", in: app)
        try await requireAnswer(of: account, "the good server")
        var evidence: [String] = []
        for bad in BadServer.all {
            let server = try stage.server(try stage.authority.issue(bad.profile), tls: bad.tls)
            evidence.append("\(bad.name): \(try await reason(app, server.address(), for: bad))")
            try await requireSilence(server, bad.name)
        }
        try require(Set(evidence.map { $0.drop { $0 != ":" } }).count == evidence.count, "two servers gave one reason")
        return evidence
    }

    private static func reason(_ app: AppSecurity, _ address: String, for bad: BadServer) async throws -> String {
        let failures: [TrustFailure]
        do throws(PaviseError) {
            switch try await app.review(address).verdict {
            case .trusted: throw PaviseError(SceneFailure("\(bad.name): trusted"))
            case .needsApproval(let review): failures = review.failures
            case .refused(let error): throw error
            }
        } catch {
            guard case TransportFailure.tls(let words, _) = error.underlying, case .tls = bad.reason else {
                return try certified(try refusal(in: error, bad.name).failures, bad)
            }
            return words
        }
        return try certified(failures, bad)
    }

    private static func certified(_ failures: [TrustFailure], _ bad: BadServer) throws(SceneFailure) -> String {
        guard case .certificate(let expected) = bad.reason, failures.first == expected else {
            throw SceneFailure("\(bad.name): expected \(bad.reason), saw \(failures)")
        }
        return expected.rawValue
    }
}
