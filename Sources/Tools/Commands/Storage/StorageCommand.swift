internal import PaviseArguments
internal import PavisePrimitives
internal import PaviseStorage

/// `pavise storage check`: what lies outside protected storage and must not.
enum StorageCommand {
    private static let folder = OptionalArgument(
        "FOLDER", help: "A home, an app's container, or any other folder or file; Pavise's own home unless given.")

    static let check = Action(
        Command(
            "check", abstract: "Look for secrets outside protected storage.",
            discussion: """
                Reads every file below the folder and tells where tokens, private keys, values under telling names, \
                random text, e-mail addresses, caches of URL loading, plain databases and files that others can read \
                lie. It works on any folder, also on an app's container that was unpacked from a phone's backup. \
                Values are never printed.

                Exit status: 0 nothing found, 1 something could not be looked at, 2 usage, 3 something was found.
                """,
            parameters: [folder, Shared.json, ATSOptions.sarif],
            examples: [
                .init("pavise storage check", "Check Pavise's own home."),
                .init("pavise storage check ~/.local/share/diary", "Check the folder of an app."),
                .init(
                    "pavise storage check Backup/AppDomain-org.example.diary --sarif",
                    "Check an app's part of a backup."),
            ])
    ) { invocation, environment in
        guard !(invocation[Shared.json] && invocation[ATSOptions.sarif]) else {
            throw UsageError(.rule("Choose one of --json and --sarif."), path: invocation.path)
        }
        let folder = invocation[folder] ?? environment.home.path
        let progress = Progress(console: environment.console, isWanted: true)
        let found = StorageCheck(folder: folder).run { progress.show($0) }
        progress.end()
        let report = StorageReport(folder: folder, found: found)
        if invocation[ATSOptions.sarif] {
            try environment.console.show(text: Printable.json(report.sarif.prettyText) + "\n")
        } else {
            try environment.show(report.report, for: invocation)
        }
        if report.isFinding { throw CommandFailure.reported(.refused) }
        if !found.findings.isEmpty { throw CommandFailure.reported(.failed) }
    }
}
