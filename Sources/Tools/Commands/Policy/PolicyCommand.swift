internal import Pavise
internal import PaviseArguments
internal import PaviseManaged
internal import PavisePrimitives
internal import PaviseTransport

/// `pavise policy`: an administrator's file, as it takes effect and as a file to be checked.
enum PolicyCommand {
    private static let file = Argument("FILE", help: "The file, as it will lie in \(ManagedFile.systemPath).")

    private static let isTemplate = Flag("template", help: "Print a file with every key, to be cut down and changed.")

    static let show = Action(
        Command(
            "show", abstract: "Show the rules in effect and where each comes from.",
            discussion: """
                An administrator's rules are read from /etc/pavise/managed.json, or else from the file that \
                PAVISE_MANAGED names. They win over what a person prefers, and can only tighten what the program \
                itself asks for. A file that cannot be used stops every connection; then the status is 3.
                """,
            parameters: [isTemplate, Shared.json],
            examples: [
                .init("pavise policy show", "Show all rules with their sources."),
                .init("pavise policy show --template > managed.json", "Begin a file of one's own."),
            ])
    ) { invocation, environment in
        // A file is JSON as it is.
        guard !invocation[isTemplate] else { return try environment.console.show(text: PolicyTemplate.text) }
        let found = try environment.managed.found()
        let rows = PolicyRow.all(found?.configuration)
        var report = Report(data: PolicyReport.data(rows, path: found?.path, found?.configuration))
        report.add(
            .line(found.map { "The rules of \($0.path):" } ?? "Nobody manages this machine. The program's own rules:"))
        report.add(.table([["RULE", "VALUE", "FROM"]] + rows.map(\.cells)))
        if let note = environment.authoritiesNote(found?.configuration.trust) { report.add(.line("Note: \(note)")) }
        for key in found?.configuration.unknownKeys ?? [] {
            report.add(.failure("Without effect: \(key.description)"))
        }
        for loose in found?.configuration.loosenings() ?? [] {
            report.add(.line("Without effect in this program: \(loose.description)"))
        }
        try environment.show(report, for: invocation)
    }

    static let check = Action(
        Command(
            "check", abstract: "Check an administrator's file before it is used.",
            discussion: """
                Each value that cannot be used is named with its place and what is expected there, each key that is \
                not known with the nearest one. The status is 1 when there is any, or when everybody may change the \
                file. A figure that asks for less than this program does is told: it has no effect here, and may \
                have one in an app.
                """,
            parameters: [file, Shared.json],
            examples: [.init("pavise policy check managed.json", "Check a file.")])
    ) { invocation, environment in
        let path = try invocation.value(file)
        let problems: [String]
        var configuration: ManagedConfiguration?
        do throws(ManagedFile.Failure) {
            configuration = try ManagedFile(path: path).read()
            problems = configuration?.unknownKeys.map(\.description) ?? []
        } catch {
            guard case .content(_, let failure) = error else {
                throw CommandFailure(.failed, Printable.text(error.description))
            }
            problems = failure.problems.map(\.description)
        }
        var report = Report(
            data: .fields([
                "file": .string(path), "usable": .bool(configuration != nil),
                "problems": .array(problems.map { .string($0) }),
                "loose": .array((configuration?.loosenings() ?? []).map { .string($0.key) }),
            ]))
        for problem in problems { report.add(.failure(Printable.text(problem))) }
        for loose in configuration?.loosenings() ?? [] { report.add(.line("Note: \(loose.description)")) }
        if configuration == nil {
            report.add(.line("The file would stop every connection."))
        } else {
            report.add(
                problems.isEmpty ? .success("The file can be used.") : .line("The rest of the file can be used."))
        }
        try environment.show(report, for: invocation)
        guard problems.isEmpty else {
            var failure = CommandFailure(.failed, "The file has problems.")
            failure.isReported = true
            throw failure
        }
    }
}
