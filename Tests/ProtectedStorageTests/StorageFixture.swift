import Foundation
import PavisePrimitives
import SecurityFramework
import TestSupport

@testable import PaviseProtectedStorage

/// A home of a test's own, its keychain, its lock, and one container in it.
final class StorageFixture: Sendable {
    let folder: TemporaryFolder
    let lock = LockSwitch()

    init() throws {
        folder = try TemporaryFolder()
        try DurableFile.makeDirectory(home.path)
    }

    var home: PaviseHome { PaviseHome(path: folder.path + "/home") }
    var place: String { home.path + "/protected" }

    func run<Value>(_ body: () throws -> Value) rethrows -> Value {
        let environment = SecurityEnvironment(home: home, lock: lock)
        return try SecurityEnvironment.$override.withValue(environment, operation: body)
    }

    func open(name: String = "home", mayCreate: Bool = true) throws -> StorageContainer {
        try run { try StorageContainer.open(name == "home" ? place : place + name, name: name, mayCreate: mayCreate) }
    }

    func remove(name: String = "home") throws {
        try run { try StorageContainer.remove(name == "home" ? place : place + name, name: name) }
    }

    /// Every file below `path`, by its place.
    func content(of path: String) throws -> [String: Data] {
        var found: [String: Data] = [:]
        for case let name as String in FileManager.default.enumerator(atPath: path) ?? .init() {
            let file = path + "/" + name
            guard try FileFacts(of: file).kind == .file else { continue }
            found[name] = try Data(contentsOf: URL(fileURLWithPath: file))
        }
        return found
    }
}

extension StorageContainer {
    /// The key of databases as an array, for comparisons.
    func copyOfDatabaseKey(_ protection: ProtectionClass, mayCreate: Bool = true) throws -> [UInt8] {
        try withDatabaseKey(for: protection, mayCreate: mayCreate) { bytes in Array(bytes) }
    }
}
