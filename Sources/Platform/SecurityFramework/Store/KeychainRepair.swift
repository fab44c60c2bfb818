internal import PaviseDatabase
internal import PaviseDevice
package import PavisePrimitives

/// Brings back what can be read of a damaged keychain. The old files stay, in a folder of their own.
///
/// First everything that authenticates is put into a new keychain beside the old one, which is not touched; the caller shows a
/// person ``findings``. Then ``finish()`` puts the new one in its place. A kill at any step leaves the old keychain or the new
/// one: what it leaves between two renames is ended by whoever opens the keychain next.
///
/// ```swift
/// switch try KeychainRepair.examine(home) {
/// case .whole(let count): …
/// case .damaged(let repair): let folder = try repair.finish()
/// }
/// ```
///
/// Rows are taken over as they are, still sealed: identifiers, references and dates stay, and what is locked comes back without
/// having been opened. A program that stores something between the two steps is noticed, and the repair begins again.
package final class KeychainRepair {
    /// What became of an item.
    package enum Fate: String, Hashable, Sendable, CaseIterable {
        /// It was opened, and is in the new keychain.
        case readable
        /// Its class is locked now: it is in the new keychain, and what is inside was not looked at.
        case locked
        /// It was there, and does not open any more. Its bytes are in the old files.
        case lost
    }

    /// One item that left a trace.
    package struct Item: Hashable, Sendable {
        /// The code of its class, such as `genp`.
        package let itemClass: String
        /// Its access group.
        package let group: String
        /// What a person knows it by: service or server and account, or a label; `nil` where it cannot be read.
        package let name: String?
        /// What became of it.
        package let fate: Fate
    }

    /// What was found.
    package struct Findings: Sendable {
        /// Why the keychain does not open, in a sentence; `nil` where it opens and single items or pages are damaged.
        package var reason: String?
        /// The items, in the order of their insertion.
        package var items: [Item] = []
        /// Pages of the files that cannot be read. What was in them is not known.
        package var damagedPages = 0
        /// Whether nothing at all authenticates: it is another device's keychain, or nothing of it is left.
        package var isNothingReadable = false
        /// Whether changes of late may be missing: an item may be older than it was, and a deleted one may be back.
        package var mayBeOlder = false

        /// How many items had this fate.
        package func count(_ fate: Fate) -> Int { items.count { $0.fate == fate } }
    }

    /// What an examination says.
    package enum Examination {
        /// There is no keychain yet.
        case absent
        /// Everything is whole; the number of items.
        case whole(Int)
        /// Something is damaged.
        case damaged(KeychainRepair)
    }

    /// Why nothing was repaired. Nothing was changed.
    package enum Failure: Error, Hashable, Sendable {
        /// The device that the keychain belongs to is gone or damaged: without its keys, nothing in the keychain opens.
        case device(String)
        /// The keychain itself cannot be read or written.
        case keychain(String)

        /// One sentence, and what to do next.
        package var explanation: String {
            switch self {
            case .device(let text), .keychain(let text): text
            }
        }
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
    private let seen: [FileStamp?]

    private init(
        _ home: PaviseHome, _ time: TimeSource, _ findings: Findings, _ seen: [FileStamp?],
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
                KeychainStore.path(home), key: device.deviceKey(purpose: "keychain database"))
            let folder = try UnfinishedFolder(beside: home.keychain)
            var found = Findings(
                reason: reason, damagedPages: salvaged.damagedPages, mayBeOlder: salvaged.mayBeOlder)
            let store = try KeychainStore.open(folder.path + "/items.db", device)
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
        try asFailure { try KeychainStore.endRepair(home) }
        guard DurableFile.exists(KeychainStore.path(home)) || DurableFile.exists(KeychainStore.path(home) + "-wal")
        else {
            return .absent
        }
        Unfinished.sweep(for: home.keychain)
        let reason: String?
        do {
            let store = try OpenStores.store(home)
            let check = try store.database.rows("PRAGMA integrity_check").first?.text(0)
            let report = KeychainDiagnostics.report(home)
            let isWhole =
                check == "ok" && report.failure == nil && report.unreadable == 0
                && report.damaged.allSatisfy(\.isSetAside)
            if isWhole { return .whole(report.intact) }
            reason = report.failure
        } catch let failure as DeviceFailure {
            throw .device(failure.explanation)
        } catch let failure as DatabaseFailure {
            guard failure.isDamage else { throw .keychain(KeychainDiagnostics.explanation(of: failure)) }
            reason = KeychainDiagnostics.explanation(of: failure)
        } catch {
            reason = KeychainDiagnostics.explanation(of: error)
        }
        return .damaged(try begin(home, time, reason: reason))
    }

    /// Puts the new keychain into the place of the old one.
    ///
    /// - Returns: The folder in which the old files lie. It is durable, as is the new keychain.
    package func finish() throws(Failure) -> String {
        guard Self.stamps(home) == seen else {
            throw .keychain("Another program changed the keychain meanwhile. Nothing was changed; try again.")
        }
        let aside = Self.asideFolder(home, time)
        let (home, made) = (home, folder.path)
        try Self.asFailure {
            let repaired = KeychainStore.repairedFolder(home)
            try Self.observer?(.built)
            try DurableFile.makeDirectory(made + "/keychain")
            for name in try Folder.names(in: made) where name.hasPrefix("items.db") && !name.hasSuffix("-shm") {
                try DurableFile.move("\(made)/\(name)", to: "\(made)/keychain/\(name)")
            }
            try Self.observer?(.named)
            try DurableFile.move(made + "/keychain", to: repaired)
            // From here on somebody who finds no keychain takes the new one.
            try Self.observer?(.movedAway)
            OpenStores.forget(home)
            try DurableFile.move(home.keychain, to: aside)
            try Self.observer?(.movedIn)
            try KeychainStore.endRepair(home)
        }
        KeychainDiagnostics.forgetReason(home)
        return aside
    }

    // Two repairs within one second have folders of their own.
    private static func asideFolder(_ home: PaviseHome, _ time: TimeSource) -> String {
        let base = "\(home.path)/keychain-set-aside-\(time.wallSeconds)"
        let names = [base] + (2...1000).map { "\(base)-\($0)" }
        return names.first { !DurableFile.exists($0) } ?? base
    }

    private static func stamps(_ home: PaviseHome) -> [FileStamp?] {
        [FileStamp(KeychainStore.path(home)), FileStamp(KeychainStore.path(home) + "-wal")]
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

extension KeychainStore {
    /// Where a repaired keychain lies, whole and durable, until the damaged one is out of its way.
    static func repairedFolder(_ home: PaviseHome) -> String { home.keychain + "-repaired" }

    /// Ends a repair that was cut off between its two renames. Before the first one the damaged keychain stays, and what was
    /// made for it goes.
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

extension DatabaseFailure {
    /// Whether the files are not what was written, and not merely out of reach.
    fileprivate var isDamage: Bool {
        switch self {
        case .wrongKeyOrDamaged, .corrupt: true
        case .full, .readOnly, .busy, .constraint, .locked, .io, .other: false
        }
    }
}
