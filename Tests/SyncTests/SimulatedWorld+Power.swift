import PaviseSync

// What a loss of power leaves: of the folder here and of the journal, each by itself, any state between the one that
// was last waited for and the newest one. What comes before a change that was waited for is on the disk as well, as on
// a file system with a journal.
extension SimulatedWorld {
    /// What a call waits for before it returns.
    enum DurableStep: Sendable {
        /// A change of the journal.
        case journal
        /// A change that the engine makes in the folder.
        case change
        /// All that others wrote into the folder.
        case folder
    }

    struct Journal {
        var records = SyncRecords()
        var kept: [ContentDigest: [UInt8]] = [:]
    }
}

extension SimulatedWorld.State {
    /// What the journal says after a loss of power too.
    var durableRecords: SyncRecords { losesPower ? olderJournals[0].records : records }

    /// A change is done; whoever looks sees it, and a loss of power may take it back.
    mutating func noteChange(_ step: SimulatedWorld.DurableStep?) {
        switch step {
        case .journal: olderJournals.append(SimulatedWorld.Journal(records: records, kept: kept))
        case .change: olderFolders.append(disks[.here] ?? [:])
        case .folder, nil: break
        }
    }

    /// The call has waited for the disk.
    mutating func settle(_ step: SimulatedWorld.DurableStep?) {
        guard let step, step != forgotten else { return }
        switch step {
        case .journal: olderJournals = [SimulatedWorld.Journal(records: records, kept: kept)]
        case .change, .folder: olderFolders = [disks[.here] ?? [:]]
        }
    }

    mutating func losePower() {
        let folder = olderFolders[random.below(olderFolders.count)]
        let journal = olderJournals[random.below(olderJournals.count)]
        trace.append("power lost")
        disks[.here] = folder
        (records, kept) = (journal.records, journal.kept)
        (olderFolders, olderJournals) = ([folder], [journal])
        // What a person wrote here and nobody waited for is gone with the power, unless it was sent.
        live.formIntersection(contents(.here).union(contents(.there)))
    }

    private func contents(_ side: SyncSide) -> Set<[UInt8]> {
        var found: Set<[UInt8]> = []
        for case .file(let bytes, _, _, _) in (disks[side] ?? [:]).values { found.insert(bytes) }
        return found
    }

    /// A write goes to the server: it must be written down on the disk (sync/SY2).
    mutating func expectSent(_ kind: PendingWrite.Kind, _ digest: ContentDigest? = nil) {
        let isPending = olderJournals[0].records.pending.values.contains {
            $0.kind == kind && (digest == nil || $0.digest == digest)
        }
        if !isPending { wrong.append("\(kind) was sent before it was written down") }
    }

    /// A content is sent, or goes: it must lie in the store, on the disk (sync/SY14).
    mutating func expectKept(_ digest: ContentDigest) {
        if olderJournals[0].kept[digest] == nil { wrong.append("a content was sent or taken away before it was kept") }
    }
}
