internal import PaviseArguments
internal import PaviseCommands
internal import PavisePrimitives

/// `pavise-lab demo`: attacks against the real code, on this machine alone.
enum DemoCommand {
    private static let chosen = Option(
        "scene", value: "NUMBER", help: "Play only the scene of this number.", parse: number)

    private static let account = Option(
        "app", value: "ACCOUNT", help: "Be the app of a scene: one request by this account of PAVISE_HOME, then end.")

    static let action = Action(
        Command(
            "demo", abstract: "Play attacks against a session and show what stops them.",
            discussion: """
                Starts a certificate authority, servers that misbehave and an OAuth authority on loopback, in this \
                process and with a home of its own. The scenes' app is what any app is: it does everything through \
                AppSecurity. What is killed is another process of this program. Your connections and keychain are not \
                touched. The status is 1 if any scene fails.
                """,
            parameters: [chosen, account, Shared.json],
            examples: [
                .init("pavise-lab demo", "Play all scenes."),
                .init("pavise-lab demo --scene 8", "Play the man in the middle."),
            ])
    ) { invocation, environment in
        if let name = invocation[account] {
            return try environment.console.show(text: try await Stage.request(by: name, in: environment.home) + "\n")
        }
        let only = invocation[chosen]
        let asJSON = invocation[Shared.json]
        var reports: [SceneReport] = []
        for scene in Scene.all where only == nil || scene.number == only {
            let report = await scene.perform(with: LabProgram.own)
            reports.append(report)
            if !asJSON { try environment.console.show(report.rendered) }
        }
        let summary = summary(of: reports)
        try environment.console.show(summary, asJSON: asJSON)
        guard reports.allSatisfy(\.isPassed) else {
            var failure = CommandFailure(.failed, "A scene failed.")
            failure.isReported = true
            throw failure
        }
    }

    private static func summary(of reports: [SceneReport]) -> Report {
        let passed = reports.filter(\.isPassed).count
        let failed = reports.count - passed
        let data = JSONValue.fields([
            "passed": .integer(passed), "failed": .integer(failed), "scenes": .array(reports.map(\.data)),
        ])
        let words = "\(passed) scenes passed, \(failed) failed"
        return Report(data: data).adding(failed == 0 ? .success(words) : .failure(words))
    }

    private static func number(_ text: String) throws(Parameter.Invalid) -> Int {
        guard let number = Int(text), Scene.all.contains(where: { $0.number == number }) else {
            throw Parameter.Invalid("takes a number from 1 to \(Scene.all.count)")
        }
        return number
    }
}

extension SceneReport {
    /// The scene as data.
    fileprivate var data: JSONValue {
        .fields([
            "number": .integer(number), "title": .string(title), "attack": .string(attack), "control": .string(control),
            "passed": .bool(isPassed), "evidence": .array(evidence.map { .string($0) }),
            "failure": failure.map { .string($0) }, "milliseconds": .integer(milliseconds),
        ])
    }

    /// The scene for a person.
    fileprivate var rendered: Report {
        var report = Report(data: data)
        report.add(.heading("\(number). \(title)"))
        report.add(.fact(.init("attack", "attack", attack)))
        report.add(.fact(.init("control", "stopped by", control)))
        for line in evidence { report.add(.fact(.init("evidence", "seen", line))) }
        report.add(
            failure.map { .failure("  FAILED: \($0) (\(milliseconds) ms)") }
                ?? .success("  passed in \(milliseconds) ms"))
        return report
    }
}
