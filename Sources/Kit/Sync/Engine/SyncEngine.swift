/// Keeps a folder and a server equal without losing anything: looks at both, plans, does a batch, looks at what
/// became of it.
///
/// ```swift
/// let engine = SyncEngine(folder: folder, remote: remote, journal: journal, device: "laptop", milliseconds: now)
/// let report = await engine.run()
/// for question in report.questions { print(question) }
/// ```
/// Disk, network and time are values (sync/SY20). One run at a time; a second call waits for its turn.
public actor SyncEngine {
    let folder: any SyncFolder
    let remote: any SyncRemote
    let journal: any SyncJournal
    let rules: NameRules
    let device: String
    let width: Int
    let meter: SyncMeter?
    let milliseconds: @Sendable () -> Int64
    // The state of the run that is going on.
    var records = SyncRecords()
    var here = SyncTree()
    var there = SyncTree()
    var statuses: [ItemID: FileStatus] = [:]
    var versions: [ItemID: RemoteVersion] = [:]
    var hereIdentities: [ItemID: String] = [:]
    var thereIdentities: [ItemID: String] = [:]
    var held: Set<ItemID> = []
    var report = SyncReport()
    var mustLookAgain = false
    var refusals: [ItemID: Int] = [:]
    /// Contents that are in the store and about to be sent.
    var prepared: [ItemID: SyncContent] = [:]
    /// What lies in which folder here, as of this plan; `nil` before anybody asked.
    var childrenHere: [ItemID: [ItemID]]?
    private var isRunning = false

    /// How often a run looks at both sides anew before it leaves the rest to the next run.
    static let mostLooks = 12
    /// How often one thing is tried in a run, before a person is asked.
    static let mostRefusals = 3
    /// How many plans follow one look.
    static let mostPlans = 200
    /// How many small contents are put into the store at once, before they are sent.
    static let batchSize = 32

    /// An engine.
    ///
    /// - Parameters:
    ///   - folder: This device's side.
    ///   - remote: The server's side.
    ///   - journal: Of this connection and folder.
    ///   - rules: When two names are one, on this device.
    ///   - device: What copies of conflicts call this device.
    ///   - width: How many contents are sent and fetched at the same time.
    ///   - meter: Counts them.
    ///   - milliseconds: The time since 1970, for the names of copies alone.
    public init(
        folder: any SyncFolder, remote: any SyncRemote, journal: any SyncJournal, rules: NameRules = .exact,
        device: String, width: Int = 4, meter: SyncMeter? = nil,
        milliseconds: @escaping @Sendable () -> Int64
    ) {
        self.folder = folder
        self.remote = remote
        self.journal = journal
        self.rules = rules
        self.device = device
        self.width = max(1, width)
        self.meter = meter
        self.milliseconds = milliseconds
    }

    /// Brings both sides together.
    ///
    /// - Parameter approved: Questions of an earlier report that a person has answered with yes.
    /// - Returns: What was done and what waits. It never throws: what ended it early is in the report.
    public func run(approving approved: Set<SyncReport.Question> = []) async -> SyncReport {
        guard !isRunning else {
            var report = SyncReport()
            report.failure = .busy
            return report
        }
        isRunning = true
        defer { isRunning = false }
        (report, refusals) = (SyncReport(), [:])
        do throws(SyncFailure) {
            try await runThrowing(approved)
        } catch {
            report.failure = error
        }
        return report
    }

    /// What the next run would do, without doing it. Contents that have to be read first are read.
    public func plan() async throws(SyncFailure) -> SyncPlan {
        try await look([])
        return nextPlan()
    }

    func nextPlan() -> SyncPlan {
        SyncPlan(
            base: SyncTree(records.base.mapValues(\.item)), here: here, there: there, held: held, rules: rules,
            naming: ConflictNaming(milliseconds: milliseconds(), device: device))
    }

    private func runThrowing(_ approved: Set<SyncReport.Question>) async throws(SyncFailure) {
        for _ in 0..<Self.mostLooks {
            try await look(approved)
            mustLookAgain = false
            for _ in 0..<Self.mostPlans where !mustLookAgain {
                let plan = nextPlan()
                if let change = MassChange.judge(plan.extent, here: here.items.count, there: there.items.count),
                    !approved.contains(.massChange(change))
                {
                    report.questions.insert(.massChange(change))
                    return
                }
                guard !plan.steps.isEmpty else { return }
                try await act(on: plan.steps)
            }
        }
        throw .unreachable("Both sides kept changing; the rest is left to the next run.")
    }

    private func act(on steps: [SyncStep]) async throws(SyncFailure) {
        try await note(steps)
        let steps = steps.filter { !$0.isNote }
        childrenHere = nil
        let contents = steps.filter(\.isContent)
        let sizes = steps.compactMap { size(of: $0) }
        meter?.expect(sizes.count, bytes: sizes.reduce(0, +))
        // What changes paths comes one after the other, before contents that go several at a time.
        for step in steps where width == 1 || !step.isContent {
            if let failure = await attempt(step) { throw failure }
        }
        if width > 1 { try await actAtOnce(on: contents) }
    }

    // What a step moves over the network, as far as a side says; what goes into a file here was read before.
    private func size(of step: SyncStep) -> Int? {
        switch step {
        case .create(.there, let id, let item): item.isFolder ? nil : statuses[id]?.size ?? 0
        case .replace(.there, let id, _, _): (statuses[id]?.size ?? 0) + (versions[id]?.size ?? 0)
        case .read(let id): versions[id]?.size ?? 0
        case .agree, .join, .setAside, .move, .delete, .create, .replace: nil
        }
    }

    /// Tries a step; what is of one item alone waits for a person or for the next look.
    func attempt(_ step: SyncStep) async -> SyncFailure? {
        do throws(SyncFailure) {
            try await act(on: step)
            report.done.append(step)
            if size(of: step) != nil { meter?.finishOne() }
        } catch .changed {
            mustLookAgain = true
            refusals[step.item, default: 0] += 1
            if refusals[step.item] == Self.mostRefusals { hold(step.item) }
        } catch  where error.isOfOneItem {
            // The others go on (sync/SY16).
            refusals[step.item] = Self.mostRefusals
            hold(step.item)
        } catch {
            return error
        }
        return nil
    }

    private func hold(_ id: ItemID) {
        report.questions.insert(.refused(path(of: id)))
        held.insert(id)
    }

    func path(of id: ItemID) -> SyncPath { here.path(of: id) ?? there.path(of: id) ?? [] }

    // One commit for all that both sides agree on.
    private func note(_ steps: [SyncStep]) async throws(SyncFailure) {
        var changes: [SyncChange] = []
        for step in steps {
            guard case .agree(let id, let item) = step else { continue }
            changes.append(.base(id, item.map { record(of: id, $0) }))
            if records.pending[id] != nil { changes.append(.pending(id, nil)) }
        }
        try await commit(changes)
    }

    func record(of id: ItemID, _ item: SyncItem) -> BaseRecord {
        var record = BaseRecord(item: item)
        record.status = here[id]?.digest == item.digest ? statuses[id] : records.base[id]?.status
        record.hereIdentity = hereIdentities[id]
        record.version = there[id]?.digest == item.digest ? versions[id] : records.base[id]?.version
        record.thereIdentity = thereIdentities[id]
        return record
    }

    func commit(_ changes: [SyncChange]) async throws(SyncFailure) {
        guard !changes.isEmpty else { return }
        try await journal.commit(changes)
        for change in changes { records.apply(change) }
    }
}
