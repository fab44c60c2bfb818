internal import PaviseAppLock
internal import PaviseLog
internal import PaviseManaged
internal import PavisePrimitives
internal import PaviseVault
internal import SecurityFramework
internal import Synchronization

/// Which rules of an administrator were in force when a program looked last: a digest of them, beside the key of its
/// trail. That they are others at the first look of a run is an event of that trail.
final class RulesInForce: Sendable {
    private let isSeen = Mutex(false)

    /// Compares the rules with those of the run before, once in a run. What the keychain does not tell now is asked at
    /// the next look.
    ///
    /// - Parameter lock: Whose trail hears of the change; where there is none, nothing is kept either.
    func look(at rules: ManagedConfiguration?, _ lock: AppLock?) {
        guard let lock, let kept = Kept(lock) else { return }
        let isChange = isSeen.withLock { isSeen in
            guard !isSeen, let before = kept.digest() else { return false }
            isSeen = true
            return before != Self.digest(rules)
        }
        guard isChange else { return }
        // The event first: a kill in between tells it twice, and not never.
        lock.trail?.record(AuditEvent(.policyChanged))
        kept.keep(Self.digest(rules))
    }

    /// Takes over rules whose change was told already.
    func take(_ rules: ManagedConfiguration?, _ lock: AppLock?) {
        guard let kept = lock.flatMap(Kept.init) else { return }
        isSeen.withLock { $0 = true }
        kept.keep(Self.digest(rules))
    }

    // Empty where nobody manages: such a home has no item.
    private static func digest(_ rules: ManagedConfiguration?) -> [UInt8] {
        rules.map { MessageDigest.sha256(Array($0.form.text.utf8)) } ?? []
    }

    private struct Kept {
        let store: any SecretStore
        let name: ItemName

        init?(_ lock: AppLock) {
            guard let trail = lock.keptTrail,
                let name = ItemName(service: "org.pavise.rules", account: trail.name)
            else { return nil }
            store = trail.store
            self.name = name
        }

        // `nil` where nobody can say now. A damaged item is none that any rules have.
        func digest() -> [UInt8]? {
            do throws(VaultFailure) {
                switch try store.read(name) {
                case .absent: return []
                case .found(let bytes): return bytes.withBytes { bytes in Array(bytes) }
                }
            } catch {
                return error.isPassing ? nil : [0]
            }
        }

        // Where it cannot be written, the next run tells the change once more.
        func keep(_ digest: [UInt8]) {
            guard !digest.isEmpty else {
                try? store.delete(name)
                return
            }
            _ = try? digest.withSpan { span throws(VaultFailure) in try store.replace(span, as: name) }
        }
    }
}
