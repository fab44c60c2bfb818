internal import Foundation
internal import Pavise
internal import PaviseArguments
internal import PavisePrimitives
internal import PaviseSession
internal import PaviseStorage
internal import PaviseSync
internal import PaviseTransport

/// `pavise sync [run]|status|conflicts|close|recover`: a folder here and a folder of a connection's server, kept equal.
enum SyncCommands {
    private static let name = Argument("CONNECTION", help: "The connection.")
    private static let folder = Argument("FOLDER", help: "The folder here; it exists.")
    private static let remote = Option("remote", value: "PATH", help: "The server's folder; / unless given.")
    private static let watch = Flag("watch", help: "Go on: after each change here, and each minute.")
    private static let isDry = Flag("dry-run", help: "Print what would be done, and do nothing.")
    private static let yes = Flag("yes", help: "Answer what the last run asked with yes; what is new is asked.")
    private static let copyPath = Argument("COPY", help: "The copy's path, as “sync conflicts” prints it.")
    private static let choice = Argument(
        "CHOICE", help: "Which version stays: copy, original or both.", parse: choice)
    private static let digest = OptionalArgument("DIGEST", help: "Which content: the beginning of its digest.")
    private static let target = OptionalArgument("TARGET", help: "Where to put it; left out or - for standard output.")

    /// `pavise sync CONNECTION FOLDER …` is `pavise sync run CONNECTION FOLDER …`: a connection that is called like a
    /// subcommand needs the word.
    static func withRun(_ words: [String]) -> [String] {
        let others = ["run", "status", "conflicts", "close", "recover"]
        guard words.first == "sync", words.count > 2, !words[1].hasPrefix("-"), !others.contains(words[1]) else {
            return words
        }
        return ["sync", "run"] + words.dropFirst()
    }

    static let run = Action(
        Command(
            "run", abstract: "Bring a folder and a server's folder together.",
            discussion: """
                Nothing is lost: where both changed, both stay, one as “NAME (conflict DATE TIME DEVICE)”. What is \
                replaced or deleted stays in the connection's sealed store for 30 days (“sync recover”).

                What the server's conditions are worth is measured with a file of ours. Where neither conditions nor \
                locks hold, only new files are sent.

                The status is 3 where a person has to answer: a mass change, another server's folder, a folder of \
                another connection, an emptied or damaged file, a server that refuses. The next run with --yes goes on \
                with what was asked; what nobody has seen yet is asked then. While --watch runs elsewhere, --yes tells \
                it the answer.

                A server that shows another certificate than before is asked about as with “pavise connect”, but not \
                with --watch or --json. The status is 3 as well for a server that is not trusted.
                """,
            parameters: [name, folder, remote, watch, isDry, yes, Shared.json],
            examples: [
                .init("pavise sync work ~/Notes --remote /dav/notes --dry-run", "See what would be done."),
                .init("pavise sync work ~/Notes --remote /dav/notes", "Do it once."),
                .init(
                    "pavise sync work ~/Notes --remote /dav/notes --watch --json",
                    "Go on, a line of JSON for each run."),
            ])
    ) { invocation, environment in
        let opened = try await connection(invocation, environment)
        guard !invocation[Shared.json], !invocation[watch] else {
            return try await bringTogether(over: opened, invocation, environment, mayAsk: false)
        }
        try await FetchCommand.asking(about: opened, in: environment, isSilent: false) { connection in
            try await bringTogether(over: connection, invocation, environment, mayAsk: true)
        }
    }

    // `mayAsk`: the caller asks a person about a server that is refused, and then calls again.
    private static func bringTogether(
        over connection: Connection, _ invocation: Invocation, _ environment: Environment, mayAsk: Bool
    ) async throws {
        let sync: FolderSync
        do { sync = try open(connection, invocation, environment) } catch let failure as SyncFailure {
            guard failure == .busy, invocation[yes], !invocation[isDry] else { throw failure }
            return try await answer(connection, invocation, environment)
        }
        if invocation[isDry] { return try await preview(sync, invocation, environment) }
        // Only what an earlier run asked: a person has seen it.
        let seen = invocation[yes] ? try sync.questions() : []
        if invocation[watch] {
            let stopped = CommandFailure(.failed, "Stopped. What waits is done by the next run.")
            return try await environment.untilStopped(orThrow: stopped) {
                let shown = watchProgress(of: sync, invocation, environment)
                defer { shown.cancel() }
                for await report in sync.reports(approving: seen) {
                    try environment.show(SyncDescription.report(report, isEvent: true), for: invocation)
                }
            }
        }
        let shown = watchProgress(of: sync, invocation, environment)
        let report = await sync.run(approving: seen)
        shown.cancel()
        await shown.value
        if mayAsk, case .notTrusted = report.failure, connection.refusedServer != nil, let failure = report.failure {
            throw CommandFailure(describing: failure)
        }
        try environment.show(SyncDescription.report(report), for: invocation)
        if let failure = report.failure {
            var ended = CommandFailure(describing: failure)
            ended.isReported = invocation[Shared.json]
            throw ended
        }
        guard report.questions.isEmpty else { throw unanswered }
    }

