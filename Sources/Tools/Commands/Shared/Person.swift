package import PavisePrimitives

/// Whoever sits in front of the program, or the script that plays the part.
package protocol Person: Sendable {
    /// Asks for a secret without showing it; from a script, the first line of standard input.
    ///
    /// - Returns: `nil` when nobody can be asked and standard input is empty.
    func secret(_ prompt: String) throws(SystemFailure) -> SecretBytes?

    /// Asks for a value that is to be kept whole, without showing it; from a script, all of standard input.
    ///
    /// One line of text comes without its line end. Anything else (several lines, other bytes than text) comes as it
    /// was given, to the last byte.
    /// - Returns: `nil` when nobody can be asked and standard input is empty.
    func value(_ prompt: String) throws(ValueProblem) -> SecretBytes?

    /// Asks for one secret after each prompt, without showing them; from a script, the first lines of standard input.
    ///
    /// - Returns: As many as were given: fewer when nobody can be asked or standard input ends.
    func secrets(_ prompts: [String]) throws(SystemFailure) -> [SharedSecretBytes]

    /// Asks a question whose answer is shown.
    ///
    /// - Returns: `nil` when there is no terminal.
    func answer(to question: String) throws(SystemFailure) -> String?
}

/// The person at this process's terminal.
struct TerminalPerson: Person {
    /// The longest secret that is taken, in bytes.
    static let secretLimit = 65_536

    func secret(_ prompt: String) throws(SystemFailure) -> SecretBytes? {
        guard Terminal.isInteractive(.input) else {
            // One more than is allowed, so that a longer one is noticed and never cut short.
            let line = try Terminal.readSecretFromInput(limit: Self.secretLimit + 1)
            guard line.count > 0 else { return nil }
            return line
        }
        return try SecretPrompt.ask(prompt)?.bytes.duplicate()
    }

    func secrets(_ prompts: [String]) throws(SystemFailure) -> [SharedSecretBytes] {
        guard Terminal.isInteractive(.input) else {
            return try Terminal.readSecretsFromInput(count: prompts.count).map {
                SharedSecretBytes($0.bytes.duplicate())
            }
        }
        var secrets: [SharedSecretBytes] = []
        for prompt in prompts {
            guard let typed = try SecretPrompt.ask(prompt)?.bytes.duplicate() else { break }
            secrets.append(SharedSecretBytes(typed))
        }
        return secrets
    }

    func answer(to question: String) throws(SystemFailure) -> String? {
        guard Terminal.isInteractive(.input) else { return nil }
        return try Terminal.readAnswer(to: question)
    }
}
