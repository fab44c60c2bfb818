import Foundation
import PaviseDevice
import PavisePrimitives
import PaviseProtectedStorage
import PaviseStorage
import SecurityFramework
import TestSupport

/// A home of a test's own, its keychain, its lock, and one container in it.
final class DatabaseFixture: Sendable {
    let folder: TemporaryFolder
    let lock = LockSwitch()
    let container: StorageContainer

    init() throws {
        folder = try TemporaryFolder()
        container = try Self.container(folder.path + "/home", lock)
    }

    /// The container of a home, also for a test's child.
    static func container(_ path: String, _ lock: LockSwitch = LockSwitch()) throws -> StorageContainer {
        let home = PaviseHome(path: path)
        try DurableFile.makeDirectory(home.path)
        let environment = SecurityEnvironment(home: home, lock: lock)
        return try SecurityEnvironment.$override.withValue(environment) {
            try StorageContainer.open(home.path + "/protected", name: "home")
        }
    }

    static let steps = [
        DatabaseMigration(1, "nights", "CREATE TABLE night(id INTEGER PRIMARY KEY, text TEXT NOT NULL, awake INTEGER)"),
        DatabaseMigration(2, "search", "CREATE VIRTUAL TABLE words USING fts5(text)"),
    ]

    func open(
        _ protection: ProtectionClass = .complete, _ steps: [DatabaseMigration] = DatabaseFixture.steps,
        mayCreate: Bool = true
    ) throws -> ProtectedDatabase {
        try ProtectedDatabase.open(
            "diary", in: container, protection: protection, migrations: steps, mayCreate: mayCreate)
    }

    /// The files of the container's databases.
    var files: [String] {
        let place = folder.path + "/home/protected/database"
        return ((try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []).sorted().map { "\(place)/\($0)" }
    }

    /// The one database file.
    var main: String { files.first { $0.hasSuffix(".db") && !$0.contains("-before-") } ?? "" }

    func secret(_ text: String) -> SecretBytes { SecretBytes(copying: Array(text.utf8).span) }
}

struct Night: Codable, Equatable, Sendable {
    var id: Int64?
    var text: String
    var awake: Int?
}
