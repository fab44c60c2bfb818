internal import PaviseDevice
internal import PavisePrimitives
internal import PavisePrivacy

/// Asks for PINs, passcodes and passphrases at the terminal (``SecretPrompt``).
struct ScreenAsker: PasscodeAsker {
    func ask(_ question: PasscodeQuestion) throws(DeviceFailure) -> SecretBytes {
        let prompt = question.line + " "
        return try TerminalAsker.answer { () throws(SystemFailure) in try SecretPrompt.ask(prompt)?.bytes.duplicate() }
    }
}

/// Asks for a secret on the terminal itself: hidden, covered without the focus, and gone with the program
/// (``TerminalPrompt``).
enum SecretPrompt {
    /// Asks, and waits for one line.
    ///
    /// - Parameter looksBehind: Whether something that was pasted behind the line is looked for, for 50 ms.
    /// - Returns: `nil` where there is no terminal.
    static func ask(_ question: String, looksBehind: Bool = false) throws(SystemFailure) -> HiddenLine? {
        let knowsSequences = PaviseHome.variable("TERM").map { $0 != "dumb" } ?? false
        let terminal = try? ScreenTerminal.begin(
            enter: knowsSequences ? TerminalPrompt.enter : "", leave: knowsSequences ? TerminalPrompt.leave : "",
            forgetsTyped: true)
        guard let terminal else { return nil }
        var prompt = TerminalPrompt(
            question, cover: knowsSequences ? "pavise: covered." : nil, limit: Terminal.lineLimit)
        defer { prompt.forget() }
        terminal.write(prompt.started())
        while !prompt.isOver {
            switch try terminal.wait() {
            case .continued: terminal.write(prompt.continued())
            case .typed: guard take(terminal, &prompt) else { throw endOfTerminal }
            }
        }
        if looksBehind, prompt.isWhole, terminal.hasMore(within: 50) { _ = take(terminal, &prompt) }
        return HiddenLine(prompt.secret(), isWhole: prompt.isWhole)
    }

    /// Gives the prompt what was typed.
    ///
    /// - Returns: Whether the terminal is still there.
    private static func take(_ terminal: ScreenTerminal, _ prompt: inout TerminalPrompt) -> Bool {
        var typed = terminal.typed()
        defer { Wipe.bytes(&typed) }
        guard !typed.isEmpty else { return false }
        terminal.write(prompt.take(typed))
        return true
    }

    // What reading from a terminal that was closed gives.
    private static var endOfTerminal: SystemFailure { SystemFailure(operation: "read", path: "/dev/tty", code: 5) }
}

/// A line that was typed without being shown.
struct HiddenLine: ~Copyable {
    /// The bytes without the line end.
    let bytes: SecretBytes
    /// Whether that is everything that was typed.
    let isWhole: Bool

    init(_ bytes: consuming SecretBytes, isWhole: Bool) {
        self.bytes = bytes
        self.isWhole = isWhole
    }
}
