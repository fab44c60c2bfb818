internal import Foundation
internal import PaviseArguments
internal import PavisePrimitives

/// `pavise audit …` and `pavise evidence …`: the auditor is a program of its own, `pavise-audit`, which brings a
/// parser with it. The words are handed over, and its exit status is this program's.
///
/// It is looked for beside this program and in `../libexec/pavise`, and never on `PATH`: whoever may change that could
/// have another program run with these files.
package enum AuditorTool {
    /// The commands that are handed over.
    package static let names: Set<String> = ["audit", "evidence"]

    /// Whether `words` (without the program's name) are for the auditor. Their help is this program's.
    package static func takes(_ words: [String]) -> Bool {
        guard let first = words.first, names.contains(first) else { return false }
        return !words.contains("--help") && !words.contains("-h")
    }

    /// Where the auditor may lie, for a program at `path`, in this order.
    package static func places(for path: String) -> [String] {
        let folder = DurableFile.directory(of: path)
        return ["\(folder)/pavise-audit", "\(DurableFile.directory(of: folder))/libexec/pavise/pavise-audit"]
    }

    /// Runs the auditor with `words`, waits for its end, and gives back its status.
    ///
    /// - Parameter path: The path of this program; that of the process without it.
    package static func run(
        _ words: [String], in environment: Environment, beside path: String? = CurrentExecutable.path
    ) -> ProgramStatus {
        let places = path.map(places(for:)) ?? []
        guard let place = places.first(where: DurableFile.exists) else {
            let message =
                "The auditor “pavise-audit” is not installed, so nothing was looked at. It belongs beside this "
                + "program, or in ../libexec/pavise. “make audit” in the source of Pavise builds it."
            return fail(message, environment, words)
        }
        guard isOwn(place) else {
            let message =
                "“\(Printable.text(place))” is not run: others than its owner may change it, or its owner is "
                + "neither you nor root. Nothing was looked at."
            return fail(message, environment, words)
        }
        let own = words.first == "audit" ? Array(words.dropFirst()) : words
        // No library is put before those that it was built with.
        let variables = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("LD_") }
        let status: Int32?
        do throws(SystemFailure) {
            status = try ForegroundProcess.run(place, own, environment: variables)
        } catch {
            return fail("“\(Printable.text(place))” does not start. Nothing was looked at.", environment, words)
        }
        guard let status else {
            return fail("The auditor was ended by a signal. What it said is not complete.", environment, words)
        }
        return ProgramStatus(rawValue: status) ?? .failed
    }

    private static func fail(_ message: String, _ environment: Environment, _ words: [String]) -> ProgramStatus {
        environment.console.show(CommandFailure(.failed, message), asJSON: words.contains("--json"))
        return .failed
    }

    /// Whether the file is root's or this user's, and nobody else may write to it.
    private static func isOwn(_ place: String) -> Bool {
        guard let facts = try? FileManager.default.attributesOfItem(atPath: place),
            facts[.type] as? FileAttributeType == .typeRegular,
            let owner = facts[.ownerAccountID] as? NSNumber, let mode = facts[.posixPermissions] as? NSNumber
        else { return false }
        let isKnown = owner.uint32Value == 0 || owner.uint32Value == geteuid()
        return isKnown && mode.intValue & 0o022 == 0
    }

    /// What the help says of both.
    static let commands = [
        Command(
            "audit", abstract: "Say where an app's source loses secrets.",
            discussion: """
                Reads Swift sources, property lists, entitlements, privacy manifests, project files and resources \
                below each PATH, builds nothing and runs nothing of it. The work is done by the program \
                “pavise-audit”, which lies beside this one.

                pavise audit explain RULE says what a rule claims, what it finds and what it does not.

                Exit status: 0 nothing above the limit and every file analysed, 1 findings, or a file that was not \
                analysed, 2 usage.
                """,
            parameters: [
                RepeatedArgument<String>("PATH", help: "A folder or a file.", isRequired: true) { $0 },
                Flag("json", help: "Print one JSON object."),
                Flag("sarif", help: "Print SARIF 2.1.0."),
                Flag("html", help: "Print a page that needs nothing else."),
                Option<String>("output", value: "FILE", help: "Write to this file."),
                Option<String>("fail-on", value: "LEVEL", help: "End with 1 from error, warning or note on."),
                Option<String>("baseline", value: "FILE", help: "Identities of known findings, one a line."),
                Option<String>("changed-since", value: "COMMIT", help: "Read what changed since this commit of Git."),
                Option<String>("cache", value: "FOLDER", help: "Keep what was found, for the next run."),
                Option<String>("jobs", value: "N", help: "How many processes read at a time."),
            ],
            examples: [
                .init("pavise audit App", "Look at an app's folder."),
                .init("pavise audit --sarif --output audit.sarif App", "The same, for a code host."),
                .init("pavise audit explain LOG-SENSITIVE", "Read about one rule."),
            ]),
        Command(
            "evidence", abstract: "Make evidence about an app for an evaluator.",
            discussion: """
                One record for each row of a standard: what was looked at, by which check, with which verdict. \
                The work is done by the program “pavise-audit”, which lies beside this one.

                The standards are tr-03161-1, masvs, gdpr32 and cra. tr-03183-2 holds the bills of materials of a \
                folder (bom.json, ….cdx.json) against the fields of BSI TR-03183-2.

                pavise evidence verify FOLDER says whether a folder is as it was made; pavise evidence compare OLD NEW \
                names what changed; pavise evidence sign FILE --key PRIVATE.pem signs the maker's statements or a \
                manifest, and --signer PUBLIC.pem asks for such a signature.

                Exit status: 0 nothing is contradicted and every file analysed, 1 otherwise, 2 usage.
                """,
            parameters: [
                RepeatedArgument<String>("APP", help: "The app's folder.", isRequired: true) { $0 },
                Option<String>("standard", value: "NAME", help: "Which standard."),
                Option<String>("out", value: "FOLDER", help: "Where the evidence goes."),
                Option<String>("results", value: "FILE", help: "What checks made elsewhere found, as JSON."),
                Option<String>("diagnosis", value: "FILE", help: "What “pavise ats diagnose --json” saw of servers."),
                Option<String>("date", value: "DAY", help: "Judge acceptances on this day, as 2026-11-25."),
                Option<String>("signer", value: "PUBLIC.pem", help: "Take only what this key signed."),
                Option<String>("key", value: "PRIVATE.pem", help: "With sign: the maker's key."),
                Option<String>("jobs", value: "N", help: "How many processes read at a time."),
            ],
            examples: [
                .init("pavise evidence App --standard masvs --out evidence", "Evidence for MASVS."),
                .init("pavise evidence compare evidence-1.0 evidence-1.1", "What a new version changed."),
            ]),
    ]
}
