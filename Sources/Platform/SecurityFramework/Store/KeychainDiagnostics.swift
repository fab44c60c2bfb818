internal import PaviseDatabase
package import PaviseDevice
package import PavisePrimitives
internal import Synchronization

/// Says what a status code cannot: why the keychain of a home does not open, and which items are damaged.
package enum KeychainDiagnostics {
    /// An item that fails authentication. Its bytes are kept.
    package struct DamagedItem: Hashable, Sendable {
        /// The item's identifier in hexadecimal digits.
        package let identifier: String
        /// The code of its class.
        package let itemClass: String
        /// Its access group.
        package let group: String
        /// Whether it was already taken out of the way by a new item of the same name.
        package let isSetAside: Bool
    }

    /// The state of a keychain.
    package struct Report: Hashable, Sendable {
        /// How many items can be opened, or are locked.
        package var intact = 0
        /// Those that cannot.
        package var damaged: [DamagedItem] = []
        /// How many rows do not even tell what they were.
        package var unreadable = 0
        /// Why the database itself cannot be used, in a sentence; `nil` when it can.
        package var failure: String?
    }

    private static let reasons = Mutex<[String: String]>([:])

    static func note(_ failure: any Error, _ home: PaviseHome) {
        guard !(failure is StatusFailure) else { return }
        let words = explanation(of: failure)
        reasons.withLock { $0[home.path] = words }
        // A database that failed is opened again by the next call: the cause may be gone by then.
        if failure is DatabaseFailure { OpenStores.forget(home) }
    }

    static func note(damaged header: ItemHeader, _ home: PaviseHome) {
        let words =
            "The item \(Hex.encode(header.identifier)) of class \(header.itemClass.rawValue) is damaged. \(nextStep)"
        reasons.withLock { $0[home.path] = words }
    }

    /// The last failure below the keychain of `home` in this process, in a sentence without secrets.
    package static func lastFailure(_ home: PaviseHome) -> String? { reasons.withLock { $0[home.path] } }

    private static let nextStep = "“pavise keychain repair” shows what can be brought back, and keeps the old files."

    /// Forgets why the keychain of `home` did not open: it does now.
    static func forgetReason(_ home: PaviseHome) { reasons.withLock { $0[home.path] = nil } }

    /// A failure below the keychain in a sentence without secrets, and what to do next.
    static func explanation(of failure: any Error) -> String {
        switch failure {
        case let failure as DeviceFailure: failure.explanation
        case let failure as SystemFailure: failure.description
        case DatabaseFailure.wrongKeyOrDamaged:
            "The item database is damaged or belongs to another device. Nothing in it was changed. \(nextStep)"
        case DatabaseFailure.corrupt(let detail):
            "The item database is damaged (\(detail)). Nothing in it was changed. \(nextStep)"
        case DatabaseFailure.full: "The disk is full. Nothing was changed; free some space and try again."
        case DatabaseFailure.busy: "Another process kept the item database busy. Try again."
        case DatabaseFailure.readOnly: "The item database can only be read. Check the owner and mode of its folder."
        case let failure as KeychainSchema.Newer:
            "The item database has version \(failure.version), and this program knows \(KeychainSchema.current). "
                + "Nothing in it was changed; use the newer program."
        case DatabaseFailure.io(_, let system?): "The item database cannot be used now. \(system.description)"
        case DatabaseFailure.io(let code, nil): "The item database cannot be used now (SQLite's code \(code))."
        default: "The keychain failed: \(failure)."
        }
    }

    /// Looks at every item of `home`.
    package static func report(_ home: PaviseHome, in state: LockState = .unlocked) -> Report {
        do {
            return try inspected(home, in: state)
        } catch {
            var report = Report()
            report.failure = explanation(of: error)
            return report
        }
    }

    /// The same for whoever asks what kind of failure it is.
    static func inspected(_ home: PaviseHome, in state: LockState) throws -> Report {
        do {
            let store = try OpenStores.store(home)
            return try MetadataKeys.Gap.closing {
                var report = Report()
                try store.inspect(&report, state)
                return report
            }
        } catch {
            note(error, home)
            throw error
        }
    }

    /// How many items of other programs lie in the keychain of `home`, by the access group of each. A program that was
    /// renamed finds its own here.
    ///
    /// Nothing is opened and nothing is made: only what an item says of itself without a key of its class is read, and
    /// that it was not altered does not show here. Empty without a keychain, and where it does not open.
    package static func itemsOfOtherPrograms(_ home: PaviseHome) -> [String: Int] {
        guard DurableFile.exists(KeychainItemStore.path(home)), let store = try? OpenStores.store(home),
            let rows = try? store.database.rows("SELECT header FROM item")
        else { return [:] }
        let own = Set(SecurityEnvironment.current.accessGroups)
        return rows.reduce(into: [:]) { counts, row in
            // Its last 16 bytes are a code over it, which is not asked here.
            guard let header = row.blob(0).flatMap({ ItemHeader(Array($0.dropLast(16))) }), !header.isTombstone else {
                return
            }
            let group = OwnItems.program(of: header.group)
            if !own.contains(group) { counts[group, default: 0] += 1 }
        }
    }
}

extension KeychainItemStore {
    fileprivate func inspect(_ report: inout KeychainDiagnostics.Report, _ state: LockState) throws {
        let rows = try database.rows("SELECT row, primary_key, header, attributes, secret FROM item ORDER BY row")
        let scope = ReadScope(self, in: state)
        for row in rows {
            guard let stored = StoredRow(row, digests) else {
                report.unreadable += 1
                continue
            }
            switch try open(stored, in: scope) {
            case .item, .locked, .gone: report.intact += 1
            case .lost, .damaged: report.damaged.append(stored.header.damage(isSetAside: false))
            }
        }
        for row in try database.rows("SELECT header FROM damaged ORDER BY id") {
            guard let header = row.blob(0).flatMap({ ItemHeader(Array($0.dropLast(16))) }) else {
                report.unreadable += 1
                continue
            }
            report.damaged.append(header.damage(isSetAside: true))
        }
    }
}

extension ItemHeader {
    fileprivate func damage(isSetAside: Bool) -> KeychainDiagnostics.DamagedItem {
        KeychainDiagnostics.DamagedItem(
            identifier: Hex.encode(identifier), itemClass: itemClass.rawValue, group: group, isSetAside: isSetAside)
    }
}
