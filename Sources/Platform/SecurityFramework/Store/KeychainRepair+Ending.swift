internal import PavisePrimitives

extension KeychainItemStore {
    /// Where a repaired keychain lies, whole and durable, until the damaged one is out of its way.
    static func repairedFolder(_ home: PaviseHome) -> String { home.keychain + "-repaired" }

    /// Ends a repair that was cut off between its two renames. Before the first one the damaged keychain stays, and
    /// what was made for it goes.
    static func endRepair(_ home: PaviseHome) throws(SystemFailure) {
        guard try DurableFile.presence(of: repairedFolder(home)).get() != nil else { return }
        try repairing(home, or: { $0 }) { () throws(SystemFailure) in try endRepairAlone(home) }
    }

    /// Runs `body` while nobody else repairs the keychain, or ends a repair. In the moment between the two renames a
    /// repair that goes on looks like one that was cut off.
    static func repairing<Value, Thrown: Error>(
        _ home: PaviseHome, or refusal: (SystemFailure) -> Thrown, _ body: () throws(Thrown) -> Value
    ) throws(Thrown) -> Value {
        let lock = home.device + "/lock"
        return try FileLock.holding(lock, wait: .seconds(30), or: { refusal($0.asSystemFailure(lock)) }, body)
    }

    /// Makes the keychain's folder where there is none, while nobody repairs the keychain: a repair that has the
    /// damaged one out of its way would take an empty folder for it, and drop what it brought back.
    static func makeFolder(_ home: PaviseHome) throws(SystemFailure) {
        guard try DurableFile.presence(of: home.keychain).get() == nil else { return }
        try repairing(home, or: { $0 }) { () throws(SystemFailure) in
            try endRepairAlone(home)
            try home.make(.keychain)
        }
    }

    /// ``endRepair(_:)`` for whoever holds the lock.
    static func endRepairAlone(_ home: PaviseHome) throws(SystemFailure) {
        let repaired = repairedFolder(home)
        guard try DurableFile.presence(of: repaired).get() != nil else { return }
        // It goes only where the old one is there for certain: it may be the only keychain.
        if try DurableFile.presence(of: home.keychain).get() != nil { return try Folder.remove(repaired) }
        do throws(SystemFailure) {
            try DurableFile.move(repaired, to: home.keychain)
        } catch {
            // Another process was faster.
            guard error.isNotThere, DurableFile.exists(home.keychain) else { throw error }
        }
    }
}
