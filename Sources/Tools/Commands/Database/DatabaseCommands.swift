internal import PaviseArguments
internal import PavisePrimitives
internal import PaviseProtectedStorage
internal import PaviseStorage

/// `pavise database shell|dump|verify`: a person looks into what an app keeps of them, and takes it out.
enum DatabaseCommands {
    private static let name = Argument("NAME", help: "What the app calls the database; the folder does not tell it.")
    private static let statement = OptionalArgument(
        "SQL", help: "Statements, with a semicolon between them; left out or - to type them or pipe them in.")
    private static let target = OptionalArgument(
        "TARGET", help: "The file to write; left out or - for standard output.")
    private static let container = Option(
        "container", value: "NAME", help: "The app's container; that of the home unless given.")
    private static let isWriting = Flag("write", help: "Allow statements that change something.")
    private static let allRows = Flag(
        "all-rows", help: "Allow an UPDATE or DELETE without WHERE; only together with --write.")

    static let shell = Action(
        Command(
            "shell", abstract: "Ask a database with SQL.",
            discussion: """
                Statements only read, unless --write is given; then each is on the disk when its answer is shown. The \
                first statement that fails ends the command.

                Typed at a terminal, they are answered on a screen of their own: a statement that fails is told and \
                the next one asked for, Page Up and Page Down look back, Ctrl-D ends. The screen is covered while the \
                terminal has no focus; at the end, and while the program is stopped, nothing of it is left, in the \
                clipboard neither.

                Exit status: 0 all done, 1 a statement failed, 3 refused, 5 locked.
                """,
            parameters: [name, statement, container, isWriting, allRows, Shared.json],
            examples: [
                .init(
                    "pavise database shell nights \"SELECT * FROM night\" --container sleep-diary", "Show all nights."),
                .init("pavise database shell nights --container sleep-diary < question.sql", "Run what a file says."),
            ])
    ) { invocation, environment in
        if invocation[allRows], !invocation[isWriting] {
            throw UsageError(.rule("--all-rows is only for --write."), path: invocation.path)
        }
        let database = try open(invocation, environment)
        defer { database.close() }
        let runner = StatementRunner(
            database: database, isWriting: invocation[isWriting], mayTouchAll: invocation[allRows])
        let text = invocation[statement] ?? "-"
        guard text == "-" else {
            var splitter = StatementSplitter()
            let whole = splitter.take(text)
            return try show(whole + [splitter.finish()].compactMap { $0 }, runner, invocation, environment)
        }
        guard let screen = try DatabaseScreen.atTerminal(environment) else {
            return try readStatements(runner, invocation, environment)
        }
        try screen.run(runner, asJSON: invocation[Shared.json])
    }

    private static func readStatements(
        _ runner: StatementRunner, _ invocation: Invocation, _ environment: Environment
    ) throws {
        let input = try InputFile.open("-")
        var splitter = StatementSplitter()
        var decoder = TextDecoder()
        while true {
            if environment.console.messages.isTerminal {
                try? environment.console.messages.write(Array(splitter.prompt.utf8))
            }
            let chunk = try input.readChunk(upTo: 1 << 16)
            guard !chunk.isEmpty else { break }
            try show(splitter.take(decoder.take(chunk)), runner, invocation, environment)
        }
        try show([splitter.finish()].compactMap { $0 }, runner, invocation, environment)
    }

    private static func show(
        _ statements: [String], _ runner: StatementRunner, _ invocation: Invocation, _ environment: Environment
    ) throws {
        for statement in statements { try environment.show(try runner.report(of: statement), for: invocation) }
    }

    static let dump = Action(
        Command(
            "dump", abstract: "Write everything of a database, as SQL or as JSON.",
            discussion: """
                The text is in clear: whoever has the file reads everything. A file at TARGET is its owner's alone and \
                appears when all of it is there. SQL can be read by any SQLite; with --json each line is one row.
                """,
            parameters: [name, target, container, Shared.json],
            examples: [
                .init("pavise database dump nights nights.sql --container sleep-diary", "Take all data out, as SQL."),
                .init("pavise database dump nights --container sleep-diary --json", "Give all rows to a program."),
            ])
    ) { invocation, environment in
        let database = try open(invocation, environment)
        defer { database.close() }
        let dump = DatabaseDump(asJSON: invocation[Shared.json])
        let target = invocation[target] ?? "-"
        let progress = FileProgress(environment, printsContent: target == "-")
        guard target != "-" else {
            var printer = ContentPrinter(environment.console.output)
            try database.read { access in
                try dump.write(access) { text in
                    try printer.write(Array(text.utf8))
                    progress.advance(by: text.utf8.count)
                }
            }
            return try printer.finish()
        }
        // Ctrl-C would leave the piece that was written so far, in clear.
        try environment.listen()
        var file = try DurableFile.Stream.open(target)
        try database.read { access in
            try dump.write(access) { text in
                try environment.checkStop()
                try file.write(Array(text.utf8).span)
                progress.advance(by: text.utf8.count)
            }
        }
        try file.finish()
    }

    static let verify = Action(
        Command(
            "verify", abstract: "Check every page of a database.",
            discussion: """
                Names pages that were altered, and pages of an older moment that somebody put back.

                Exit status: 0 everything is as it was written last, 1 it is not, 5 locked.
                """,
            parameters: [name, container, Shared.json])
    ) { invocation, environment in
        let database = try open(invocation, environment)
        defer { database.close() }
        let found = try database.verify()
        var report = Report(
            data: .fields([
                "pages": .integer(found.pages), "damaged": .array(found.damaged.map { .integer($0) }),
                "older": .array(found.older.map { .integer($0) }), "tracked": .bool(found.isTracked),
                "listLost": .bool(found.isListLost), "intact": .bool(found.isIntact),
            ]))
        if !found.damaged.isEmpty { report.add(.failure("Altered pages: \(words(found.damaged)).")) }
        if !found.older.isEmpty { report.add(.failure("Pages of an older moment: \(words(found.older)).")) }
        if found.isListLost { report.add(.failure("The list that older pages are told by is gone or older itself.")) }
        if !found.isTracked { report.add(.line("Older pages cannot be told on this system.")) }
        if found.isIntact {
            report.add(.success("All \(found.pages) pages are what was written last."))
        } else {
            report.add(.line("Nothing was changed. Put a backup back: pavise restore FILE."))
        }
        try environment.show(report, for: invocation)
        if !found.isIntact { throw CommandFailure.reported(.failed) }
    }

    private static func words(_ pages: [Int]) -> String {
        pages.prefix(20).map(String.init).joined(separator: ", ")
            + (pages.count > 20 ? " and \(pages.count - 20) more" : "")
    }

    private static func open(_ invocation: Invocation, _ environment: Environment) throws -> ProtectedDatabase {
        let name = try invocation.value(name)
        let container =
            if let own = invocation[container] {
                try ProtectedContainer.named(own, in: environment.home)
            } else {
                try ProtectedContainer.ofHome(environment.home, mayCreate: false)
            }
        guard let protection = try container.protection(ofDatabase: name) else {
            throw CommandFailure(.failed, "There is no database of this name in this container.")
        }
        return try container.databaseAsItIs(name, protection: protection)
    }
}
