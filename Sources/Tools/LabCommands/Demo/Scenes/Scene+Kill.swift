internal import Pavise
internal import PaviseLab

extension Scene {
    static let kill = Scene(
        number: 7, title: "kill -9 between rotation and store",
        attack: "the process dies after the server rotated the refresh token and before the new one is stored",
        control: "a journal on disk before the first byte leaves; one retry at the next start, then the plain truth"
    ) { stage in
        let app = try stage.app()
        let forgiving = try await lostAnswer(stage, app, rotation: .grace(seconds: 10), as: "forgiving")
        let again = try stage.run(requestBy: "forgiving")
        try require(again.status == 0, "with grace: expected status 0, saw \(again.status): \(again.messages)")
        try require(forgiving.counters.graceAnswers == 1, "the authority saw no retry of the same token")

        let strict = try await lostAnswer(stage, app, rotation: .strict, as: "strict")
        let refused = try stage.run(requestBy: "strict")
        try require(refused.status == 4, "without grace: expected status 4, saw \(refused.status): \(refused.messages)")
        // Without the journal the app could not tell a lost answer from a session that the server ended.
        let truth = "the server's last answer was lost"
        try require(
            refused.messages.contains("Sign in again") && refused.messages.contains(truth),
            "without grace: expected “Sign in again: \(truth)”, saw: \(refused.messages)")
        _ = strict

        // Nothing else is lost: the other session, and the list of both.
        let other = try stage.run(requestBy: "forgiving")
        try require(other.status == 0, "the other session was lost: \(other.messages)")
        try require(other.output == "200 forgiving strict\n", "an account was lost: \(other.output)")
        return [
            "grace of 10 s: killed, started again, answered 200; the authority saw the same token once more",
            "no grace: exit status 4, “Sign in again”; the other session and both accounts are there",
        ]
    }

    // Signs in, lets a child refresh, and kills the child when the server has rotated but not answered.
    private static func lostAnswer(
        _ stage: Stage, _ app: AppSecurity, rotation: AuthorityConfiguration.Rotation, as name: String
    ) async throws -> LabAuthority {
        var configuration = AuthorityConfiguration()
        configuration.rotation = rotation
        let oauth = try stage.oauth(configuration)
        _ = try await stage.signedIn(at: oauth, as: name, in: app)
        oauth.expireAccessTokens()
        let gate = LabGate()
        oauth.fail(.token, with: .late(gate), times: 1)
        let child = try stage.start(requestBy: name)
        guard await oauth.waitForRotation() else {
            child.kill()
            throw SceneFailure("\(name): the child did not refresh: \(child.finish().messages)")
        }
        child.kill()
        let run = child.finish()
        try require(run.status == 128 + 9, "\(name): the child was to be killed, but ended with \(run.status)")
        gate.open()
        return oauth
    }
}
