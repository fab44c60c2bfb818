internal import PaviseArguments
internal import PaviseIntegrity
internal import PavisePrimitives

/// `pavise device integrity`: what the checks of this process and this machine find.
enum IntegrityCommand {
    private static let isStrict = Flag("strict", help: "End with 3 where the policy for releases would stop an app.")

    static let action = Action(
        Command(
            "integrity", abstract: "Look for signs that this process or machine is watched or changed.",
            discussion: """
                Looks for tracers, foreign code in this process, unusual rights, files that others can replace, \
                and files of rootkits. Nothing is changed and nothing is sent. What could not be asked is told. A \
                check in the process itself stops the careless; whoever controls the process can hide everything \
                from it, so that nothing found proves nothing.

                Exit status: 0 told, 2 usage, 3 with --strict where the policy for releases closes or ends an app.
                """,
            parameters: [isStrict, Shared.json],
            examples: [
                .init("pavise device integrity", "Say what is found."),
                .init("pavise device integrity --strict", "Stop a script where an app would stop."),
            ])
    ) { invocation, environment in
        let report = DeviceIntegrity.check()
        let verdict = IntegrityPolicy.release.verdict(on: report)
        try environment.show(IntegrityPage(report: report, verdict: verdict).page, for: invocation)
        guard !invocation[isStrict] || verdict.action < .degrade else { throw CommandFailure.reported(.refused) }
    }
}

/// What the checks found, as text and as JSON.
struct IntegrityPage {
    let report: IntegrityReport
    let verdict: IntegrityVerdict

    var page: Report {
        var page = Report(data: data)
        for finding in report.findings {
            let line = "\(finding.strength)  \(finding.rule.rawValue)  \(finding.rule.summary)"
            page.add(finding.strength == .certain ? .failure(line) : .line(line))
            page.add(.line("    \(finding.evidence)"))
        }
        for gap in report.gaps { page.add(.line("not asked  \(gap.check.rawValue)  \(gap.reason)")) }
        for note in report.notes { page.add(.line("note  \(note)")) }
        page.add(.line(report.summary))
        page.add(.fact(.init("action", "An app would", verdict.action.name)))
        return page
    }

    private var data: JSONValue {
        .fields([
            "checks": .array(report.checks.map { .string($0.rawValue) }),
            "findings": .array(
                report.findings.map { finding in
                    .fields([
                        "rule": .string(finding.rule.rawValue), "kind": .string(finding.kind.rawValue),
                        "strength": .string("\(finding.strength)"), "evidence": .string(finding.evidence),
                        "source": .string(finding.rule.source), "date": .string(finding.rule.date),
                    ])
                }),
            "notAsked": .array(
                report.gaps.map { .fields(["check": .string($0.check.rawValue), "reason": .string($0.reason)]) }),
            "notes": .array(report.notes.map { .string($0) }), "action": .string(verdict.action.name),
        ])
    }
}
