import Foundation
import PaviseDevice
import PavisePrimitives
import SecurityFramework
import TestSupport

@testable import PaviseProtectedStorage

/// A home of a test's own, its keychain, its lock, and one container in it.
final class StorageFixture: Sendable {
    let folder: TemporaryFolder
    #if PAVISE_APPLE_ADAPTER
    let lock = AnnouncedLock()
    #else
    let lock = LockSwitch()
    #endif

    private let hidesLocked: Bool

    /// - Parameter hidesLocked: A device whose keychain says "not found" of what is locked, as iOS can.
    init(hidesLocked: Bool = false) throws {
        self.hidesLocked = hidesLocked
        folder = try TemporaryFolder()
        try DurableFile.makeDirectory(home.path)
    }

    var home: PaviseHome { PaviseHome(path: folder.path + "/home") }
    var place: String { home.path + "/protected" }

    func run<Value>(_ body: () throws -> Value) rethrows -> Value {
        #if PAVISE_APPLE_ADAPTER
        var environment = SecurityEnvironment(home: home, lock: lock.keychain)
        environment.hidesLocked = hidesLocked
        return try Self.run(in: environment, lock.watch, body)
        #else
        var environment = SecurityEnvironment(home: home, lock: lock)
        environment.hidesLocked = hidesLocked
        return try Self.run(in: environment, body)
        #endif
    }

    #if PAVISE_APPLE_ADAPTER
    // On Apple's systems a container knows one keychain, the process's: here it is told which one is the test's.
    static func run<Value>(
        in environment: SecurityEnvironment, _ watch: ProtectedDataWatch = .shared, _ body: () throws -> Value
    ) rethrows -> Value {
        let surroundings = StorageSurroundings(watch: watch) { call in
            SecurityEnvironment.$override.withValue(environment) { call() }
        }
        return try StorageSurroundings.$current.withValue(surroundings) {
            try SecurityEnvironment.$override.withValue(environment, operation: body)
        }
    }
    #else
    static func run<Value>(in environment: SecurityEnvironment, _ body: () throws -> Value) rethrows -> Value {
        try SecurityEnvironment.$override.withValue(environment, operation: body)
    }
    #endif

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

#if PAVISE_APPLE_ADAPTER
/// The lock of a test's device as Apple's systems tell it: the keychain refuses, and UIApplication posts.
final class AnnouncedLock: Sendable {
    let keychain = LockSwitch()
    let watch: ProtectedDataWatch
    private let centre = NotificationCenter()

    init() { watch = ProtectedDataWatch(centre) }

    var state: LockState {
        get { keychain.state }
        set {
            keychain.state = newValue
            announce(isUnlocked: newValue == .unlocked)
        }
    }

    /// What UIApplication posts.
    func announce(isUnlocked: Bool) {
        let name =
            isUnlocked
            ? "UIApplicationProtectedDataDidBecomeAvailable" : "UIApplicationProtectedDataWillBecomeUnavailable"
        centre.post(name: NSNotification.Name(name), object: nil)
    }
}
#endif
