internal import FaultPoints
internal import Foundation
internal import PavisePrimitives
internal import PaviseProtectedStorage
internal import PaviseStorage

/// One write of protected storage, and what has to be there before it.
enum Scenario: String, PointScenario {
    /// The first file of a home that is not there: device, keychain, container, key, file.
    case firstFile
    case addFile, replaceFile, removeFile
    case addErasable, replaceErasable, removeErasable
    /// The first row of a container without a database: file, schema, row.
    case firstRow
    /// One row; many rows at once; a commit after which the log is moved into the file.
    case insert, update, checkpoint
    /// A step of the schema, and one that drops data, with its copy.
    case migrate, migrateWithLoss
    /// New keys for everything.
    case renewKeys
    case keepImage
    case firstSetting, changeSetting
    case removeContainer

    /// A removal and a change of keys are decided in the middle, and finished by whoever comes next.
    var isInTwoSteps: Bool { [.removeErasable, .replaceErasable, .renewKeys, .removeContainer].contains(self) }

    static let container = "chaos"

    func prepare() -> Bool {
        do {
            switch self {
            case .firstFile, .firstSetting: break
            case .addFile, .firstRow: try Self.put("neighbour", 1, 70_000)
            case .replaceFile, .removeFile, .removeContainer:
                try Self.put("neighbour", 1, 70_000)
                try Self.put("target", 2, 70_000)
            case .addErasable: try Self.put("neighbour", 1, 70_000, erasable: true)
            case .replaceErasable, .removeErasable:
                try Self.put("neighbour", 1, 70_000, erasable: true)
                try Self.put("target", 2, 70_000, erasable: true)
            case .insert, .update, .checkpoint, .migrate, .migrateWithLoss: try Self.fill()
            case .renewKeys:
                try Self.put("neighbour", 1, 70_000)
                try Self.put("erasable", 2, 100, erasable: true)
                try Self.fill()
            case .keepImage:
                let images = try ImageCache.open(in: .open(Self.container), protection: .complete)
                try images.keep([1], for: "neighbour", user: "a")
                images.close()
            case .changeSetting: try Settings().set(5, for: .hour)
            }
            return true
        } catch {
            FileHandle.standardError.write(Data("\(self): \(error)\n".utf8))
            return false
        }
    }

    func act() -> Int32 {
        do {
            try write()
            return 0
        } catch {
            return Refusal.status(of: error)
        }
    }

    private func write() throws {
        switch self {
        case .firstFile, .addFile: try Self.put("target", 3, 70_000)
        case .addErasable: try Self.put("target", 3, 70_000, erasable: true)
        case .replaceFile: try Self.put("target", 3, 140_000, replaces: true)
        case .replaceErasable: try Self.put("target", 3, 140_000, erasable: true, replaces: true)
        case .removeFile, .removeErasable:
            let files = try ProtectedContainer.open(Self.container).files
            try files.remove(try Self.id(of: "target", in: files))
        case .firstRow, .insert: try Self.write(Self.first) { try $0.run("INSERT INTO night(text) VALUES ('new')") }
        case .update: try Self.write(Self.first) { try $0.run("UPDATE night SET text = 'new' WHERE id > 0") }
        case .checkpoint:
            let database = try Self.open(Self.first)
            defer { database.close() }
            try database.write { try $0.run("UPDATE night SET text = 'new' WHERE id > 0") }
        case .migrate: try Self.write(Self.first + [Self.second]) { _ in }
        case .migrateWithLoss: try Self.write(Self.first + [Self.loss]) { _ in }
        case .renewKeys:
            try ProtectedContainer.renewKeys(
                of: Self.container, databases: [.init("nights", protection: .complete)])
        case .keepImage:
            let images = try ImageCache.open(in: .open(Self.container), protection: .complete)
            try images.keep([UInt8](repeating: 3, count: 50_000), for: "target", user: "a")
        case .firstSetting, .changeSetting: try Settings().set(7, for: .hour)
        case .removeContainer: try ProtectedContainer.remove(Self.container)
        }
    }
}

extension Scenario {
    static let first = [
        DatabaseMigration(1, "nights", "CREATE TABLE night(id INTEGER PRIMARY KEY, text TEXT, old TEXT)")
    ]
    static let second = DatabaseMigration(
        2, "awake", "ALTER TABLE night ADD COLUMN awake INTEGER", "UPDATE night SET awake = 1 WHERE id > 0")
    static let loss = DatabaseMigration(2, "old", losesData: true, "ALTER TABLE night DROP COLUMN old")

    private static func put(
        _ name: String, _ value: UInt8, _ count: Int, erasable: Bool = false, replaces: Bool = false
    ) throws {
        let files = try ProtectedContainer.open(container).files
        let bytes = [UInt8](repeating: value, count: count)
        _ = try files.put(
            bytes, named: name, protection: .complete, erasable: erasable,
            replacing: replaces ? try id(of: name, in: files) : nil)
    }

    private static func id(of name: String, in files: ProtectedFiles) throws -> StoredFileID {
        for entry in try files.list() where try entry.content.get().attributes.name == name { return entry.id }
        throw StorageFailure.absent
    }

    static func open(_ steps: [DatabaseMigration]) throws -> ProtectedDatabase {
        try ProtectedContainer.open(container).database("nights", protection: .complete, migrations: steps)
    }

    // Not closed: the log stays as it is.
    private static func write(_ steps: [DatabaseMigration], _ body: (borrowing DatabaseAccess) throws -> Void) throws {
        let database = try open(steps)
        try database.write(body)
        database.forgetKey()
    }

    private static func fill() throws {
        let database = try open(first)
        try database.write { access in
            for number in 0..<200 {
                try access.run(
                    "INSERT INTO night(text, old) VALUES (\("night \(number)"), \(String(repeating: "x", count: 300)))")
            }
        }
        database.close()
    }
}

extension SettingKey where Value == Int {
    static let hour = SettingKey(number: "hour", in: 0...23, default: 1, harmless: "an hour")
}

/// Why a write was refused, as a status of the program.
enum Refusal {
    /// There is no room.
    static let full: Int32 = 1
    static let other: Int32 = 2

    static func status(of error: any Error) -> Int32 {
        switch error {
        case let failure as StorageFailure: of(failure)
        case ProtectedDatabaseError.full: full
        case ProtectedDatabaseError.storage(let failure): of(failure)
        case SettingsFailure.system(let failure): failure.isDiskFull ? full : other
        default: other
        }
    }

    // The secret store's word for a full disk is errSecDiskFull.
    private static func of(_ failure: StorageFailure) -> Int32 {
        switch failure {
        case .system(let failure): failure.isDiskFull ? full : other
        case .unavailable(status: -34): full
        default: other
        }
    }
}
