internal import PavisePrimitives
internal import PaviseProtectedStorage

extension SyncFailure {
    init(_ error: any Error) {
        switch error {
        case let error as SyncFailure: self = error
        case let error as ProtectedDatabaseError: self.init(error)
        case let error as StorageFailure: self.init(error)
        default: self = .journal("The journal failed: \(type(of: error)).")
        }
    }

    private init(_ error: ProtectedDatabaseError) {
        switch error {
        case .locked: self = .locked
        case .full: self = .full(.here)
        case .busy: self = .busy
        case .storage(let failure): self.init(failure)
        default: self = .journal("\(error)")
        }
    }

    private init(_ failure: StorageFailure) {
        switch failure {
        case .locked: self = .locked
        case .busy: self = .busy
        case .system(let failure) where failure.isDiskFull: self = .full(.here)
        default: self = .journal("\(failure)")
        }
    }
}
