package import Pavise
internal import PavisePrimitives

/// Why a command stopped: the words for a person and the same as data. Never holds a secret.
package struct CommandFailure: Error, Sendable {
    package let status: ProgramStatus
    /// One or two sentences: what happened, and what to do.
    package let message: String
    /// For ``ProgramStatus/refused``: the name of the rule.
    package let rule: String?
    /// What a person needs to judge it.
    package let facts: [Report.Fact]
    /// Whether the command has already said it, as part of its report; only the status is left to tell.
    package var isReported = false
    /// The same as an app says it, where the catalogue has words for it.
    package var told: PaviseError?
    /// What the program's log knows this one incident by; `nil` where nothing was written.
    package var supportID: String?

    package init(_ status: ProgramStatus, _ message: String, rule: String? = nil, facts: [Report.Fact] = []) {
        self.status = status
        self.message = message
        self.rule = rule
        self.facts = facts
    }

    /// The failure as a report, so that one renderer prints it as text or JSON. Who reads another language than the
    /// program's gets the catalogue's words first; what the program itself says stays English.
    func report(in language: MessageLanguage = .english) -> Report {
        var report = Report(data: .fields(["error": data]))
        if language != .english, let told {
            report.add(.failure("\(told.title(in: language)). \(told.message(in: language))"))
        }
        report.add(.failure("\(rule.map { "Refused (\($0)). " } ?? "")\(message)"))
        for fact in facts { report.add(.fact(fact)) }
        if let supportID { report.add(.line("For support: \(supportID). “pavise log export” has it.")) }
        return report
    }

    private var data: JSONValue {
        let more = facts.isEmpty ? nil : JSONValue.object(facts.map { .init($0.name, $0.value) })
        return .fields([
            "status": .integer(status.rawValue), "kind": .string("\(status)"), "rule": rule.map { .string($0) },
            "message": .string(message), "facts": more, "supportID": supportID.map { .string($0) },
        ])
    }
}
