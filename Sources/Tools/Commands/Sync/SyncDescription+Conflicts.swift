internal import PavisePrimitives
internal import PaviseSync

/// Conflicts of a folder, and what each choice does and loses.
extension SyncDescription {
    typealias Conflict = FolderSync.Conflict

    static func conflicts(_ conflicts: [Conflict]) -> Report {
        var report = Report(data: .array(conflicts.map(data)))
        guard !conflicts.isEmpty else { return report.adding(.line("There are no conflicts.")) }
        for conflict in conflicts {
            report.add(.line(Printable.text(text(conflict.copy))))
            if let origin = origin(of: conflict) { report.add(.line("  \(origin)")) }
            for choice in conflict.choices {
                report.add(.line("  \(choice.rawValue): \(effect(of: choice, conflict))"))
            }
        }
        report.add(.line("Close one: pavise sync close CONNECTION FOLDER COPY copy|original|both"))
        return report
    }

    /// Which of the paths a person named. Two names that look the same and have other bytes are two files: the bytes
    /// decide. One that only looks the same is meant where there is no other.
    static func index(of wanted: String, in paths: [SyncPath]) -> Int? {
        let texts = paths.map(text)
        if let exact = texts.firstIndex(where: { $0.utf8.elementsEqual(wanted.utf8) }) { return exact }
        let alike = texts.indices.filter { texts[$0] == wanted }
        return alike.count == 1 ? alike[0] : nil
    }

    static func closed(_ conflict: Conflict, _ choice: Conflict.Choice, _ loss: Conflict.Loss) -> Report {
        var report = Report(
            data: .fields([
                "copy": .string(text(conflict.copy)), "original": .string(text(conflict.original)),
                "keep": .string(choice.rawValue), "loses": lost(loss),
            ]))
        let rest = loss == .nothing ? "Nothing is lost." : "What goes is kept for 30 days."
        report.add(.success("Closed here. \(rest)"))
        return report.adding(.line("The next “pavise sync run” does it at the server."))
    }

    private static func data(_ conflict: Conflict) -> JSONValue {
        .fields([
            "copy": .string(text(conflict.copy)), "original": .string(text(conflict.original)),
            "isOriginalThere": .bool(conflict.isOriginalThere), "device": conflict.device.map { .string($0) },
            "made": conflict.made.map { .integer(Int($0)) },
            "choices": .array(
                conflict.choices.map { choice in
                    .fields([
                        "keep": .string(choice.rawValue), "does": .string(effect(of: choice, conflict)),
                        "loses": conflict.loss(of: choice).flatMap(lost),
                    ])
                }),
        ])
    }

    // `nil` for nothing.
    private static func lost(_ loss: Conflict.Loss) -> JSONValue? {
        switch loss {
        case .nothing: nil
        case .content(let path): .string(text(path))
        }
    }

    private static func origin(of conflict: Conflict) -> String? {
        guard let made = conflict.made else { return nil }
        let time = CivilTime(seconds: made)
        let clock = "\(time.clock.hour):\(time.clock.minute):\(time.clock.second)"
        return "From \(conflict.device.map(Printable.text) ?? "another device"), \(time.day) \(clock) UTC."
    }

    private static func effect(of choice: Conflict.Choice, _ conflict: Conflict) -> String {
        let original = Printable.text(text(conflict.original))
        return switch choice {
        case .copy where conflict.isOriginalThere:
            "the copy takes the place of \(original), whose content is lost after 30 days."
        case .copy: "the copy is called \(original) again. Nothing is lost."
        case .original: "the copy is deleted, and its content is lost after 30 days."
        case .both: "the copy gets a name of its own beside \(original). Nothing is lost."
        }
    }
}
