import Foundation
import KeychainTestSupport
import PaviseDevice
import PavisePrimitives
import SecurityFramework
import Synchronization
import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#endif

/// A repair that is killed, or that the disk has no room for, leaves the old keychain or the new one, whole.
@Suite struct KeychainRepairCrashTests {
    let keychain: ItemFixture
    private let damaged: [UInt8]

    /// A keychain of 20 items with a log that is gone.
    init() throws {
        let fixture = try ItemFixture()
        keychain = fixture
        damaged = try fixture.run {
            let items = (0..<20).map { number in
                password("account \(number)", "mail", ["v_Data": Data(repeating: 7, count: 700)]) as CFDictionary
            }
            #expect(SecItem.addTogether(items) == errSecSuccess)
            KeychainDiagnostics.close(fixture.environment.home)
            try FileManager.default.removeItem(atPath: fixture.database + "-wal")
            return try DurableFile.read(fixture.database, limit: 1 << 24)
        }
    }

    private var path: String { keychain.environment.home.path }

    @Test("a real kill at each step leaves the old keychain or the new one", arguments: KeychainRepair.Step.allCases)
    func killed(_ step: KeychainRepair.Step) async throws {
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, step = "\(step)" as String] in
            let observer: @Sendable (KeychainRepair.Step) -> Void = { if "\($0)" == step { kill(getpid(), SIGKILL) } }
            try KeychainRepair.$observer.withValue(observer) { _ = try ChildRepair.run(path) }
        }
        try settled()
    }

    @Test("a kill at any step of the durable files leaves the old keychain or the new one")
    func killedAnywhere() async throws {
        let whole = path
        // How many steps there are is seen once.
        let steps = try Self.inCopy(of: whole) { copy in
            let counter = Mutex(0)
            let observer = FileObserver(done: { if Self.writes.contains($0.call) { counter.withLock { $0 += 1 } } })
            try FileObserver.$current.withValue(observer) { _ = try ChildRepair.run(copy) }
            return counter.withLock { $0 }
        }
        try #require(steps > 8)
        for number in stride(from: 1, through: steps, by: max(1, steps / 12)) {
            let folder = try TemporaryFolder()
            let copy = folder.path + "/home"
            try FileManager.default.copyItem(atPath: whole, toPath: copy)
            await #expect(processExitsWith: .signal(SIGKILL)) { [copy = copy as String, number = number as Int] in
                let counter = Mutex(0)
                let observer = FileObserver(done: { step in
                    guard Self.writes.contains(step.call) else { return }
                    if Self.next(counter) == number { kill(getpid(), SIGKILL) }
                })
                try FileObserver.$current.withValue(observer) { _ = try ChildRepair.run(copy) }
            }
            try settled(copy, "step \(number) of \(steps)")
        }
    }

    @Test(
        "a disk that is full at any step of the durable files stops the repair, and says so", .long,
        arguments: [ENOSPC, EIO])
    func fullDiskAnywhere(_ code: Int32) throws {
        var isEnded = false
        var number = 0
        while !isEnded {
            number += 1
            try #require(number < 200)
            isEnded = try Self.inCopy(of: path) { copy in
                let counter = Mutex(0)
                let (wanted, code) = (number, code)
                let failed = Mutex<FileStep?>(nil)
                let isMovedIn = Mutex(false)
                let observer = FileObserver(
                    failure: { step in
                        guard Self.writes.contains(step.call), Self.next(counter) == wanted else { return nil }
                        failed.withLock { $0 = step }
                        return code
                    },
                    done: { step in
                        guard step.call == .rename, step.target == copy + "/keychain" else { return }
                        isMovedIn.withLock { $0 = true }
                    })
                var failure: KeychainRepair.Failure?
                FileObserver.$current.withValue(observer) {
                    do throws(KeychainRepair.Failure) { _ = try ChildRepair.run(copy) } catch { failure = error }
                }
                let isReached = counter.withLock { $0 } >= wanted
                if isReached, let failure { #expect(!failure.explanation.isEmpty) }
                // Nobody has to hear that something of no use is still there; of what puts the keychain in its place,
                // a person has to.
                if let step = failed.withLock({ $0 }), Self.isDecisive(step, copy, isMovedIn.withLock { $0 }) {
                    #expect(failure != nil, "\(step)")
                }
                try settled(copy, "step \(number)")
                return !isReached
            }
        }
        #expect(number > 8)
    }

    @Test("a full disk below the new database stops the repair and says so", arguments: [4_000, 20_000, 40_000])
    func fullDisk(_ size: Int) async throws {
        await #expect(processExitsWith: .success) { [path = path as String, size = size as Int] in
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit(rlim_cur: rlim_t(size), rlim_max: rlim_t.max)
            #expect(unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
            let failure = #expect(throws: KeychainRepair.Failure.self) { _ = try ChildRepair.run(path) }
            let words = failure?.explanation ?? "none"
            #expect(words.contains("disk is full") || words.contains("file-size limit"), "\(words)")
        }
        #expect(try DurableFile.read(keychain.database, limit: 1 << 24) == damaged)
        try settled()
    }

    // The renames and folders of the keychain, and that its names are on the disk.
    private static func isDecisive(_ step: FileStep, _ home: String, _ isMovedIn: Bool) -> Bool {
        switch step.call {
        case .rename, .makeFolder: step.path.hasPrefix(home + "/keychain")
        case .synchroniseFolder: step.path == home && !isMovedIn
        default: false
        }
    }

    private static func next(_ counter: borrowing Mutex<Int>) -> Int {
        counter.withLock { count in
            count += 1
            return count
        }
    }

    private static let writes: Set<FileStep.Call> = [
        .create, .write, .synchronise, .rename, .link, .remove, .makeFolder, .removeFolder, .synchroniseFolder,
    ]

    private static func inCopy<Value>(of path: String, _ body: (String) throws -> Value) throws -> Value {
        let folder = try TemporaryFolder()
        let copy = folder.path + "/home"
        try FileManager.default.copyItem(atPath: path, toPath: copy)
        let value = try body(copy)
        KeychainDiagnostics.close(PaviseHome(path: copy))
        return value
    }

    /// The next process repairs what is left to repair, and finds everything: the items, the old files, and nothing
    /// else.
    private func settled(_ path: String? = nil, _ note: Comment = "") throws {
        let home = PaviseHome(path: path ?? self.path)
        KeychainDiagnostics.close(home)
        _ = try ChildRepair.run(home.path)
        KeychainDiagnostics.close(home)
        try ChildRepair.inKeychain(home.path) {
            let all = copy(["class": "genp", "m_Limit": kSecMatchLimitAll as String], ["r_Attributes": true])
            #expect((all.result as? [[String: Any]])?.count == 20, note)
            let names = try Folder.names(in: home.path)
            #expect(names.allSatisfy { !$0.hasPrefix("keychain.") && $0 != "keychain-repaired" }, "\(note) \(names)")
            let asides = names.filter { $0.hasPrefix("keychain-set-aside-") }
            #expect(asides.count == 1, note)
            #expect(try DurableFile.read("\(home.path)/\(asides[0])/items.db", limit: 1 << 24) == damaged, note)
        }
        KeychainDiagnostics.close(home)
    }
}

/// What a child does, which gets nothing but the path.
private enum ChildRepair {
    static func inKeychain<Value>(_ path: String, _ body: () throws -> Value) rethrows -> Value {
        let environment = SecurityEnvironment(home: PaviseHome(path: path), accessGroups: ["one", "two"])
        return try SecurityEnvironment.$override.withValue(environment, operation: body)
    }

    /// - Returns: The folder of the old files; `nil` where there was nothing to repair.
    static func run(_ path: String) throws(KeychainRepair.Failure) -> String? {
        let outcome = inKeychain(path) { () -> Result<String?, KeychainRepair.Failure> in
            Result { () throws(KeychainRepair.Failure) in
                switch try KeychainRepair.examine(PaviseHome(path: path)) {
                case .absent, .whole: return nil
                case .damaged(let repair): return try repair.finish()
                }
            }
        }
        return try outcome.get()
    }
}
