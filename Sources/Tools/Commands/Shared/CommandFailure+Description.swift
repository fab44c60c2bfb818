internal import Pavise
internal import PaviseAppLock
internal import PaviseDevice
internal import PaviseManaged
internal import PavisePrimitives
internal import PaviseProtectedStorage
internal import PaviseSession
internal import PaviseStorage
internal import PaviseSync
internal import PaviseTransport
internal import SecurityFramework

extension CommandFailure {
    /// Words and status for anything that a command may throw: the one place where errors become text.
    init(describing error: any Error) {
        self.init(known: error)
        guard !(error is CommandFailure) else { return }
        let said = PaviseError(error)
        told = said.code == .unknown ? nil : said
    }

    private init(known error: any Error) {
        switch error {
        case let failure as CommandFailure: self = failure
        case let refusal as ConnectRefusal: self.init(refusal)
        case let failure as VaultFailure: self.init(failure)
        case let failure as TransportFailure: self.init(failure)
        case let failure as ConnectionFailure: self.init(failure)
        case let failure as ConnectionsFailure: self.init(failure)
        case let failure as ManagedFile.Failure: self.init(failure)
        case let damage as ServerTrustDamage: self.init(damage)
        case let failure as SessionFailure: self.init(failure)
        case let failure as SignInFailure: self.init(failure)
        case let failure as DiscoveryFailure: self.init(failure)
        case let problem as BasicAccess.Problem: self.init(problem)
        case let failure as DeviceFailure: self.init(failure)
        case let failure as AppLockFailure: self.init(failure)
        case let failure as OrderFailure: self.init(failure)
        case let failure as StorageFailure: self.init(failure)
        case let failure as ProtectedDatabaseError: self.init(failure)
        case let failure as SyncFailure: self.init(failure)
        case let failure as SystemFailure: self.init(.failed, failure.description)
        case is CancellationError: self.init(.failed, "Stopped before the end.")
        default:
            self =
                CommandFailure(seldom: error)
                ?? CommandFailure(.failed, "Something unforeseen happened: \(type(of: error)). Please report it.")
        }
    }

    private init(_ failure: StorageFailure) {
        switch failure {
        case .locked: self.init(.locked, failure.description)
        case .foreign, .newer: self.init(.refused, failure.description, rule: "storage")
        default: self.init(.failed, failure.description)
        }
    }

    private init(_ failure: ProtectedDatabaseError) {
        switch failure {
        case .locked: self.init(.locked, failure.description)
        case .foreign, .newer: self.init(.refused, failure.description, rule: "storage")
        case .unconditional:
            self.init(
                .refused, "This touches every row. Add a WHERE, or say --all-rows. Nothing was changed.",
                rule: "storage")
        default: self.init(.failed, failure.description)
        }
    }

    private init(_ failure: VaultFailure) {
        switch failure {
        case .keyLost: self.init(.signInNeeded, failure.description)
        case .system, .corrupt, .newer:
            self.init(.failed, KeychainDiagnostics.lastFailure(.current) ?? failure.description)
        case .locked: self.init(.locked, failure.description)
        case .denied, .duplicate, .busy: self.init(.failed, failure.description)
        }
    }

    private init(_ failure: DeviceFailure) {
        switch failure {
        case .wrongPasscode, .passcodeBlocked, .tryLater, .notInteractive, .locked:
            self.init(.locked, failure.explanation)
        case .passcodeLength: self.init(.usage, failure.explanation)
        default: self.init(.failed, failure.explanation)
        }
    }
}
