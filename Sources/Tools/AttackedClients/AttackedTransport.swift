public import PaviseLab
internal import PavisePrimitives
internal import PaviseTransport

/// The client of the kit.
public struct AttackedTransport: AttackedClient {
    /// Which target.
    public let name = AttackedClientName.client

    /// The target.
    public init() {}

    /// A client with a pool of its own.
    public func session(on stage: AttackStage) async throws -> any AttackedSession {
        let policy = AttackPolicy(stage: stage)
        return ClientSession(stage: stage, policy: policy, client: try await policy.client())
    }
}

extension AttackPolicy {
    /// A client that knows what the scene's client has been told.
    func client() async throws -> HTTPClient {
        var options = ClientOptions()
        options.proxies = .environment(stage.variables)
        if stage.scene.client.remembers {
            options.cookies = CookieJar()
            options.strictTransport = HSTSStore()
        }
        return try HTTPClient(policy: try await trust(), configuration: try configuration(), options: options)
    }

    /// How far redirects are followed.
    var redirects: RedirectPolicy {
        switch stage.scene.client.redirects {
        case .reported: .report
        case .sameOrigin: .sameOrigin
        case .agreed, .agreedThenChanged, .disagreed: .withConsent
        case .agreedWithinFront: RedirectPolicy(.withConsent, allowedOrigins: [origin])
        }
    }

    /// Whoever is asked about a redirect.
    var consent: HTTPClient.RedirectConsent? {
        let (stage, answer) = (stage, stage.scene.client.redirects)
        return { _, _ in
            switch answer {
            case .agreed, .agreedWithinFront: return true
            case .agreedThenChanged: return (try? stage.changeTrap()) != nil
            case .reported, .sameOrigin, .disagreed: return false
            }
        }
    }
}

private struct ClientSession: AttackedSession {
    let stage: AttackStage
    let policy: AttackPolicy
    let client: HTTPClient

    func send(_ request: AttackRequest) async -> AttackEnd {
        guard let url = try? WebURL(stage.address(of: request)) else {
            return .stopped(.unusable, words: "the address")
        }
        var message = HTTPRequest(request.method, url, body: request.body.map { Array(stage.canaries.filled($0).utf8) })
        message.limits.idle = .seconds(10)
        for field in request.fields {
            guard message.fields.append(field.name, stage.canaries.filled(field.value)) else {
                return .stopped(.unusable, words: "the field \(field.name)")
            }
        }
        do throws(TransportFailure) {
            let answer = try await send(message, request)
            return .answer(status: answer.status, body: String(decoding: answer.body, as: UTF8.self))
        } catch {
            return AttackEnd(error)
        }
    }

    func use(_ pins: [AttackPins]) async throws {
        var changed = client.policy
        changed.pins = try pins.map(policy.pins)
        client.use(changed)
    }

    private func send(_ message: HTTPRequest, _ request: AttackRequest) async throws(TransportFailure) -> HTTPResponse {
        guard request.hasCredential else {
            return try await client.send(message, following: policy.redirects, consent: policy.consent).result()
        }
        let text = stage.canaries.credential + (request.hasBrokenCredential ? "\r\nX-Injected: yes" : "")
        let authorization = Authorization(
            scheme: "Bearer", credential: SecretBytes(utf8: text), origin: policy.origin)
        return try await client.send(message, with: authorization, following: policy.redirects, consent: policy.consent)
            .result()
    }
}

extension FollowedResponse {
    /// The answer; a redirect in circles or without end, to http or to no address is none.
    fileprivate func result() throws(TransportFailure) -> HTTPResponse {
        switch stop {
        case .loop, .tooMany, .downgrade, .unusableTarget, .refusedByATS: throw .redirects("\(stop, default: "")")
        default: return response
        }
    }
}
