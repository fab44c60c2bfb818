/// A way for requests to leave: the client, URLSession, the program.
public protocol AttackedClient: Sendable {
    /// Which one.
    var name: AttackedClientName { get }

    /// A client that knows what the scene's client has been told.
    func session(on stage: AttackStage) async throws -> any AttackedSession
}

/// A client behind a target, for one scene.
public protocol AttackedSession: Sendable {
    /// Sends a request and says how it ended.
    func send(_ request: AttackRequest) async -> AttackEnd

    /// Takes other pins from now on.
    func use(_ pins: [AttackPins]) async throws
}

extension AttackedClient {
    /// Plays the steps of a scene.
    ///
    /// - Returns: How each request ended.
    public func play(_ stage: AttackStage) async throws -> [AttackEnd] {
        let session = try await session(on: stage)
        var ends: [AttackEnd] = []
        for step in stage.scene.steps {
            switch step {
            case .send(let request): ends.append(await session.send(request))
            case .change(let certificate): try stage.change(certificate)
            case .pin(let pins): try await session.use(pins)
            }
        }
        return ends
    }
}
