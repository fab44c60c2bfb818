internal import PavisePrimitives
internal import PaviseVault

extension VaultFailure {
    /// What it means for the vault that a lock was not given.
    init(_ failure: FileLock.Failure) {
        self = failure.mapped(held: .busy) { .system(status: $0.code) }
    }
}
