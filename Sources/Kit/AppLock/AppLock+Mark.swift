internal import PavisePrimitives
internal import PaviseVault
internal import SecurityFramework
internal import Synchronization

/// The record beside its mark (Documentation/Decisions/0010-marks.md).
extension AppLock {
    /// What lies in the keychain, as the mark judges it.
    enum MarkedRecord {
        case none
        case current(LockRecord)
        /// From before there were marks.
        case unmarked(LockRecord)
        /// Of a lock that was removed.
        case removed(LockRecord)
        case damaged(LockDamage)
    }

    // A write takes longer than a look: whoever sees another mark each time has no chance to say what is right.
    private static let mostLooks = 50

    /// Reads record and mark.
    ///
    /// Readers hold no lock. The mark is read first, so that the record can only be newer; where the two do not fit,
    /// another process may be writing, and only a mark that stays the same is believed.
    func markedRecord() -> MarkedRecord {
        for _ in 0..<Self.mostLooks {
            do throws(MarkBridge.Failure) {
                let mark = try parts.marks?.read()
                let found = judged(mark)
                switch found {
                case .damaged(.missing), .damaged(.olderCopy): break
                default: return found
                }
                if try parts.marks?.read() == mark { return found }
            } catch {
                return .damaged(LockDamage(error))
            }
        }
        return .damaged(.unavailable("Another process changes it all the time."))
    }

    private func judged(_ mark: LockMark?) -> MarkedRecord {
        let record: LockRecord?
        do throws(VaultFailure) { record = try storedRecord() } catch { return .damaged(LockDamage(error)) }
        guard parts.marks != nil else { return record.map { .current($0) } ?? .none }
        switch (LockMark.judge(mark, record: record?.generation), record) {
        case (.current, let record?): return .current(record)
        case (.unmarked, let record?): return .unmarked(record)
        case (.removed, let record?): return .removed(record)
        case (.olderCopy, _): return .damaged(.olderCopy)
        case (.missing, _): return .damaged(.missing)
        default: return .none
        }
    }

    private func storedRecord() throws(VaultFailure) -> LockRecord? {
        guard case .found(let secret) = try parts.vault.read(parts.name) else { return nil }
        return try secret.withCopy { bytes throws(VaultFailure) in
            if LockRecord.isNewer(bytes) { throw .newer }
            let record = LockRecord(bytes)
            guard let record else { throw .corrupt(.content) }
            return record
        }
    }

    /// Looks whether another process has set, removed, ended or replaced the lock since this one looked: what is sealed
    /// from now on has to open under the lock that there is. A lock that is closed looks again with each try.
    func noticeOthers() {
        openOnce()
        let (state, known, isProving) = memory.withLock { ($0.machine.state, $0.record, $0.isProving) }
        switch state {
        case .unset, .unlocked: break
        case .locked, .ended: return
        }
        guard !isProving, isMarkOther(than: known) else { return }
        let found: LockRecord?
        switch markedRecord() {
        case .none, .removed: found = nil
        case .current(let record), .unmarked(let record): found = record
        // Nobody can say now. What is sealed stays in its box.
        case .damaged: return
        }
        // The last wrong PIN in another process ends the session in this one, too.
        guard found?.identity != known?.identity || found?.ending != known?.ending else {
            return memory.withLock { $0.record = found }
        }
        let (reading, now) = (look().1, self.now)
        // Unless a thread of this process was sooner.
        let actions = memory.withLock { memory -> [AppLockMachine.Action]? in
            guard !memory.isProving, memory.record?.identity == known?.identity else { return nil }
            memory.record = found
            return memory.machine.handle(.opened(reading, now))
        }
        guard let actions else { return }
        if let known { parts.place.forget(place(known)) }
        perform(actions)
    }

    // Without opening the record, which a TPM takes its time for; where there are no marks, the record alone can say.
    private func isMarkOther(than known: LockRecord?) -> Bool {
        guard let marks = parts.marks else { return true }
        // Nobody can say: what is known holds, and the next use looks again.
        guard let mark = try? marks.read() else { return false }
        guard let known else { return mark.phase != .removed }
        return mark != LockMark(.present, known.generation)
    }

    /// Goes on with what a kill or an older version left: a removed lock's record goes, and a record without a mark
    /// gets one.
    func goOnWithMark() {
        // Without opening the record, which a TPM takes its time for, where the mark is as it has to be. A mark that
        // cannot be read changes nothing here, and closes at the look that follows.
        guard let marks = parts.marks, let phase = try? marks.read()?.phase ?? .removed, phase != .present else {
            return
        }
        switch markedRecord() {
        case .unmarked, .removed: break
        default: return
        }
        // What cannot be done now is done at the next start, or with the next write.
        _ = try? alone { () throws(AppLockFailure) in
            switch markedRecord() {
            case .unmarked(let record): try writeMark(.present, record.generation)
            case .removed(let record): try erase(record)
            default: break
            }
        }
    }

    /// Writes the record with the next number; when this returns, it and its mark are durable. Call it ``alone(_:)``.
    ///
    /// The record is written between two marks: at most one ahead of its mark, and never without one. So a kill at any
    /// point leaves the old record or the new one, and whoever puts another one back has none that fits.
    ///
    /// - Parameter isFirst: Whether there was no lock before.
    func save(_ record: inout LockRecord, isFirst: Bool = false) throws(AppLockFailure) {
        let known = try knownMark()
        let base = isFirst ? known?.generation ?? 0 : record.generation
        if isFirst {
            try writeMark(.beginning, base + 1)
            AppLockStep.begun.reached()
        } else if known != LockMark(.present, base) {
            try writeMark(.present, base)
        }
        var next = record
        next.generation = parts.marks == nil ? 0 : base + 1
        do throws(VaultFailure) {
            try parts.vault.store(next.encoded, as: parts.name)
        } catch {
            throw .notWritten(error.description)
        }
        AppLockStep.written.reached()
        try writeMark(.present, next.generation)
        record = next
        memory.withLock { $0.record = next }
    }

    /// Says that there is no lock any more, for every record that there is. Call it ``alone(_:)``.
    func markRemoved(_ record: LockRecord?) throws(AppLockFailure) {
        guard let marks = parts.marks else { return }
        var known: LockMark?
        do throws(MarkBridge.Failure) { known = try marks.read() } catch {
            guard error == .damaged else { throw .notWritten("\(error)") }
            known = LockMark(.present, LockMark.aboveAll)
        }
        // A record may be one ahead of its mark.
        try writeMark(.removed, max(known?.generation ?? 0, record?.generation ?? 0) + 1)
    }

    private func knownMark() throws(AppLockFailure) -> LockMark? {
        do throws(MarkBridge.Failure) { return try parts.marks?.read() } catch { throw .unreadable(LockDamage(error)) }
    }

    private func writeMark(_ phase: LockMark.Phase, _ generation: UInt64) throws(AppLockFailure) {
        do throws(MarkBridge.Failure) { try parts.marks?.write(LockMark(phase, generation)) } catch {
            switch error {
            case .damaged: throw .notWritten("The mark of the lock is damaged.")
            case .unavailable(let reason): throw .notWritten(reason)
            }
        }
    }

    /// The programs with a lock of their own in this home, which is not this one; `nil` where nobody can say.
    package var lockedByOthers: [String]? {
        guard let marks = parts.marks else { return [] }
        return try? marks.others()
    }
}

extension LockDamage {
    init(_ failure: MarkBridge.Failure) {
        switch failure {
        case .damaged: self = .corrupt
        case .unavailable(let reason): self = .unavailable(reason)
        }
    }
}
