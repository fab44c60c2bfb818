internal import Pavise
internal import PaviseArguments
internal import PavisePrimitives

/// A way to sign in that is weaker than what the server offered before: a person's word, or nothing (connections C15).
struct WeakerMethod: Sendable {
    let plan: ConnectPlan
    /// What is weaker than what, as a sentence.
    let words: String

    /// Gets the word from --accept-weaker or from a person at the terminal.
    ///
    /// - Throws: ``CommandFailure`` with status 3 without it, and where an administrator lets nobody give it.
    func accept(_ question: String) throws {
        guard try plan.environment.connections.methodRules().mayWeaken else { throw managed }
        guard !plan.invocation[ConnectOptions.weaker] else { return }
        guard !plan.invocation[Shared.json], try plan.environment.person.answer(to: "\(words) \(question)") == "yes"
        else {
            throw CommandFailure(
                .refused, "\(words) If you know why, connect again with --accept-weaker. Nothing was sent.",
                rule: "downgrade")
        }
    }

    /// The refusal where nobody can give it.
    var managed: CommandFailure {
        CommandFailure(.refused, "\(words) The administrator lets nobody weaken that.", rule: "downgrade")
    }
}
