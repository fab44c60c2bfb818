internal import PavisePrimitives
internal import PavisePrivacy
internal import PaviseStorage
internal import Synchronization

/// `pavise database shell` for somebody who types: answers on a screen that is covered, left and cleared.
final class DatabaseScreen: ByteSink {
    let isTerminal = true
    private let terminal: ScreenTerminal
    private let scene: Mutex<TerminalScene>

    /// `nil` where the statements or the answers go somewhere else, or the terminal has one screen alone.
    static func atTerminal(_ environment: Environment) throws(SystemFailure) -> DatabaseScreen? {
        guard environment.console.output.isTerminal, Terminal.isInteractive(.input),
            let kind = PaviseHome.variable("TERM"), kind != "dumb"
        else { return nil }
        return DatabaseScreen(try .begin(enter: TerminalScreen.enter, leave: TerminalScreen.leave))
    }

    private init(_ terminal: ScreenTerminal) {
        self.terminal = terminal
        let size = terminal.size
        scene = Mutex(TerminalScene(rows: size.rows, columns: size.columns, cover: "pavise: covered."))
    }

    /// What commands print, as they print it to a stream.
    func write(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        terminal.write(scene.withLock { $0.show(text) })
    }

    /// Asks for statements and answers them, until the person or the terminal ends.
    func run(_ runner: StatementRunner, asJSON: Bool) throws {
        let console = Console(output: self, messages: self, allowsColour: false)
        var splitter = StatementSplitter()
        write(Array("Ctrl-D ends, Page Up looks back. Nothing of it stays on the terminal.\n".utf8))
        ask(splitter)
        while true {
            switch try terminal.next() {
            case .ended: return
            case .continued:
                let size = terminal.size
                terminal.write(scene.withLock { $0.continued(rows: size.rows, columns: size.columns) })
            case .typed(let typed):
                guard try take(typed, &splitter, { try answer($0, runner, console, asJSON) }) else { return }
            }
        }
    }

    private func take(
        _ typed: [UInt8], _ splitter: inout StatementSplitter, _ answer: (String) throws -> Void
    ) throws -> Bool {
        var typed = typed
        while true {
            let step = scene.withLock { $0.take(typed) }
            terminal.write(step.shown)
            if step.isOver { return false }
            guard let line = step.line else { return true }
            for statement in splitter.take(line + "\n") { try answer(statement) }
            ask(splitter)
            typed = []
        }
    }

    private func ask(_ splitter: StatementSplitter) {
        terminal.write(scene.withLock { $0.ask(splitter.prompt) })
    }

    private func answer(
        _ statement: String, _ runner: StatementRunner, _ console: Console, _ asJSON: Bool
    ) throws {
        do {
            try console.show(try runner.report(of: statement), asJSON: asJSON)
        } catch {
            let failure = CommandFailure(describing: error)
            // What the next statement would meet as well ends the command.
            guard failure.status == .failed || failure.status == .refused else { throw error }
            console.show(failure, asJSON: asJSON)
        }
    }
}

extension StatementSplitter {
    /// What a line is asked for with.
    var prompt: String { isInside ? "   …> " : "pavise> " }
}
