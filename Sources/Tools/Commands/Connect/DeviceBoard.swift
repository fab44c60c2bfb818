internal import Pavise
internal import PavisePrimitives
internal import Synchronization

/// Shows a person what to do on another device (RFC 8628 §3.3), and on a terminal how long it may take.
final class DeviceBoard: Sendable {
    private let environment: Environment
    private let origin: Origin
    private let asJSON: Bool
    private struct State {
        var task: Task<Void, Never>?
        var isOver = false
    }
    private let state = Mutex(State())

    /// - Parameters:
    ///   - origin: The server that the sign-in is for.
    ///   - asJSON: Whether a program reads it: then it is one line of the output, before the result.
    init(environment: Environment, origin: Origin, asJSON: Bool) {
        self.environment = environment
        self.origin = origin
        self.asJSON = asJSON
    }

    /// Shows the address and the code.
    func show(_ prompt: DevicePrompt) {
        guard !asJSON else {
            try? environment.console.show(text: Printable.json(Self.data(prompt).text) + "\n")
            return
        }
        for part in Self.parts(prompt, origin) { environment.console.tell(part) }
        guard environment.console.messages.isTerminal else { return }
        let task = Task { await count(down: prompt.lifetime) }
        state.withLock { $0.task = task }
    }

    /// Ends the waiting line.
    func end() {
        let task = state.withLock { state in
            state.isOver = true
            return state.task.take()
        }
        guard let task else { return }
        task.cancel()
        try? environment.console.messages.write(
            Array("\r\(String(repeating: " ", count: Self.waiting(.max).count))\r".utf8))
    }

    /// What a program reads.
    static func data(_ prompt: DevicePrompt) -> JSONValue {
        .fields([
            "verification": .fields([
                "address": .string("\(prompt.address)"), "code": .string(prompt.code),
                "completeAddress": prompt.completeAddress.map { .string("\($0)") },
                "seconds": .integer(prompt.lifetime),
            ])
        ])
    }

    /// What a person reads: who asks stands beside the code, so that nobody types a stranger's.
    static func parts(_ prompt: DevicePrompt, _ origin: Origin) -> [Report.Part] {
        var parts: [Report.Part] = [
            .line("To sign in to \(origin), open this address on any device and type the code:"),
            .fact(.init("address", "Address", "\(prompt.address)")), .fact(.init("code", "Code", prompt.code)),
        ]
        if let complete = prompt.completeAddress {
            parts.append(.fact(.init("completeAddress", "Both in one", "\(complete)")))
        }
        parts.append(.line("The code is for “pavise” on this machine and for nobody else. Ctrl-C stops."))
        return parts
    }

    /// The waiting line with so many seconds left.
    static func waiting(_ seconds: Int64) -> String {
        let left = min(max(0, seconds), 5999)
        let rest = String(left % 60)
        return "Waiting for the sign-in there, \(left / 60):\(rest.count < 2 ? "0" : "")\(rest) left  "
    }

    // Blanks and a carriage return, no control sequence: a terminal may know none (TERM=dumb).
    private func count(down lifetime: Int64) async {
        let end = environment.time.bootMilliseconds + lifetime * 1000
        while !Task.isCancelled {
            let words = Self.waiting((end - environment.time.bootMilliseconds) / 1000)
            state.withLock { if !$0.isOver { try? environment.console.messages.write(Array("\r\(words)".utf8)) } }
            guard (try? await environment.sleep(.seconds(1))) != nil else { return }
        }
    }
}
