internal import Foundation
internal import PavisePrimitives
internal import PaviseSync

/// What a synchronisation did and asks, in words and as data.
enum SyncDescription {
    static func text(_ path: SyncPath) -> String { path.isEmpty ? "/" : path.map(\.text).joined(separator: "/") }

    /// - Parameter isEvent: Whether it is one of several lines for a program, each of which says what it is.
    static func report(_ report: SyncReport, isEvent: Bool = false) -> Report {
        let counts = counts(report.done)
        let questions = report.questions.map(question).sorted()
        let data = JSONValue.fields([
            "event": isEvent ? .string("run") : nil, "done": .integer(report.done.count),
            "sent": .integer(counts.there), "received": .integer(counts.here),
            "conflicts": .array(report.conflicts.map { .string(text($0)) }),
            "questions": .array(questions.map { .string($0) }),
            "failure": report.failure.map { .string(CommandFailure($0).message) },
            "error": report.failure.flatMap { CommandFailure($0).report().data["error"] },
            "leftOut": data(report.leftOut),
            "isComplete": .bool(report.isComplete),
        ])
        var result = Report(data: data)
        result.add(.line("\(counts.there.counting("change")) there, \(counts.here.counting("change")) here."))
        for conflict in report.conflicts {
            result.add(.line("Both changed; the one of this device is now \(Printable.text(text(conflict)))"))
        }
        for question in questions { result.add(.failure(question)) }
        // Of a single run the command ends with it; one of several is followed by the next.
        if isEvent, let failure = report.failure { result.add(.failure(CommandFailure(failure).message)) }
        for line in lines(report.leftOut) { result.add(.line(line)) }
        if report.isComplete {
            let rest = report.leftOut.isEmpty ? "" : ", but for \(report.leftOut.count) that are left out"
            result.add(.success("Both sides are the same\(rest)."))
        }
        return result
    }

    private static func data(_ leftOut: Set<LeftOutItem>) -> JSONValue {
        .array(
            leftOut.sorted { ($0.side.rawValue, $0.path) < ($1.side.rawValue, $1.path) }.map { item in
                .fields(["side": .string(item.side.rawValue), "path": .string(item.path)])
            })
    }

    private static func lines(_ leftOut: Set<LeftOutItem>) -> [String] {
        let lines = leftOut.sorted { $0.path < $1.path }.prefix(20).map { item in
            let place = item.side == .here ? "here, a link, a closed folder" : "on the server, a link"
            return "Left out \(place) or no name on the other side: \(Printable.text(item.path))"
        }
        let more = leftOut.count - lines.count
        return more == 0 ? lines : lines + ["And \(more) more left out; --json names them."]
    }

    private static func counts(_ steps: [SyncStep]) -> (here: Int, there: Int) {
        var (here, there) = (0, 0)
        for step in steps {
            switch step {
            case .create(let side, _, _), .replace(let side, _, _, _), .move(let side, _, _), .delete(let side, _, _):
                if side == .here { here += 1 } else { there += 1 }
            case .agree, .read, .join, .setAside: continue
            }
        }
        return (here, there)
    }

    /// `3 of 1000 files, 12.0 MiB of 40.0 MiB, 8.1 MiB/s, 4 s left`.
    static func words(_ progress: SyncProgress) -> String {
        var parts = ["\(progress.done) of \(progress.all.counting("file"))"]
        let (moved, isMore) = (Progress.size(progress.bytes), progress.allBytes > progress.bytes)
        parts.append(isMore ? "\(moved) of \(Progress.size(progress.allBytes))" : moved)
        if let rate = progress.bytesPerSecond { parts.append("\(Progress.size(rate))/s") }
        if isMore, let seconds = progress.secondsLeft {
            parts.append(seconds < 120 ? "\(seconds) s left" : "\(seconds / 60) min left")
        }
        return parts.joined(separator: ", ")
    }

    /// The same as an event for a program.
    static func event(_ progress: SyncProgress) -> Report {
        Report(
            data: .fields([
                "event": .string("progress"), "done": .integer(progress.done), "all": .integer(progress.all),
                "bytes": .integer(progress.bytes), "allBytes": .integer(progress.allBytes),
                "bytesPerSecond": progress.bytesPerSecond.map { .integer($0) },
                "secondsLeft": progress.secondsLeft.map { .integer($0) },
            ]))
    }

