internal import PaviseArguments
internal import PavisePrimitives
internal import PaviseTransport

/// `pavise ats lint`: what the ATS keys of Info.plist files really do.
enum LintCommand {
    private static let paths = RepeatedArgument("FILE|FOLDER", help: "An Info.plist, or a folder to look for some in.")

    static let action = Action(
        Command(
            "lint", abstract: "Say what the ATS keys of an Info.plist really do.",
            discussion: """
                Knows the order in which Apple's code looks at the keys: what has no effect is not reported as if it \
                were open. Each finding has its line, its effect and, where there is one, a narrower key.

                In a folder, files whose name ends in Info.plist are read, and other .plist files that hold ATS keys.

                Exit status: 0 nothing but hints, 1 warnings or errors, or a file that cannot be read, 2 usage.
                """,
            parameters: [paths, Shared.json, ATSOptions.sarif],
            examples: [
                .init("pavise ats lint Info.plist", "Check one file."),
                .init("pavise ats lint Sources --sarif >ats.sarif", "Check a project, for a code host."),
            ])
    ) { invocation, environment in
        guard !(invocation[Shared.json] && invocation[ATSOptions.sarif]) else {
            throw UsageError(.rule("Choose one of --json and --sarif."), path: invocation.path)
        }
        var reports: [LintReport.File] = []
        for path in invocation[paths] {
            let found = try PropertyListSearch.files(at: path)
            guard !found.isEmpty else {
                let words = "“\(Printable.text(path))” holds no Info.plist and no list with ATS keys"
                throw CommandFailure(.failed, "\(words), so nothing was looked at.")
            }
            reports += found.map(LintReport.File.init)
        }
        let report = LintReport(files: reports)
        if invocation[ATSOptions.sarif] {
            try environment.console.show(text: Printable.json(report.sarif.prettyText) + "\n")
        } else {
            try environment.show(report.report, for: invocation)
        }
        guard !report.isSerious else { throw CommandFailure.reported(.failed) }
    }
}

extension CommandFailure {
    /// A status whose reason is in the report that was printed.
    static func reported(_ status: ProgramStatus) -> CommandFailure {
        var failure = CommandFailure(status, "")
        failure.isReported = true
        return failure
    }
}
