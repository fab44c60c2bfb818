internal import PavisePrimitives

extension KeychainItemStore {
    /// Where a repaired keychain lies, whole and durable, until the damaged one is out of its way.
    static func repairedFolder(_ home: PaviseHome) -> String { home.keychain + "-repaired" }

    /// Ends a repair that was cut off between its two renames. Before the first one the damaged keychain stays, and
    /// what was made for it goes.
    static func endRepair(_ home: PaviseHome) throws(SystemFailure) {
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