    /// What was answered for another process.
    static func answers(_ questions: Set<SyncReport.Question>) -> Report {
        let words = questions.map(question).sorted()
        var report = Report(data: .fields(["approved": .array(words.map { .string($0) })]))
        for word in words { report.add(.line(word)) }
        report.add(
            .line(
                words.isEmpty
                    ? "Another process synchronises this folder, and its last run asked nothing."
                    : "Another process synchronises this folder: its next run goes on with the yes."))
        return report
    }

    static func plan(
        _ actions: [SyncAction], _ questions: Set<SyncReport.Question>, _ leftOut: Set<LeftOutItem>
    ) -> Report {
        let rows = actions.map { action in
            JSONValue.fields([
                "kind": .string(action.kind.rawValue), "side": .string(action.side.rawValue),
                "path": .string(text(action.path)),
                "target": action.target.map { .string(text($0)) },
            ])
        }
        let asked = questions.map(question).sorted()
        var report = Report(
            data: .fields([
                "actions": .array(rows), "questions": .array(asked.map { .string($0) }), "leftOut": data(leftOut),
            ]))
        for action in actions {
            let goal = action.target.map { " → \(Printable.text(text($0)))" } ?? ""
            report.add(
                .line("\(verb(action.kind)) \(action.side.rawValue): \(Printable.text(text(action.path)))\(goal)"))
        }
        for line in lines(leftOut) { report.add(.line(line)) }
        for question in asked { report.add(.failure(question)) }
        if actions.isEmpty { report.add(.success("There is nothing to do.")) }
        return report
    }

    private static func verb(_ kind: SyncAction.Kind) -> String {
        switch kind {
        case .setAside: "both changed, set aside"
        case .settle: "end what a run left aside"
        case .create, .replace, .move, .delete, .join, .read: kind.rawValue
        }
    }

    static func kept(_ kept: [FolderSync.Kept]) -> Report {
        let rows = kept.map { one in
            JSONValue.fields([
                "digest": .string("\(one.digest)"), "reason": .string(one.reason.rawValue), "name": .string(one.name),
                "bytes": .integer(one.size), "kept": .integer(Int(one.kept / 1_000)),
            ])
        }
        var report = Report(data: .array(rows))
        if kept.isEmpty { return report.adding(.line("Nothing is kept.")) }
        report.add(
            .table(
                [["Digest", "Bytes", "Why", "Name"]]
                    + kept.map {
                        ["\("\($0.digest)".prefix(16))", "\($0.size)", $0.reason.rawValue, Printable.text($0.name)]
                    }))
        return report
    }

    static func question(_ question: SyncReport.Question) -> String {
        switch question {
        case .massChange(let change):
            "A mass change: \(mass(change)). With a yes it is done; what goes is kept for 30 days."
        case .emptied(let path):
            "\(Printable.text(text(path))) has 0 bytes on one side and had more. With a yes both have 0."
        case .damaged(let path):
            """
            \(Printable.text(text(path))) is damaged here, and the server does not have it. Nothing is done to it. Put \
            it back from a backup or with “sync recover”; where it is right as it is, save it anew.
            """
        case .serverTooWeak(let path):
            """
            \(Printable.text(text(path))): the server's conditions do not hold, so it is not replaced, moved or \
            deleted there.
            """
        case .refused(let path):
            "\(Printable.text(text(path))) was refused, or changed each time. The next run tries again."
        case .otherOwner:
            """
            The folder was synchronised by another connection, or before this one was made. With a yes its files and \
            the server's come together: nothing is deleted, and the server gets all of them.
            """
        }
    }

    private static func mass(_ change: MassChange) -> String {
        switch change {
        case .deletions(let here, let there, let count):
            "\(here.counting("item")) would go here and \(there) there, of \(count)"
        case .replacements(let here, let there, let count):
            "\(here.counting("file")) would get other content here and \(there) there, of \(count)"
        case .emptied(.here): "the folder here is empty, and the server's would be emptied"
        case .otherRoot:
            """
            the server's folder is another one than before, or was brought back from a backup, and both sides would be \
            compared as if they had never met; nothing is deleted
            """
        case .emptied(.there): "the server's folder is empty, and the one here would be emptied"
        }
    }
}
