internal import PaviseDatabase
internal import PaviseDevice
package import PavisePrimitives

/// Brings back what can be read of a damaged keychain. The old files stay, in a folder of their own.
///
/// First everything that authenticates is put into a new keychain beside the old one, which is not touched; the caller
/// shows a person ``findings``. Then ``finish()`` puts the new one in its place. A kill at any step leaves the old
/// keychain or the new one: what it leaves between two renames is ended by whoever opens the keychain next.
///
/// ```swift
/// switch try KeychainRepair.examine(home) {
/// case .absent: print("no keychain yet")
/// case .whole(let count): print("\(count) items, all whole")
/// case .damaged(let repair): print("set aside in", try repair.finish())
/// }
/// ```
///
/// Rows are taken over as they are, still sealed: identifiers, references and dates stay, and what is locked comes back
/// without having been opened. A program that stores something between the two steps is noticed, and the repair begins
/// again.
package final class KeychainRepair {
    /// What an examination says.
    package enum Examination {
        /// There is no keychain yet.
        case absent
        /// Everything is whole; the number of items.
        case whole(Int)
        /// Something is damaged.
        case damaged(KeychainRepair)
    }

    /// What happens on the disk, in order. A test stops the world at each.
    package enum Step: Hashable, Sendable, CaseIterable {
        case built, named, movedAway, movedIn
    }

    /// Called before each step; what it throws ends the repair there, as a kill would.
    @TaskLocal package static var observer: (@Sendable (Step) throws -> Void)?

    /// What was found.
    package let findings: Findings
    private let home: PaviseHome
    private let time: TimeSource
    private let folder: UnfinishedFolder
    private let seen: [FileIdentity?]

    private init(
        _ home: PaviseHome, _ time: TimeSource, _ findings: Findings, _ seen: [FileIdentity?],
        _ folder: consuming UnfinishedFolder
    ) {
        self.home = home
        self.time = time
        self.findings = findings
        self.seen = seen
        self.folder = folder
    }

    // Makes the new keychain beside the old one.
    private static func begin(
        _ home: PaviseHome, _ time: TimeSource, reason: String?
    ) throws(Failure) -> KeychainRepair {
        do {
            let seen = stamps(home)
            let device = try Device.of(home)
            let salvaged = try Database.salvage(
                KeychainItemStore.path(home), key: device.deviceKey(purpose: "keychain database"))
            let folder = try UnfinishedFolder(beside: home.keychain)
            var found = Findings(
                reason: reason, damagedPages: salvaged.damagedPages, mayBeOlder: salvaged.mayBeOlder)
            let store = try KeychainItemStore.open(folder.path + "/items.db", device, for: .writing)
            found.items = try RepairedItems(salvaged, store.digests).insert(into: store, at: time.wallSeconds)
            store.database.close()
            found.isNothingReadable = salvaged.intactPages == 0
            return KeychainRepair(home, time, found, seen, folder)
        } catch let failure as DeviceFailure {
            throw .device(failure.explanation)
        } catch {
            throw .keychain(KeychainDiagnostics.explanation(of: error))
        }
    }

    /// Looks at the keychain of `home`. Nothing is changed; what would be put in its place is made beside it.
    package static func examine(
        _ home: PaviseHome, time: TimeSource = .system
    ) throws(Failure) -> Examination {
        try asFailure { try KeychainItemStore.endRepair(home) }
        guard
            DurableFile.exists(KeychainItemStore.path(home))
                || DurableFile.exists(KeychainItemStore.path(home) + "-wal")
        else {
            return .absent
        }
        Unfinished.sweep(for: home.keychain)
        let reason: String?
        do {
            let store = try OpenStores.store(home)
            let check = try store.database.rows("PRAGMA integrity_check").first?.text(0)
            let report = try KeychainDiagnostics.inspected(home, in: .unlocked)
            let isWhole = check == "ok" && report.unreadable == 0 && report.damaged.allSatisfy(\.isSetAside)
            if isWhole { return .whole(report.intact) }
            reason = nil
        } catch let failure as DeviceFailure {
            throw .device(failure.explanation)
        } catch let failure as DatabaseFailure {
            guard failure.isDamage else { throw .keychain(KeychainDiagnostics.explanation(of: failure)) }
            reason = KeychainDiagnostics.explanation(of: failure)
        } catch let failure where failure is KeychainSchema.Newer || failure is SystemFailure {
            // Not damaged: of a newer program, or out of reach just now.
            throw .keychain(KeychainDiagnostics.explanation(of: failure))
        } catch {
            reason = KeychainDiagnostics.explanation(of: error)
        }
        return .damaged(try begin(home, time, reason: reason))
    }

    /// Puts the new keychain into the place of the old one.
    ///
    /// - Returns: The folder in which the old files lie. It is durable, as is the new keychain.
    package func finish() throws(Failure) -> String {
        try checkIsUnchanged()
        let aside = Self.asideFolder(home, time)
        try Self.asFailure {
            try KeychainItemStore.repairing(home, or: { $0 as any Error }) { try replace(movingTo: aside) }
        }
        KeychainDiagnostics.forgetReason(home)
        return aside
    }

    private func replace(movingTo aside: String) throws {
        let (made, repaired) = (folder.path, KeychainItemStore.repairedFolder(home))
        try Self.observer?(.built)
        try DurableFile.makeDirectory(made + "/keychain")
        for name in try Folder.names(in: made) where name.hasPrefix("items.db") && !name.hasSuffix("-shm") {
            try DurableFile.move("\(made)/\(name)", to: "\(made)/keychain/\(name)")
        }
        try Self.observer?(.named)
        try DurableFile.move(made + "/keychain", to: repaired)
        // From here on somebody who finds no keychain takes the new one.
        try Self.observer?(.movedAway)
        do throws(Failure) { try checkIsUnchanged() } catch {
            try Folder.remove(repaired)
            throw error
        }
        OpenStores.forget(home)
        try DurableFile.move(home.keychain, to: aside)
        try Self.observer?(.movedIn)
        try KeychainItemStore.endRepairAlone(home)
    }

    // What somebody stored since the examination would go aside with the old keychain.
    private func checkIsUnchanged() throws(Failure) {
        guard Self.stamps(home) == seen else {
            throw .keychain("Another program changed the keychain meanwhile. Nothing was changed; try again.")
        }
    }

    // Two repairs within one second have folders of their own.
    private static func asideFolder(_ home: PaviseHome, _ time: TimeSource) -> String {
        let base = "\(home.path)/keychain-set-aside-\(time.wallSeconds)"
        let names = [base] + (2...1000).map { "\(base)-\($0)" }
        return names.first { !DurableFile.exists($0) } ?? base
    }

    private static func stamps(_ home: PaviseHome) -> [FileIdentity?] {
        [FileIdentity(KeychainItemStore.path(home)), FileIdentity(KeychainItemStore.path(home) + "-wal")]
    }

    private static func asFailure<Result>(_ body: () throws -> Result) throws(Failure) -> Result {
        do {
            return try body()
        } catch let failure as Failure {
            throw failure
        } catch {
            throw .keychain(KeychainDiagnostics.explanation(of: error))
        }
    }
}

extension DatabaseFailure {
    /// Whether the files are not what was written, and not merely out of reach.
    fileprivate var isDamage: Bool {
        switch self {
        case .wrongKeyOrDamaged, .corrupt: true
        case .full, .readOnly, .busy, .constraint, .locked, .io, .other: false
        }
    }
}