    private static var unanswered: CommandFailure {
        var failure = CommandFailure(.refused, "A person has to answer.", rule: "sync")
        failure.isReported = true
        return failure
    }

    // Another process is at work: its next run goes on with the answer.
    private static func answer(
        _ connection: Connection, _ invocation: Invocation, _ environment: Environment
    ) async throws {
        let sync = try open(connection, invocation, environment, isBeside: true)
        let answered = try sync.approve(try sync.questions())
        try environment.show(SyncDescription.answers(answered), for: invocation)
    }

    // A line on a terminal; with --watch and --json an event, since one answer is one value of JSON otherwise.
    private static func watchProgress(
        of sync: FolderSync, _ invocation: Invocation, _ environment: Environment
    ) -> Task<Void, Never> {
        let isJSON = invocation[Shared.json]
        let line = Progress(console: environment.console, isWanted: !isJSON)
        return Task {
            for await state in sync.states {
                guard let progress = state.progress else {
                    line.end()
                    continue
                }
                if isJSON, invocation[watch] {
                    try? environment.show(SyncDescription.event(progress), for: invocation)
                } else {
                    line.show { _ in SyncDescription.words(progress) }
                }
            }
            line.end()
        }
    }

    private static func preview(_ sync: FolderSync, _ invocation: Invocation, _ environment: Environment) async throws {
        let (actions, questions, leftOut) = try await sync.preview()
        try environment.show(SyncDescription.plan(actions, questions, leftOut), for: invocation)
        guard questions.isEmpty else { throw unanswered }
    }

    static let status = Action(
        Command(
            "status", abstract: "Say where a synchronisation stands, without the network.",
            parameters: [name, folder, remote, Shared.json])
    ) { invocation, environment in
        let sync = try await open(invocation, environment, isBeside: true)
        let (status, questions) = (try sync.status(), try sync.questions().map(SyncDescription.question).sorted())
        let level = status.server.map { "\($0.level)" }
        let data = JSONValue.fields([
            "items": .integer(status.items), "pending": .integer(status.pending), "kept": .integer(status.kept),
            "level": level.map { .string($0) }, "locks": status.server.map { .bool($0.locks) },
            "questions": .array(questions.map { .string($0) }),
        ])
        var report = Report(data: data)
        report.add(
            .line("\(status.items.counting("item is", "items are")) the same on both sides as far as the last run saw.")
        )
        report.add(.line("\(status.pending) writes wait for their end; \(status.kept) contents are kept."))
        report.add(.line(level.map { "The server's level: \($0)." } ?? "The server was not measured yet."))
        for question in questions { report.add(.failure(question)) }
        try environment.show(report, for: invocation)
    }

    static let conflicts = Action(
        Command(
            "conflicts", abstract: "List conflicts that nobody has closed, and what each choice loses.",
            discussion: """
                Each has two versions: a copy, and one that has the name without “(conflict …)”. “sync close” closes \
                one, and so does whoever renames or deletes the copy. A content that is lost stays in the connection's \
                sealed store for 30 days (“sync recover”).

                The status is 3 where there are any.
                """,
            parameters: [name, folder, remote, Shared.json])
    ) { invocation, environment in
        let conflicts = try await open(invocation, environment, isBeside: true).conflicts()
        try environment.show(SyncDescription.conflicts(conflicts), for: invocation)
        guard conflicts.isEmpty else { throw unanswered }
    }

