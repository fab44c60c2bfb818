import Foundation
import FoundationNetworking
import PaviseLab
import PaviseTransport
import PaviseURLSession

/// A server of a test authority, and a session of Foundation's that goes through our door and trusts only that
/// authority.
struct URLSessionLab {
    let authority: CertificateAuthority
    let identity: ServerIdentity
    let server: LabServer
    let session: URLSession

    init(
        _ profile: LeafProfile = LeafProfile(), tls: LabTLS = LabTLS(), pins: [PinSet] = [],
        redirects: RedirectPolicy = .sameOrigin, options: ClientOptions = ClientOptions(),
        delegate: (any URLSessionDelegate)? = nil, adjust: (URLSessionConfiguration) -> Void = { _ in },
        handler: @escaping LabServer.Handler = { _ in .text("hello") }
    ) throws {
        authority = try CertificateAuthority()
        identity = try authority.issue(profile)
        server = try LabServer.start(identity, tls: tls, handler: handler)
        let policy = TrustPolicy(anchors: .only([authority.anchor]), pins: pins)
        let configuration = try URLSessionConfiguration.pavise(policy: policy, redirects: redirects, options: options)
        adjust(configuration)
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    }

    func request(_ path: String = "/", _ method: String = "GET") throws -> URLRequest {
        guard let url = URL(string: server.address(path, host: "localhost")) else { throw CancellationError() }
        var request = URLRequest(url: url)
        request.httpMethod = method
        return request
    }

    func get(_ path: String = "/") async throws -> (Data, HTTPURLResponse) {
        let (data, response) = try await session.data(for: request(path))
        guard let response = response as? HTTPURLResponse else { throw CancellationError() }
        return (data, response)
    }
}

/// The URLError that `body` ended with; `nil` when there was an answer or another error.
func urlError<Answer>(of body: () async throws -> Answer) async -> URLError? {
    do {
        _ = try await body()
        return nil
    } catch {
        return error as? URLError
    }
}
