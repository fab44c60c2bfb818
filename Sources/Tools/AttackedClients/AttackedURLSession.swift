internal import Foundation
public import PaviseLab
internal import PavisePrimitives
internal import PaviseTransport
internal import PaviseURLSession

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

/// Foundation's URLSession behind our protocol.
public struct AttackedURLSession: AttackedClient {
    /// Which target.
    public let name = AttackedClientName.urlSession

    private let delegate: AttackedDelegate?

    /// The target.
    ///
    /// - Parameter delegate: Who is asked about servers; nobody without one.
    public init(asking delegate: AttackedDelegate? = nil) { self.delegate = delegate }

    /// A session of its own.
    public func session(on stage: AttackStage) async throws -> any AttackedSession {
        let policy = AttackPolicy(stage: stage)
        let client = try await policy.client()
        let configuration = URLSessionConfiguration.pavise(
            client, redirects: policy.redirects, consent: policy.consent)
        let session = URLSession(configuration: configuration, delegate: delegate?.make(), delegateQueue: nil)
        return LoadingSession(stage: stage, policy: policy, client: client, session: session)
    }
}

private struct LoadingSession: AttackedSession {
    let stage: AttackStage
    let policy: AttackPolicy
    let client: HTTPClient
    let session: URLSession

    func send(_ request: AttackRequest) async -> AttackEnd {
        guard let url = URL(string: stage.address(of: request)) else {
            return .stopped(.unusable, words: "no address for Foundation")
        }
        do {
            let (data, response) = try await session.data(for: message(request, to: url))
            let status = (response as? HTTPURLResponse)?.statusCode ?? 0
            return .answer(status: status, body: String(decoding: data, as: UTF8.self))
        } catch {
            if let failure = (error as? URLError)?.transportFailure { return AttackEnd(failure) }
            return .stopped(.noAnswer, words: "\(error)")
        }
    }

    func use(_ pins: [AttackPins]) async throws {
        var changed = client.policy
        changed.pins = try pins.map(policy.pins)
        client.use(changed)
    }

    private func message(_ request: AttackRequest, to url: URL) -> URLRequest {
        var message = URLRequest(url: url, timeoutInterval: 10)
        message.httpMethod = request.method
        message.httpBody = request.body.map { Data(stage.canaries.filled($0).utf8) }
        for field in request.fields {
            message.setValue(stage.canaries.filled(field.value), forHTTPHeaderField: field.name)
        }
        if request.hasCredential {
            let end = request.hasBrokenCredential ? "\r\nX-Injected: yes" : ""
            message.setValue("Bearer \(stage.canaries.credential)\(end)", forHTTPHeaderField: "Authorization")
        }
        return message
    }
}
