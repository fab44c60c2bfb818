/// A step of a try after which a crash must neither give a try nor open anything. A test stops the process there.
package enum AppLockStep: String, Hashable, Sendable, CaseIterable {
    /// A first PIN is durable, and what was sealed before it is not sealed anew.
    case established
    /// The mark of a first PIN is durable, its record is not.
    case begun
    /// A record is durable, its mark is not.
    case written
    /// The mark says that the lock is removed, the record is still there.
    case unmarked
    /// The try is counted, and not judged yet.
    case counted
    /// The element has answered.
    case judged
    /// The key is wrapped with the new PIN in memory, nothing of it is durable.
    case wrapped
    /// The key is wrapped with the new PIN, the old wrapping's guard still exists.
    case rewrapped
    /// The old wrapping's guard is destroyed, and the record still names it.
    case unwrapped
    /// The mark of a final action is durable.
    case ending
    /// The lock's key is destroyed.
    case destroyed
    /// The product's own handler has run.
    case handled

    /// The record is removed, its guard still exists.
    case erased
    /// An order from afar is noted, and not begun.
    case noted
    /// An order is done, and the ledger does not say so yet.
    case obeyed

    /// What a test does after a step.
    @TaskLocal package static var observer: (@Sendable (AppLockStep) -> Void)?

    func reached() { Self.observer?(self) }
}
