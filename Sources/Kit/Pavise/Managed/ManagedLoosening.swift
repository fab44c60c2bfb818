package import PaviseAppLock
package import PaviseManaged
package import PaviseSession

/// A figure of an administrator that asks for less than the product itself does: it has no effect, and that is told
/// (connections C37).
package struct ManagedLoosening: Hashable, Sendable {
    /// The key, as in the administrator's file.
    package let key: String
    /// What the administrator wrote.
    package let asked: Int64
    /// What holds.
    package let own: Int64

    /// One sentence.
    package var description: String { "\(key): \(asked) has no effect, since \(own) is stricter and holds." }
}

extension ManagedConfiguration {
    /// The figures that have no effect with these settings of a product.
    package func loosenings(
        session own: RefreshPolicy = RefreshPolicy(), lock: AppLockPolicy = .standard
    ) -> [ManagedLoosening] {
        // The most that holds, by key; for the least that holds the sign is turned.
        let most: [(String, Int64?, Int64)] = [
            ("session.maximumSeconds", session.maximumSeconds, own.absoluteLimit.components.seconds),
            ("session.inactivitySeconds", session.inactivitySeconds, own.inactivity.components.seconds),
            ("session.rejections", session.rejections.map(Int64.init), Int64(own.rejectionsUntilEnd)),
            ("appLock.attempts", appLock.attempts.map(Int64.init), Int64(lock.attempts)),
            ("appLock.freeAttempts", appLock.freeAttempts.map(Int64.init), Int64(lock.freeAttempts)),
            ("appLock.idleSeconds", appLock.idleSeconds, lock.idle.components.seconds),
            ("appLock.backgroundSeconds", appLock.backgroundSeconds, lock.grace.components.seconds),
            ("appLock.activeSeconds", appLock.activeSeconds, lock.activeTime.components.seconds),
        ]
        let least: [(String, Int64?, Int64)] = [
            ("appLock.minimumDigits", appLock.minimumDigits.map(Int64.init), Int64(lock.leastDigits)),
            ("appLock.minimumCharacters", appLock.minimumCharacters.map(Int64.init), Int64(lock.leastCharacters)),
            ("appLock.delaySeconds", appLock.delaySeconds, lock.delays.first?.components.seconds ?? 0),
        ]
        let tooMuch = most.compactMap { key, asked, own in
            asked.flatMap { $0 > own ? ManagedLoosening(key: key, asked: $0, own: own) : nil }
        }
        let tooLittle = least.compactMap { key, asked, own in
            asked.flatMap { $0 < own ? ManagedLoosening(key: key, asked: $0, own: own) : nil }
        }
        return tooMuch + tooLittle
    }
}
