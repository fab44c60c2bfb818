internal import PavisePrimitives
internal import PaviseProtectedStorage
internal import PaviseStorage

extension ProtectedFiles.Entry {
    /// The name where it can be read.
    var name: String? { (try? content.get())?.attributes.name }

    /// The name, or the identifier.
    var title: String { name.map { Printable.text($0) } ?? id.description }

    /// As JSON.
    var fields: JSONValue {
        switch content {
        case .success(let facts):
            .fields([
                "id": .string(id.description), "name": .string(facts.attributes.name),
                "type": .string(facts.attributes.type), "bytes": .integer(facts.attributes.length),
                "class": .string("\(facts.protection)"), "modified": .integer(facts.attributes.modified),
                "generation": .integer(facts.attributes.generation),
            ])
        case .failure(let failure):
            .fields(["id": .string(id.description), "problem": .string(failure.description)])
        }
    }

    /// As a row of the table.
    var row: [String] {
        switch content {
        case .success(let facts): [title, "\(facts.attributes.length)", "\(facts.protection)", id.description]
        case .failure(let failure): ["(\(failure))", "", "", id.description]
        }
    }
}

/// Counts the bytes of long work and shows them where messages go to a terminal, whatever standard output is; hears who
/// wants it to stop.
final class FileProgress {
    private let environment: Environment
    private let progress: Progress
    /// Bytes so far.
    private(set) var done = 0

    /// - Parameters:
    ///   - expected: How many bytes will come, where that is known.
    ///   - printsContent: The content itself goes to standard output: where that is a terminal, a line between its
    ///     lines would spoil it.
    init(_ environment: Environment, expecting expected: Int? = nil, printsContent: Bool = false) {
        self.environment = environment
        let isBetween = printsContent && environment.console.output.isTerminal
        progress = Progress(console: environment.console, isWanted: !isBetween)
        progress.expect(expected)
    }

    /// From here on a stop ends nothing by itself: ``checkStop()`` tells of it.
    func listen() throws(SystemFailure) { try environment.listen() }

    func checkStop() throws(CommandFailure) { try environment.checkStop() }

    func advance(by count: Int) {
        done += count
        progress.show(done)
    }

    deinit { progress.end() }
}