    static let close = Action(
        Command(
            "close", abstract: "Close a conflict: keep the copy, the original, or both.",
            discussion: """
                “copy” puts the copy in the place of the original, whose content is lost after 30 days. “original” \
                deletes the copy, whose content is lost after 30 days. “both” gives the copy a name of its own, and \
                nothing is lost. “sync conflicts” says the same of each conflict.

                It is done in the folder here; the next “sync run” does it at the server. While another process \
                synchronises the folder, rename or delete the copy in place of this.
                """,
            parameters: [name, folder, copyPath, choice, remote, Shared.json],
            examples: [
                .init(
                    "pavise sync close work ~/Notes 'plan (conflict 2026-11-24 221500 laptop).txt' both",
                    "Give the copy a name of its own.")
            ])
    ) { invocation, environment in
        let (wanted, kept) = (try invocation.value(copyPath), try invocation.value(choice))
        let sync = try await open(invocation, environment)
        let conflicts = try await sync.conflicts()
        guard let index = SyncDescription.index(of: wanted, in: conflicts.map(\.copy)) else {
            throw CommandFailure(.failed, "There is no such conflict. “pavise sync conflicts” lists them.")
        }
        let conflict = conflicts[index]
        guard let loss = conflict.loss(of: kept) else {
            let choices = conflict.choices.map(\.rawValue).joined(separator: " or ")
            throw CommandFailure(.failed, "This cannot be chosen here; \(choices) can.")
        }
        try await sync.close(conflict, keeping: kept)
        try environment.show(SyncDescription.closed(conflict, kept, loss), for: invocation)
    }

    private static func choice(_ text: String) throws(Parameter.Invalid) -> FolderSync.Conflict.Choice {
        guard let choice = FolderSync.Conflict.Choice(rawValue: text) else {
            throw Parameter.Invalid("takes copy, original or both")
        }
        return choice
    }

    static let recover = Action(
        Command(
            "recover", abstract: "List contents that were replaced, deleted or sent, or give one out.",
            parameters: [name, folder, digest, target, remote, Shared.json],
            examples: [
                .init("pavise sync recover work ~/Notes", "List them."),
                .init(
                    "pavise sync recover work ~/Notes 5f3a back.txt --remote /dav/notes", "Bring one back as a file."),
            ])
    ) { invocation, environment in
        let sync = try await open(invocation, environment, isBeside: true)
        let kept = try sync.kept()
        guard let start = invocation[digest] else {
            return try environment.show(SyncDescription.kept(kept), for: invocation)
        }
        let found = kept.filter { "\($0.digest)".hasPrefix(start.lowercased()) }
        guard found.count == 1, let one = found.first, let content = try await sync.content(one.digest) else {
            throw CommandFailure(
                found.count > 1 ? .usage : .failed,
                "\(found.count) kept contents have a digest that begins so. Write more of it.")
        }
        let goal = invocation[target] ?? "-"
        guard try give(content, to: goal, environment) else {
            throw CommandFailure(.failed, "TARGET is there already; nothing was written.")
        }
    }

    private static func give(
        _ content: SyncContent, to goal: String, _ environment: Environment
    ) throws -> Bool {
        var pieces = ContentPieces(of: content)
        guard goal != "-" else {
            var printer = ContentPrinter(environment.console.output)
            while let piece = try pieces.next() { try printer.write(piece) }
            try printer.finish()
            return true
        }
        // Ctrl-C would leave the piece that was written so far, in clear.
        try environment.listen()
        var file = try DurableFile.Stream.open(goal)
        while let piece = try pieces.next() {
            try environment.checkStop()
            try file.write(piece.span)
        }
        return try file.finishUnlessPresent()
    }

    private static func connection(
        _ invocation: Invocation, _ environment: Environment
    ) async throws -> Connection {
        try environment.checkManagement()
        try await environment.checkLock()
        return try environment.connections.open(try invocation.value(name))
    }

    private static func open(
        _ invocation: Invocation, _ environment: Environment, isBeside: Bool = false
    ) async throws -> FolderSync {
        try open(try await connection(invocation, environment), invocation, environment, isBeside: isBeside)
    }

    // `isBeside`: beside whoever synchronises the folder just now.
    private static func open(
        _ connection: Connection, _ invocation: Invocation, _ environment: Environment, isBeside: Bool = false
    ) throws -> FolderSync {
        let path = URL(fileURLWithPath: try invocation.value(folder)).resolvingSymlinksInPath().path
        guard DurableFile.exists(path) else { throw CommandFailure(.usage, "FOLDER is not there. Make it first.") }
        let remote = try FetchCommand.address(invocation[remote] ?? "/", connection)
        return try FolderSync(
            path, with: .webDAV(remote, connection.access),
            container: try environment.connections.container(of: connection),
            device: ProcessInfo.processInfo.hostName, isBeside: isBeside)
    }
}
