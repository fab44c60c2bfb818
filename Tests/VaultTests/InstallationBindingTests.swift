import Foundation
import PavisePrimitives
import TestSupport
import Testing

@testable import PaviseVault

/// A secret that survives the app's folder is worth nothing, and one that waits is not taken for one that is gone
/// (session F14).
@Suite struct InstallationBindingTests {
    private let name = ItemName(checkedService: "test", "ann")
    private let folder: TemporaryFolder
    private let store = PlainStore()
    private let key = TurningKey()
    private var file: String { "\(folder.path)/app/installation" }
    private var vault: TokenVault { vault(in: "app") }

    init() throws { folder = try TemporaryFolder() }

    private func vault(in app: String) -> TokenVault {
        TokenVault(store: store, key: key).bound(to: InstallationBinding(folder: "\(folder.path)/\(app)"))
    }

    private func text(_ vault: TokenVault) throws -> String? { textOf(try vault.read(name)) }

    private func put(_ bytes: [UInt8]) throws { try Data(bytes).write(to: URL(fileURLWithPath: file)) }

    @Test func `an item is read beside the half that it was stored with, also by another process`() throws {
        try vault.prepare()
        try vault.store(Array("a secret".utf8).span, as: name)
        #expect(try text(vault) == "a secret")
        #expect(try text(vault(in: "app")) == "a secret")
        #expect(try Data(contentsOf: URL(fileURLWithPath: file)).count == 32)
        let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test func `without its half it is absent, nothing is deleted, and the half that comes back opens it`() throws {
        try vault.store(Array("a secret".utf8).span, as: name)
        let half = try Data(contentsOf: URL(fileURLWithPath: file))
        try FileManager.default.removeItem(atPath: "\(folder.path)/app")
        #expect(try text(vault) == nil)
        #expect(store.count == 1)
        #expect(!FileManager.default.fileExists(atPath: file))
        try FileManager.default.createDirectory(atPath: "\(folder.path)/app", withIntermediateDirectories: true)
        try put(Array(half))
        #expect(try text(vault) == "a secret")
    }

    @Test func `after a reinstallation it is absent, and a new sign-in replaces it`() throws {
        try vault.store(Array("old".utf8).span, as: name)
        try FileManager.default.removeItem(atPath: "\(folder.path)/app")
        try vault.prepare()
        #expect(try text(vault) == nil)
        try vault.store(Array("new".utf8).span, as: name)
        #expect(try text(vault) == "new")
        #expect(store.count == 1)
        // Nor does another app's folder open it.
        #expect(try text(vault(in: "other")) == nil)
    }

    @Test func `a half that cannot be read for a moment is no missing one`() throws {
        try vault.store([1].span, as: name)
        try FileManager.default.removeItem(atPath: file)
        try FileManager.default.createDirectory(atPath: file, withIntermediateDirectories: false)
        #expect { _ = try vault.read(name) } throws: { ($0 as? VaultFailure)?.isPassing == true }
    }

    @Test func `a locked store is locked, whatever lies in the folder`() throws {
        let locked = TokenVault(store: LockedStore(), key: key).bound(
            to: InstallationBinding(folder: "\(folder.path)/nothing"))
        #expect(throws: VaultFailure.locked(status: -25308)) { _ = try locked.read(name) }
    }

    @Test(arguments: [0, 31, 33, 5_000])
    func `a half of another length is damage until the next sign-in makes a new one`(_ count: Int) throws {
        try vault.store([1].span, as: name)
        try put([UInt8](repeating: 7, count: count))
        #expect(throws: VaultFailure.corrupt(.installation)) { _ = try vault.read(name) }
        #expect(throws: VaultFailure.corrupt(.installation)) { try vault.store([2].span, as: name) }
        try vault.prepare()
        #expect(try text(vault) == nil)
        try vault.store(Array("new".utf8).span, as: name)
        #expect(try text(vault) == "new")
    }

    @Test func `one process at a time replaces damage, and the next one finds a whole half`() throws {
        try vault.prepare()
        try put([1])
        let half = InstallationBinding(folder: "\(folder.path)/app")
        let held = try FileLock.tryAcquire("\(file).lock")
        #expect(throws: VaultFailure.busy) { try half.prepare(wait: .zero) }
        #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == Data([1]))
        // The holder has replaced it: who waited removes nothing.
        try put([UInt8](repeating: 9, count: 32))
        #expect(throws: Never.self) { try half.prepare(wait: .zero) }
        try put([1])
        _ = consume held
        try half.prepare()
        #expect(try half.read()?.count == 32)
    }

    @Test func `of many that replace damage at once all get the same`() async throws {
        try vault.prepare()
        try put([1])
        let half = InstallationBinding(folder: "\(folder.path)/app")
        let halves = try await withThrowingTaskGroup(of: [UInt8]?.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    try half.prepare()
                    return try half.read()
                }
            }
            return try await group.reduce(into: Set<[UInt8]?>()) { $0.insert($1) }
        }
        let kept = try half.read()
        #expect(kept?.count == 32 && halves == [kept])
    }

    @Test func `what was stored without a half stays readable, and is bound when it is stored again`() throws {
        try TokenVault(store: store, key: key).store(Array("before".utf8).span, as: name)
        #expect(try text(vault) == "before")
        try vault.store(Array("after".utf8).span, as: name)
        try FileManager.default.removeItem(atPath: file)
        #expect(try text(vault) == nil)
    }

    @Test func `a vault that knows no installation does not open what is bound to one`() throws {
        try vault.store([1].span, as: name)
        #expect(throws: VaultFailure.corrupt(.content)) {
            _ = try TokenVault(store: store, key: key).read(name)
        }
    }

    @Test func `of many that make the half at once all get the same`() async throws {
        let vault = vault
        let halves = try await withThrowingTaskGroup(of: [UInt8].self) { group in
            let half = InstallationBinding(folder: "\(folder.path)/app")
            for _ in 0..<16 { group.addTask { try half.readOrMake() } }
            return try await group.reduce(into: Set<[UInt8]>()) { $0.insert($1) }
        }
        #expect(halves.count == 1)
        try vault.prepare()
        let kept = try Data(contentsOf: URL(fileURLWithPath: file))
        #expect(halves == [Array(kept)])
        #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/app") == ["installation"])
    }

    @Test func `a folder that cannot be made leaves no item without a half`() throws {
        try Data().write(to: URL(fileURLWithPath: "\(folder.path)/app"))
        #expect(throws: VaultFailure.self) { try vault.store([1].span, as: name) }
        #expect(store.count == 0)
    }
}

private struct LockedStore: SecretStore {
    func read(_ name: ItemName) throws(VaultFailure) -> StoreResult { throw .locked(status: -25308) }
    func add(_ bytes: Span<UInt8>, as name: ItemName) throws(VaultFailure) { throw .locked(status: -25308) }
    func replace(_ bytes: Span<UInt8>, as name: ItemName) throws(VaultFailure) { throw .locked(status: -25308) }
    func delete(_ name: ItemName) throws(VaultFailure) { throw .locked(status: -25308) }
}
