internal import PavisePrimitives

/// Findings for which a process ended at its start, before anything could be opened: noted beside the trail, and taken
/// into it with its next entry.
///
/// A note needs no key, which nothing may be asked for then; so nothing seals it until it is an entry, and whoever may
/// change the files of the home can take it away or make one up. Therefore it can be nothing but findings, of plain
/// words; the entry says by the fact `noted` that it was one, and when. No folder is made for it.
package struct PendingFindings: Sendable {
    private let folder: String
    private var path: String { folder + "/trail.pending" }
    // What is being told: a kill before it is removed has it told twice, never not at all.
    private var taken: String { path + ".taken" }
    private static let limit = 4096

    /// The notes beside the trail of `folder`.
    package init(in folder: String) { self.folder = folder }

    /// Keeps `event`, on the disk when this returns; counts it as lost where there are too many notes.
    package func note(_ event: AuditEvent, at milliseconds: Int64) {
        guard DurableFile.exists(folder) else { return }
        let line = AuditEntry.plain(event, at: milliseconds) + [0x0A]
        do throws(SystemFailure) {
            for _ in 0..<Self.tries where try isKept(line) { return }
        } catch {
            _ = LostEvents(in: folder).add(1)
        }
    }

    private static let tries = 8

    // Whether the note is where the next entry looks for it, or counted as lost. A trail that took the file since it
    // was opened may have read it already: then it is noted again.
    private func isKept(_ line: [UInt8]) throws(SystemFailure) -> Bool {
        let file = try AppendOnlyFile(path)
        let before = try file.size()
        guard before + line.count <= Self.limit else {
            _ = LostEvents(in: folder).add(1)
            return true
        }
        try file.append(line)
        try file.synchronise()
        if before == 0 { try DurableFile.synchroniseDirectory(of: path) }
        return file.isInPlace
    }

    /// The notes, as events for the trail; only behind its lock. `nil` where nobody can say what they are: they stay
    /// for the next time.
    func take() -> [AuditEvent]? {
        do throws(SystemFailure) {
            if try DurableFile.presence(of: taken).get() == nil {
                guard try DurableFile.presence(of: path).get() != nil else { return [] }
                try DurableFile.move(path, to: taken)
            }
            let bytes = try DurableFile.readIfPresent(taken, limit: Self.limit, isSecret: true) ?? []
            return bytes.split(separator: 0x0A).compactMap { Self.event(Array($0)) }
        } catch {
            // What is longer than all notes together is none.
            return error.isTooLarge ? [] : nil
        }
    }

    /// Forgets what was taken: it stands in the trail now.
    func forget() { if DurableFile.exists(taken) { try? DurableFile.remove(taken) } }

    private static func event(_ line: [UInt8]) -> AuditEvent? {
        guard let note = AuditEntry(0, line), note.name == AuditEvent.Name.deviceFindings.rawValue,
            Set(note.facts.keys) == ["action", "rules"],
            note.facts.values.allSatisfy({ $0.utf8.allSatisfy(LogMessage.StringInterpolation.isPlain) })
        else { return nil }
        var facts = note.facts
        facts["noted"] = LogTime.text(milliseconds: note.milliseconds)
        return AuditEvent(.deviceFindings, facts)
    }
}
