import PaviseLab
import PavisePrimitives
import PaviseTransport
import Testing

/// A certificate authority, a server of its own and a client that trusts it.
struct TestLab {
    let authority: CertificateAuthority
    let identity: ServerIdentity
    let server: LabServer
    let client: HTTPClient

    init(
        _ profile: LeafProfile = LeafProfile(), tls: LabTLS = LabTLS(), policy: TrustPolicy = TrustPolicy(),
        handler: @escaping LabServer.Handler = { _ in .text("hello") }
    ) throws {
        authority = try CertificateAuthority()
        identity = try authority.issue(profile)
        server = try LabServer.start(identity, tls: tls, handler: handler)
        var policy = policy
        policy.anchors = .only([authority.anchor])
        client = try HTTPClient(policy: policy)
    }

    func url(_ path: String = "/", host: String = "localhost") throws -> WebURL {
        try WebURL(server.address(path, host: host))
    }

    func get(_ path: String = "/") async throws(TransportFailure) -> HTTPResponse {
        guard let url = try? url(path) else { throw .unusableRequest(path) }
        return try await client.send(HTTPRequest("GET", url))
    }
}

/// The failure that `body` ended with; an answer is recorded as an issue.
func failure<Answer>(
    sourceLocation: SourceLocation = #_sourceLocation, of body: () async throws(TransportFailure) -> Answer
) async -> TransportFailure? {
    do throws(TransportFailure) {
        _ = try await body()
        Issue.record("an answer came", sourceLocation: sourceLocation)
        return nil
    } catch {
        return error
    }
}
