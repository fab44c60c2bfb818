/// Keeps a folder and a server equal without losing anything: looks at both, plans, does a batch, looks at what
/// became of it.
///
/// ```swift
/// let engine = SyncEngine(folder: folder, remote: remote, journal: journal, device: "laptop", milliseconds: now)
/// let report = await engine.run()
/// for question in report.questions { print(question) }
/// ```
/// Disk, network and time are values (sync/SY20). One run at a time: what is asked for meanwhile is
/// ``SyncFailure/busy``.
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
    /// The folders of a side in which something lies that the other cannot have.
    var occupied: [SyncSide: Set<String>] = [:]
    var report = SyncReport()
    var mustLookAgain = false
    /// Whether what the last look saw here is on the disk.
    var isHereDurable = false
    var refusals: [ItemID: Int] = [:]
    /// Contents that are in the store and about to be sent.
    var prepared: [ItemID: SyncContent] = [:]
    /// What lies in which folder here, as of this plan; `nil` before anybody asked.
    var childrenHere: [ItemID: [ItemID]]?
    /// Contents of this size and more found no room on the server in this run.
    var fullFrom: Int?
    // What this run has deleted and replaced: of what a person has said yes to, the rest is left.
    private var changed = SyncPlan.Extent()
    // Items for which the server had an error of its own, since something went well.
    private var erring: Set<ItemID> = []
    private var errorLimit = SyncEngine.mostErrors
    private var failed: Set<ItemID> = []
    private var serverError: SyncFailure?
    var isRunning = false

    /// How many errors of the server one after the other end a batch: then it is asked for a listing first. After each
    /// listing that it gives, twice as many.
    static let mostErrors = 3
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
        (report, refusals, fullFrom) = (SyncReport(), [:], nil)
        (changed, failed, serverError) = (SyncPlan.Extent(), [], nil)
        do throws(SyncFailure) {
            try await runThrowing(approved)
            report.failure = leftOver
        } catch {
            report.failure = error
        }
        return report
    }

    // What kept single items from the server, in a run that came to its end.
    private var leftOver: SyncFailure? {
        if fullFrom != nil { return .full(.there) }
        return failed.count < Self.mostErrors || report.done.contains { $0.isThere } ? nil : serverError
    }

    /// What the next run would do, without doing it.
    ///
    /// - Throws: ``SyncFailure/busy`` during a run; where a run would have it in its report.
    public func plan() async throws(SyncFailure) -> SyncPlan {
        guard !isRunning else { throw .busy }
        isRunning = true
        defer { isRunning = false }
        report = SyncReport()
        guard try await look([]) else { throw .refused("The server's folder is another one than before.") }
        return nextPlan()
    }

    func nextPlan() -> SyncPlan {
        SyncPlan(
            base: SyncTree(records.base.mapValues(\.item)), here: here, there: there, held: held, rules: rules,
            naming: ConflictNaming(milliseconds: milliseconds(), device: device))
    }

    private func runThrowing(_ approved: Set<SyncReport.Question>) async throws(SyncFailure) {
        for count in 0..<Self.mostLooks {
            guard try await look(approved) else { return }
            mustLookAgain = false
            (erring, errorLimit) = ([], Self.mostErrors << count)
            for _ in 0..<Self.mostPlans where !mustLookAgain {
                let plan = nextPlan()
                if let change = MassChange.judge(plan.extent, here: here.items.count, there: there.items.count),
                    !approved.contains(where: { $0.covers(change, after: changed) })
                {
                    report.questions.insert(.massChange(change))
                    return
                }
                guard !plan.steps.isEmpty else { return try await noteWhatWasRead() }
                do throws(SyncFailure) { try await act(on: plan.steps) } catch {
                    // A server that is down gives no listing either, and the run ends with that; one that does nothing
                    // but list is left alone soon.
                    guard case .serverError = error, count < 2 || report.done.contains(where: \.isThere) else {
                        throw error
                    }
                    mustLookAgain = true
                }
            }
        }
        throw serverError ?? .unreachable("Both sides kept changing; the rest is left to the next run.")
    }

    private func act(on steps: [SyncStep]) async throws(SyncFailure) {
        try await note(steps)
        let open = steps.filter { !$0.isNote }
        // What went wrong before comes last: it keeps nothing else from going (sync/SY16).
        let steps = open.filter { refusals[$0.item] == nil } + open.filter { refusals[$0.item] != nil }
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
        if let fullFrom, let size = sentSize(of: step), size >= fullFrom {
            wait(with: step.item)
            return nil
        }
        // It stays for what is in it, which is told; a person has nothing to say to that.
        if isOccupied(step) {
            waitWithFolders(of: step)
            return nil
        }
        do throws(SyncFailure) {
            try await act(on: step)
            finish(step)
        } catch .changed {
            mustLookAgain = true
            refusals[step.item, default: 0] += 1
            if refusals[step.item] == Self.mostRefusals { hold(step.item) }
        } catch  where error.isOfOneItem {
            // The others go on (sync/SY16).
            refusals[step.item] = Self.mostRefusals
            hold(step.item)
        } catch .full(.there) {
            // What is smaller may find room; what is not is not even tried.
            fullFrom = min(fullFrom ?? .max, sentSize(of: step) ?? .max)
            wait(with: step.item)
        } catch {
            guard case .serverError = error else { return error }
            return fail(step.item, error)
        }
        return nil
    }

    private func finish(_ step: SyncStep) {
        report.done.append(step)
        if let size = size(of: step) { meter?.finishOne(size) }
        erring = []
        switch step {
        case .delete(.here, _, _): changed.deletedHere += 1
        case .delete(.there, _, _): changed.deletedThere += 1
        case .replace(.here, _, _, _): changed.replacedHere += 1
        case .replace(.there, _, _, _): changed.replacedThere += 1
        case .agree, .read, .join, .setAside, .create, .move: break
        }
    }

    // The server had an error of its own with this item: the others go on, and it is tried again after the next look.
    private func fail(_ id: ItemID, _ error: SyncFailure) -> SyncFailure? {
        serverError = error
        failed.insert(id)
        mustLookAgain = true
        refusals[id, default: 0] += 1
        if refusals[id] == Self.mostRefusals { hold(id) }
        erring.insert(id)
        return erring.count < errorLimit ? nil : error
    }

    private func isOccupied(_ step: SyncStep) -> Bool {
        guard case .delete(let side, let id, let item) = step, item.isFolder,
            let path = (side == .here ? here : there).path(of: id)
        else { return false }
        return occupied[side]?.contains(path.map(\.text).joined(separator: "/")) ?? false
    }

    // Those that it lies in stay with it: none of them is made on the other side for its sake.
    private func waitWithFolders(of step: SyncStep) {
        guard case .delete(let side, let id, _) = step else { return }
        let (tree, other) = side == .here ? (here, there) : (there, here)
        var next = id
        wait(with: next)
        while let parent = tree[next]?.parent, parent != .root, other[parent] == nil, !held.contains(parent) {
            next = parent
            wait(with: next)
        }
    }

    // How many bytes a step sends to the server; `nil` where it sends no content.
    private func sentSize(of step: SyncStep) -> Int? {
        switch step {
        case .create(.there, let id, let item): item.isFolder ? nil : statuses[id]?.size
        case .replace(.there, let id, _, _): statuses[id]?.size
        default: nil
        }
    }

    // Nothing is done to it any more in this run, and nobody is asked.
    private func wait(with id: ItemID) {
        refusals[id] = Self.mostRefusals
        held.insert(id)
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
            if item != nil { try await makeHereDurable() }
            changes.append(.base(id, item.map { record(of: id, $0) }))
            if records.pending[id] != nil { changes.append(.pending(id, nil)) }
        }
        try await commit(changes)
    }

    /// What both sides are said to agree on must not be taken back here by a loss of power: a new file would look
    /// deleted, and an old content like an edit (sync/SY2). Once for each look; what the engine writes waits by itself.
    func makeHereDurable() async throws(SyncFailure) {
        guard !isHereDurable else { return }
        try await folder.makeDurable()
        isHereDurable = true
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
