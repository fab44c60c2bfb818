internal import Synchronization

/// Shows on a terminal how far a long transfer is; elsewhere it is silent.
final class Progress: Sendable {
    private struct State {
        var expected: Int?
        var next = ContinuousClock.now + .seconds(1)
        /// How wide the line on the terminal is; 0 when there is none.
        var width = 0
    }

    private let console: Console
    private let isWanted: Bool
    private let state = Mutex(State())

    init(console: Console, isWanted: Bool) {
        self.console = console
        self.isWanted = isWanted && console.messages.isTerminal
    }

    /// Says how many bytes will come, when that is known.
    func expect(_ count: Int?) { state.withLock { $0.expected = count } }

    /// Shows `count`, at most four times a second and not within the first second.
    func show(_ count: Int) { show { Self.words(count, of: $0) } }

    /// Shows what `words` makes of the number of bytes that are expected, as often.
    func show(_ words: (_ expected: Int?) -> String) {
        guard isWanted else { return }
        let line = state.withLock { state -> String? in
            let now = ContinuousClock.now
            guard now >= state.next else { return nil }
            state.next = now + .milliseconds(250)
            let text = words(state.expected)
            // Blanks, not a control sequence, cover what was longer: a terminal may know none (TERM=dumb).
            let rest = String(repeating: " ", count: max(0, state.width - text.count))
            state.width = text.count
            return text + rest
        }
        guard let line else { return }
        try? console.messages.write(Array("\r\(line)".utf8))
    }

    /// Clears the line.
    func end() {
        let width = state.withLock { state in
            defer { state.width = 0 }
            return state.width
        }
        guard width > 0 else { return }
        try? console.messages.write(Array("\r\(String(repeating: " ", count: width))\r".utf8))
    }

    static func words(_ count: Int, of expected: Int?) -> String {
        guard let expected, expected > 0 else { return size(count) }
        return "\(size(count)) of \(size(expected)), \(min(100, count * 100 / expected)) %"
    }

    static func size(_ count: Int) -> String {
        guard count >= 1 << 20 else { return "\(count >> 10) KiB" }
        return "\(count >> 20).\((count >> 10) % 1024 * 10 / 1024) MiB"
    }
}
