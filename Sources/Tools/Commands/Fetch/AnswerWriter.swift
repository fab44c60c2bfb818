internal import PavisePrimitives
internal import PaviseTransport
internal import Synchronization

/// Takes an answer piece by piece and writes it where the person wants it. Nothing is held in memory but for JSON.
final class AnswerWriter: Sendable {
    /// Where the body goes.
    enum Target: Sendable {
        case output
        case file(String)
        /// Held, and printed as part of a report; at most ``jsonLimit`` bytes.
        case json
    }

    /// The greatest body that `--json` without a file holds, in bytes.
    static let jsonLimit = 8 << 20

    private struct State: ~Copyable {
        var printer: ContentPrinter
        var stream: DurableFile.Stream?
        var held: [UInt8] = []
        var count = 0
        var failure: (any Error)?
    }

    private let target: Target
    private let console: Console
    private let showsHead: Bool
    private let progress: Progress
    private let state: Mutex<State>

    init(to target: Target, console: Console, showsHead: Bool) {
        self.target = target
        self.console = console
        self.showsHead = showsHead
        state = Mutex(State(printer: ContentPrinter(console.output)))
        let isShown = if case .output = target { console.output.isTerminal } else { false }
        progress = Progress(console: console, isWanted: !isShown)
    }

    /// Why a piece could not be written.
    var failure: (any Error)? { state.withLock { $0.failure } }

    /// Takes the head of the final answer.
    func begin(_ response: HTTPResponse) throws -> Bool {
        try noting { try start(response) }
        return true
    }

    /// Takes the next piece.
    func receive(_ bytes: [UInt8]) throws { try noting { try take(bytes) } }

    private func start(_ response: HTTPResponse) throws {
        progress.expect(response.fields["Content-Length"].flatMap { Int($0) })
        if case .file(let path) = target {
            try state.withLock { state in state.stream = try DurableFile.Stream.open(path) }
        }
        if showsHead, case .output = target { try console.show(text: Self.head(of: response)) }
    }

    private func take(_ bytes: [UInt8]) throws {
        switch target {
        case .output: try state.withLock { state in try state.printer.write(bytes) }
        case .file: try state.withLock { state in try state.stream?.write(bytes.span) }
        case .json: try hold(bytes)
        }
        let count = state.withLock { state in
            state.count += bytes.count
            return state.count
        }
        progress.show(count)
    }

    /// Ends well: a file appears.
    func finish() throws {
        progress.end()
        try state.withLock { state in
            try state.printer.finish()
            try state.stream?.finish()
        }
    }

    /// How many bytes came, and those that are held.
    var result: (count: Int, held: [UInt8]) { state.withLock { ($0.count, $0.held) } }

    private func hold(_ bytes: [UInt8]) throws {
        try state.withLock { state in
            guard state.held.count + bytes.count <= Self.jsonLimit else {
                throw CommandFailure(
                    .failed, "The answer is larger than \(Self.jsonLimit >> 20) MiB; write it to a file with --output.")
            }
            state.held += bytes
        }
    }

    private func noting(_ body: () throws -> Void) throws {
        do {
            try body()
        } catch {
            state.withLock { $0.failure = error }
            throw error
        }
    }

    private static func head(of response: HTTPResponse) -> String {
        let version = response.connection.httpVersion ?? "1.1"
        let lines = response.fields.fields.map { "\(Printable.text($0.name)): \(Printable.text($0.value))\n" }
        return "HTTP/\(version) \(response.status)\n" + lines.joined() + "\n"
    }
}
