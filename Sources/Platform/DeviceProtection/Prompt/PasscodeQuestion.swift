package import PavisePrimitives

/// A question for a passcode or password, in words for a person. Nothing in it is secret.
package struct PasscodeQuestion: Hashable, Sendable {
    /// Why it is asked; one or two sentences.
    package var reason: String
    /// What is asked for, for example `Passcode`.
    package var label: String
    /// What was wrong with the answer before.
    package var problem: String?

    /// A question.
    package init(reason: String, label: String = "Passcode", problem: String? = nil) {
        self.reason = reason
        self.label = label
        self.problem = problem
    }

    /// The words on one line, for those who cannot show more: no control or direction characters, 300 at most.
    package var line: String {
        let text = [problem, reason, label + ":"].compactMap(\.self).joined(separator: " ")
        let harmless = text.unicodeScalars.map { $0.shownAsNumber == nil ? $0 : " " }
        return String(String(String.UnicodeScalarView(harmless)).prefix(300))
    }
}

/// Who asks a person for a passcode.
package protocol PasscodeAsker: Sendable {
    /// Asks, and waits for the answer.
    ///
    /// - Throws: ``DeviceFailure/cancelled`` when the person stops; ``DeviceFailure/notInteractive`` when nobody can be
    ///   asked.
    func ask(_ question: PasscodeQuestion) throws(DeviceFailure) -> SecretBytes
}

/// Asks the way this process can: the program PAVISE_ASKPASS, the pinentry PAVISE_PINENTRY, the pinentry of the system
/// where there is a terminal or a desktop, and else the terminal.
package struct SystemAsker: PasscodeAsker {
    private let terminal: any PasscodeAsker

    /// The way of this process.
    ///
    /// - Parameter terminal: Asks at the terminal.
    package init(atTerminal terminal: any PasscodeAsker = TerminalAsker()) { self.terminal = terminal }

    /// See ``PasscodeAsker/ask(_:)``.
    package func ask(_ question: PasscodeQuestion) throws(DeviceFailure) -> SecretBytes {
        if let program = PaviseHome.variable("PAVISE_ASKPASS") { return try AskpassAsker(program).ask(question) }
        if let program = PaviseHome.variable("PAVISE_PINENTRY") { return try PinentryAsker(program).ask(question) }
        if Self.isAtDesk, Self.hasPinentry { return try PinentryAsker("pinentry").ask(question) }
        return try terminal.ask(question)
    }

    private static var isAtDesk: Bool {
        PaviseHome.variable("DISPLAY") != nil || PaviseHome.variable("WAYLAND_DISPLAY") != nil
    }

    private static var hasPinentry: Bool {
        (PaviseHome.variable("PATH") ?? "/usr/bin:/bin").split(separator: ":")
            .contains { DurableFile.exists("\($0)/pinentry") }
    }
}

/// Asks on the terminal of the process, without showing what is typed.
package struct TerminalAsker: PasscodeAsker {
    /// The terminal of the process.
    package init() {}

    /// See ``PasscodeAsker/ask(_:)``.
    package func ask(_ question: PasscodeQuestion) throws(DeviceFailure) -> SecretBytes {
        let prompt = question.line + " "
        return try Self.answer { () throws(SystemFailure) in try Terminal.readSecret(prompt: prompt) }
    }

    /// What was typed: nothing at all is a person who stops, and no terminal nobody who could be asked.
    package static func answer(
        _ read: () throws(SystemFailure) -> SecretBytes?
    ) throws(DeviceFailure) -> SecretBytes {
        var isAnswered = false
        let answer = try DeviceFailure.reporting { () -> SecretBytes in
            guard let typed = try read() else { return SecretBytes(count: 0) { _ in } }
            isAnswered = true
            return typed
        }
        guard isAnswered else { throw .notInteractive }
        guard answer.count > 0 else { throw .cancelled }
        return answer
    }
}

/// Asks through a program that prints the answer, as ssh does: the question is its argument.
package struct AskpassAsker: PasscodeAsker {
    private let program: String

    /// Asks through `program`, a path or a name in PATH.
    package init(_ program: String) { self.program = program }

    /// See ``PasscodeAsker/ask(_:)``. A status other than 0 means that the person stopped.
    package func ask(_ question: PasscodeQuestion) throws(DeviceFailure) -> SecretBytes {
        let line = question.line
        var answer: [UInt8] = []
        defer { Wipe.bytes(&answer) }
        let status = try DeviceFailure.reporting { () -> Int32 in
            var child = try PipedProcess.start(program, [line], showsErrors: true)
            answer = try child.line(limit: 4096, within: -1) ?? []
            return child.finish()
        }
        guard status == 0 else { throw .cancelled }
        if answer.last == 13 { answer.removeLast() }
        guard !answer.isEmpty else { throw .cancelled }
        return SecretBytes(copying: answer.span)
    }
}
