package import PaviseVault
internal import SecurityFramework

/// Whether there is data that only the key of a lock opens: three answers.
package enum LockNeed: Hashable, Sendable {
    /// It is certain that there is none.
    case none
    /// There is some.
    case needed
    /// Nobody can say now, and why. The lock is closed meanwhile, and nothing is given up: see
    /// ``LockDamage/isForGood``.
    case unknown(LockDamage)

    /// What a missing record means: no PIN only where it is certain that nothing needs one.
    var record: AppLockMachine.Record {
        switch self {
        case .none: .absent
        case .needed: .unreadable(.missing)
        case .unknown(let damage): .unreadable(damage)
        }
    }

    /// Asks one question more: a yes counts before a “cannot say”, and that before a no.
    package mutating func ask(_ question: () throws(VaultFailure) -> Bool) {
        guard self != .needed else { return }
        do throws(VaultFailure) {
            if try question() { self = .needed }
        } catch {
            if self == .none { self = .unknown(.unanswered(error)) }
        }
    }
}

extension LockDamage {
    /// Why a question about something else than the record has no answer: never a reason to start over.
    package static func unanswered(_ failure: VaultFailure) -> LockDamage {
        let damage = LockDamage(failure)
        return damage.isForGood ? .unavailable(failure.description) : damage
    }
}
