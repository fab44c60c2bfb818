internal import SecurityFramework

/// One attack, staged against the real code: what the attacker does, and what has to stop it.
struct Scene: Sendable {
    /// The place in the play, from 1.
    let number: Int
    /// What the scene is about, in a few words.
    let title: String
    /// What the attacker (or bad luck) does.
    let attack: String
    /// The control that has to stop it.
    let control: String
    /// Plays the scene and tells what was seen. Throws ``SceneFailure`` where the control did not hold.
    let play: @Sendable (Stage) async throws -> [String]
}

/// Something in a scene was not as it has to be.
struct SceneFailure: Error, Hashable, CustomStringConvertible {
    /// What was expected, and what was seen instead. Never a secret.
    let description: String

    init(_ description: String) { self.description = description }
}

/// Stops the scene unless `condition` holds.
func require(_ condition: Bool, _ expectation: @autoclosure () -> String) throws(SceneFailure) {
    guard condition else { throw SceneFailure(expectation()) }
}

/// What became of a scene.
struct SceneReport: Sendable {
    let number: Int
    let title: String
    let attack: String
    let control: String
    /// What was seen, one fact a line.
    let evidence: [String]
    /// Why the scene failed; `nil` when the control held.
    let failure: String?
    /// How long it took.
    let milliseconds: Int64

    /// Whether the control held.
    var isPassed: Bool { failure == nil }
}

extension Scene {
    /// Plays the scene on a stage of its own and reports; an error of any kind is a failed scene, never a crash.
    func perform(with program: String?) async -> SceneReport {
        let clock = ContinuousClock()
        let start = clock.now
        var evidence: [String] = []
        var failure: String?
        do {
            let stage = try Stage(program: program)
            defer { stage.close() }
            evidence = try await SecurityEnvironment.$override.withValue(Stage.environment(stage.home)) {
                try await play(stage)
            }
        } catch {
            failure = "\(error)"
        }
        let (seconds, attoseconds) = (clock.now - start).components
        return SceneReport(
            number: number, title: title, attack: attack, control: control, evidence: evidence, failure: failure,
            milliseconds: seconds * 1000 + attoseconds / 1_000_000_000_000_000)
    }
}
