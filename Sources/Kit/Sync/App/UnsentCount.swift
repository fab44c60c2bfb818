/// How much of a folder waits to reach the server.
///
/// Of a sealed folder that is what a sign-out loses: it is counted when the journal is opened, after each write of an
/// app and after each run. The files of a plain folder stay where they are; what is told of it is how many writes are
/// under way whose end is not known.
struct UnsentCount: Sendable {
    private let journal: ProtectedJournal
    private let isSealed: Bool

    init(_ journal: ProtectedJournal, isSealed: Bool) { (self.journal, self.isSealed) = (journal, isSealed) }

    /// Counts, and tells it. Behind a lock the last figure stays.
    func tell(_ board: SyncStateBoard) {
        let count = isSealed ? try? journal.unsentOfSealed() : (try? journal.counts())?.pending
        guard let count else { return }
        board.change { $0.unsent = count }
    }
}
