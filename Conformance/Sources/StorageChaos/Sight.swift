internal import FaultPoints
internal import Foundation
internal import PavisePrimitives
internal import PaviseProtectedStorage
internal import PaviseStorage

/// All that a reader can see of the storage of a ``Scenario``.
extension Scenario {
    static func lines() -> [String] {
        var lines = ["hour \(said { "\(try Settings().value(of: .hour))" })"]
        do throws(StorageFailure) {
            let container = try ProtectedContainer.open(container, mayCreate: false)
            lines += files(container) + database(container) + ["image \(said { try image(container) })"]
            // A change of keys is a change of the place.
            lines.append(container.platform.folder.hasSuffix("~") ? "the second place" : "the first place")
        } catch {
            // One without anything in it is as good as none.
            lines += error == .absent ? empty : ["container: \(error)"]
        }
        return lines
    }

    private static let empty = ["no table", "image none", "the first place"]

    private static func files(_ container: ProtectedContainer) -> [String] {
        do throws(StorageFailure) {
            return try container.files.list().map { entry in
                switch entry.content {
                case .success(let facts):
                    "file \(facts.attributes.name) \(facts.attributes.generation) "
                        + said { describe(try container.files.get(entry.id, limit: 1 << 20)) }
                case .failure(let failure): "file: \(failure)"
                }
            }.sorted()
        } catch {
            return ["files: \(error)"]
        }
    }

    private static func describe(_ bytes: [UInt8]) -> String { "\(bytes.count) × \(Set(bytes).sorted())" }

    // Which columns there are, and how many rows of which text.
    private static func database(_ container: ProtectedContainer) -> [String] {
        do {
            let database = try container.databaseAsItIs("nights", protection: .complete)
            defer { database.forgetKey() }
            return try database.read { access in
                let columns: [String] = try access.rows("SELECT name FROM pragma_table_info('night')").map {
                    try $0.value("name")
                }
                guard !columns.isEmpty else { return ["no table"] }
                let rows: Int? = try access.value("SELECT count(*) FROM night")
                // The schema is a write of its own, before the first row.
                guard rows != 0 else { return ["no table"] }
                let new: Int? = try access.value("SELECT count(*) FROM night WHERE text = 'new'")
                let check: String? = try access.value("SELECT * FROM pragma_integrity_check")
                return ["columns \(columns)", "rows \(rows ?? -1), new \(new ?? -1)", "check \(check ?? "none")"]
            }
        } catch ProtectedDatabaseError.absent {
            return ["no table"]
        } catch {
            return ["database: \(error)"]
        }
    }

    private static func image(_ container: ProtectedContainer) throws -> String {
        guard try container.protection(ofDatabase: "pavise.images") != nil else { return "none" }
        let images = try ImageCache.open(in: container, protection: .complete)
        defer { images.close() }
        return try images.image(for: "target", user: "a").map { describe($0) } ?? "none"
    }

    private static func said(_ body: () throws -> String) -> String {
        do { return try body() } catch { return "\(error)" }
    }

    static func writingFails() -> String? {
        do {
            let container = try ProtectedContainer.open(container)
            let id = try container.files.put([9], named: "probe", protection: .complete)
            guard try container.files.get(id, limit: 9) == [9] else { return "the next file is another one" }
            try container.files.remove(id)
            let before = try Settings().value(of: .hour)
            try Settings().set(9, for: .hour)
            try Settings().set(before, for: .hour)
            if try container.protection(ofDatabase: "nights") != nil {
                let database = try container.databaseAsItIs("nights", protection: .complete)
                try database.write { access in
                    try access.run("CREATE TABLE probe(a)")
                    try access.run("DROP TABLE probe")
                }
                database.forgetKey()
            }
            return nil
        } catch {
            return "the next write: \(error)"
        }
    }

    // The new content has its name by then, and nobody can say whether the name is on the disk.
    static func mayBeDone(after call: String) -> Bool {
        ["settings", "files", "database", "containers", container, container + "~"].contains { call == "fsync \($0)" }
    }

    static func statuses(of fault: Fault, at call: String) -> Set<Int32> {
        let isName =
            fault.isLasting || call.hasPrefix("open ") || call.hasPrefix("openat ") || call.hasPrefix("access ")
        return fault.error == ENOSPC && !isName ? [Refusal.full] : [Refusal.full, Refusal.other]
    }
}
