/// A step in the words of paths, for a person and for a program's output.
public struct SyncAction: Hashable, Sendable {
    /// What is done.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// A new file or folder.
        case create
        /// Other content.
        case replace
        /// Another place or name.
        case move
        /// Gone.
        case delete
        /// Both changed: the one here gets a name of its own.
        case setAside
        /// Both have the same.
        case join
        /// Read from the server, to know what it is.
        case read
        /// A run that was cut off had taken it aside: what is nowhere else comes back, the rest goes.
        case settle
    }
    /// What is done.
    public let kind: Kind
    /// Where it is done.
    public let side: SyncSide
    /// To what.
    public let path: SyncPath
    /// Where it goes, for a move and a conflict.
    public let target: SyncPath?
}

extension SyncEngine {
    /// What the next run would do first, in paths; nothing is written on either side. Contents that nobody knows yet
    /// are read.
    ///
    /// - Returns: Beside the actions and the questions what a run would leave out (``SyncReport/leftOut``).
    /// - Throws: ``SyncFailure``, where a run would have it in its report; ``SyncFailure/busy`` during a run.
    public func preview() async throws(SyncFailure) -> (
        actions: [SyncAction], questions: Set<SyncReport.Question>, leftOut: Set<LeftOutItem>
    ) {
        guard !isRunning else { throw .busy }
        isRunning = true
        defer { isRunning = false }
        (report, refusals) = (SyncReport(), [:])
        guard try await look([]) else { return ([], report.questions, report.leftOut) }
        let asideHere = await folder.aside.map { SyncAction(kind: .settle, side: .here, path: $0, target: nil) }
        let asideThere = await remote.aside.map { SyncAction(kind: .settle, side: .there, path: $0, target: nil) }
        for _ in 0..<Self.mostPlans {
            let plan = nextPlan()
            let reads = plan.steps.filter { if case .read = $0 { true } else { false } }
            for step in reads { try await act(on: step) }
            guard reads.isEmpty else { continue }
            if let change = MassChange.judge(plan.extent, here: here.items.count, there: there.items.count) {
                report.questions.insert(.massChange(change))
            }
            let aside = asideHere + asideThere
            return (aside + plan.steps.compactMap(action), report.questions, report.leftOut)
        }
        throw .unreachable("The server keeps changing.")
    }

    private func action(_ step: SyncStep) -> SyncAction? {
        func place(_ location: ItemLocation, _ tree: SyncTree) -> SyncPath {
            (tree.path(of: location.parent) ?? []) + [location.name]
        }
        func made(_ kind: SyncAction.Kind, _ side: SyncSide, _ path: SyncPath, _ target: SyncPath? = nil) -> SyncAction
        {
            SyncAction(kind: kind, side: side, path: path, target: target)
        }
        switch step {
        case .agree: return nil
        case .read(let id): return made(.read, .there, path(of: id))
        case .join(let id, _): return made(.join, .here, path(of: id))
        case .setAside(let id, let name): return made(.setAside, .here, path(of: id), path(of: id).dropLast() + [name])
        case .create(let side, _, let item):
            return made(.create, side, place(item.location, side == .here ? here : there))
        case .replace(let side, let id, _, _): return made(.replace, side, path(of: id))
        case .move(let side, let id, let target):
            let tree = side == .here ? here : there
            return made(.move, side, tree.path(of: id) ?? [], place(target, tree))
        case .delete(let side, let id, _): return made(.delete, side, (side == .here ? here : there).path(of: id) ?? [])
        }
    }
}
