internal import PaviseArguments
internal import PaviseLog
internal import PavisePrimitives

/// `pavise log audit` and `pavise log export`: what was kept, for whoever is asked about it later.
enum AuditCommands {
    private static let lines = Flag(
        "lines", help: "Print each entry as a line of JSON, for a program that collects them.")

    static let audit = Action(
        Command(
            "audit", abstract: "Show the security audit trail and whether it is whole.",
            discussion: """
                Wrong PINs, unlocks, approved and refused certificates, orders and wipes, oldest first. Entries are \
                encrypted, and each authenticates the one before: what was changed, left out, reordered or cut off \
                at the end is told, and the status is 3. Whoever puts the keychain and the files of the same moment \
                back is not noticed.
                """,
            parameters: [lines, Shared.json],
            examples: [
                .init("pavise log audit", "Show the trail."),
                .init("pavise log audit --lines | logger -t pavise", "Hand it to another log."),
            ])
    ) { invocation, environment in
        let found = try AuditTrail(folder: environment.home.audit, time: environment.time).read()
        if invocation[lines] {
            // A line is what its author signed, byte by byte; a terminal gets one of the same value.
            let isShown = environment.console.output.isTerminal
            try environment.console.show(text: isShown ? Printable.json(found.jsonLines) : found.jsonLines)
            for problem in found.problems { environment.console.tell(.failure(problem.description)) }
        } else {
            try environment.show(report(found), for: invocation)
        }
        if !found.problems.isEmpty { throw CommandFailure.reported(.refused) }
    }

    private static func report(_ found: AuditTrail.Report) -> Report {
        var report = Report(
            data: .fields([
                "entries": .array(found.entries.map(\.data)), "whole": .bool(found.problems.isEmpty),
                "problems": .array(found.problems.map { .string($0.description) }),
            ]))
        let rows = found.entries.map { entry in
            [
                "\(entry.number)", LogTime.text(milliseconds: entry.milliseconds), entry.name,
                entry.facts.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " "),
            ]
        }
        if !rows.isEmpty { report.add(.table([["ENTRY", "TIME", "EVENT", "FACTS"]] + rows)) }
        for problem in found.problems { report.add(.failure(problem.description)) }
        if found.problems.isEmpty {
            report.add(.success(rows.isEmpty ? "The trail is empty." : "The trail is whole."))
        }
        return report
    }

    static let export = Action(
        Command(
            "export", abstract: "Print the lines of the support log in clear.",
            discussion: """
                The program keeps those of its security events there that somebody has to look at, such as a wrong \
                PIN, a refused server or a session that ended, and an app with a support log in this home \
                (SupportLog) its last lines: masked and encrypted, 1 MiB at most. This is the only way out of it: \
                read them before you send them to anybody. The status is 3 when a part of the files does not open.
                """,
            parameters: [Shared.json],
            examples: [.init("pavise log export > report.txt", "Write them into a file.")])
    ) { invocation, environment in
        let exported = try SupportLog.export(of: environment.home.supportLog)
        if invocation[Shared.json] {
            let data = JSONValue.fields([
                "lines": .array(exported.lines.map { .string($0) }), "whole": .bool(exported.isWhole),
            ])
            try environment.console.show(Report(data: data), asJSON: true)
        } else {
            try environment.console.show(text: exported.lines.map { Printable.text($0) + "\n" }.joined())
        }
        if !exported.isWhole {
            environment.console.tell(.failure("A part of the files does not open; the lines in it are missing."))
            throw CommandFailure.reported(.refused)
        }
    }
}
