import PavisePrimitives
import Synchronization
import Testing

@testable import PaviseVault

/// The vault over a store and a key that are visible to the test.
@Suite struct TokenVaultTests {
    private let ann = ItemName(checkedService: "test", "ann")
    private let bob = ItemName(checkedService: "test", "bob")

    @Test func `what was stored is read back, and does not lie there in clear`() throws {
        let store = PlainStore()
        let vault = TokenVault(store: store, key: TurningKey())
        try vault.store(Array("a secret".utf8).span, as: ann)
        #expect(try text(vault, ann) == "a secret")
        #expect(!String(decoding: store.items.withLock { $0[ann] ?? [] }, as: UTF8.self).contains("secret"))
    }

    @Test func `a packet under another name does not open`() throws {
        let store = PlainStore()
        let vault = TokenVault(store: store, key: TurningKey())
        try vault.store([1, 2, 3].span, as: ann)
        store.items.withLock { $0[bob] = $0[ann] }
        #expect(throws: VaultFailure.corrupt(.foreignName)) { _ = try vault.read(bob) }
    }

    @Test func `RV-H2: what the store alone protects is bound to its name, and no sealed packet is taken for it`()
        throws
    {
        let store = PlainStore()
        let vault = TokenVault(store: store, key: TurningKey())
        try vault.storeUnsealed(Array("a key".utf8).span, as: ann)
        let own = textOf(try vault.readUnsealed(ann))
        #expect(own == "a key")
        store.items.withLock { $0[bob] = $0[ann] }
        #expect(throws: VaultFailure.corrupt(.foreignName)) { _ = try vault.readUnsealed(bob) }
        try vault.store(Array("a key".utf8).span, as: ann)
        #expect(throws: VaultFailure.corrupt(.content)) { _ = try vault.readUnsealed(ann) }
    }

    @Test(
        arguments: [
            ([], .corrupt(.content)), ([0x00], .corrupt(.content)), ([1, 0], .corrupt(.content)),
            ([1, 0, 0], .corrupt(.foreignName)), ([2, 0, 0], .corrupt(.foreignName)), ([0xFF, 0xFF, 0xFF], .newer),
        ] as [([UInt8], VaultFailure)])
    func `a packet with strange content is damage, not absence`(_ content: [UInt8], _ failure: VaultFailure) throws {
        let store = PlainStore()
        let key = TurningKey()
        let packet = try key.seal(content.span)
        store.items.withLock { $0[ann] = packet }
        #expect(throws: failure) { _ = try TokenVault(store: store, key: key).read(ann) }
    }

    @Test func `FD8: a packet of a later version is told as newer, and not as damaged`() throws {
        let store = PlainStore()
        let key = TurningKey()
        let vault = TokenVault(store: store, key: key)
        try vault.store([1, 2].span, as: ann)
        for (version, failure) in [(UInt8(0), VaultFailure.corrupt(.content)), (3, .newer), (255, .newer)] {
            let content = [version] + (store.items.withLock { $0[ann] ?? [] }.dropFirst().map { ~$0 })
            let packet = try key.seal(content.span)
            store.items.withLock { $0[bob] = packet }
            #expect(throws: failure) { _ = try vault.read(bob) }
        }
        #expect(!VaultFailure.newer.isPassing)
        #expect(VaultFailure(status: -25_310) == .newer)
    }

    @Test func `FD8: what a later version sealed is sealed anew as it is, before the old key goes`() async throws {
        let store = PlainStore()
        let key = TwoKeys()
        let vault = TokenVault(store: store, key: key)
        try vault.prepare()
        try vault.store([1].span, as: ann)
        let newer: [UInt8] = [9, 1, 2, 3]
        let packet = try key.seal(newer.span)
        store.items.withLock { $0[bob] = packet }
        key.turn()
        let isWhole = try await vault.sealAgain([ann, bob], of: "test") { _ throws(VaultFailure) in false }
        #expect(isWhole)
        #expect(throws: VaultFailure.newer) { _ = try vault.read(bob) }
        let left = store.items.withLock { $0[bob] ?? [] }
        #expect(left != packet)
        let plain = try key.open(left.span)
        #expect(plain.withBytes { bytes in Array(bytes) } == newer)
    }

    @Test(arguments: [false, true])
    func `RV-M2: what is erased or written while it is sealed anew is not put back`(_ isWritten: Bool) async throws {
        let key = TwoKeys()
        let vault = TokenVault(store: PlainStore(), key: key)
        try vault.prepare()
        try vault.store([1], as: ann)
        key.turn()
        // A sign-out, or a sign-in.
        key.meanwhile.withLock { body in
            body = { [ann] in
                guard isWritten else {
                    try? vault.erase(ann)
                    return
                }
                try? vault.store([2], as: ann)
            }
        }
        let isWhole = try await vault.sealAgain([ann], of: "test") { _ throws(VaultFailure) in false }
        #expect(isWhole)
        let left = try text(vault, ann)
        #expect(left == (isWritten ? "\u{2}" : nil))
    }

    @Test func `a missing key is never replaced by reading or storing`() throws {
        let store = PlainStore()
        let key = TurningKey()
        let vault = TokenVault(store: store, key: key)
        try vault.store([1].span, as: ann)
        try vault.destroyKey()
        #expect(throws: VaultFailure.keyLost) { _ = try vault.read(ann) }
        #expect(throws: VaultFailure.keyLost) { try vault.store([2].span, as: ann) }
        #expect(store.items.withLock { $0.count } == 1)
        try vault.prepare()
        try vault.store([2].span, as: ann)
    }

    @Test(arguments: ["", "a b", "a/b", "naïve", "a\u{0}b", String(repeating: "x", count: 129)])
    func `anything else is no item name`(_ part: String) {
        #expect(ItemName(service: part, account: "a") == nil)
        #expect(ItemName(service: "a", account: part) == nil)
    }

    private func text(_ vault: TokenVault, _ name: ItemName) throws -> String? { textOf(try vault.read(name)) }
}

func textOf(_ answer: consuming StoreResult) -> String? {
    switch consume answer {
    case .absent: return nil
    case .found(let secret):
        let bytes = secret.withBytes { span in Array(span) }
        return String(decoding: bytes, as: UTF8.self)
    }
}

final class PlainStore: SecretStore {
    let items = Mutex<[ItemName: [UInt8]]>([:])
    var count: Int { items.withLock { $0.count } }

    func read(_ name: ItemName) throws(VaultFailure) -> StoreResult {
        guard let item = items.withLock({ $0[name] }) else { return .absent }
        return .found(SecretBytes(copying: item.span))
    }
    func add(_ bytes: Span<UInt8>, as name: ItemName) throws(VaultFailure) { try replace(bytes, as: name) }
    func replace(_ bytes: Span<UInt8>, as name: ItemName) throws(VaultFailure) {
        let copy = Array(bytes)
        items.withLock { $0[name] = copy }
    }
    func delete(_ name: ItemName) throws(VaultFailure) { items.withLock { $0[name] = nil } }
}

/// Turns every bit: enough to see what is sealed and what is not.
final class TurningKey: SealingKey {
    private let isThere = Mutex(true)

    func prepare() throws(VaultFailure) { isThere.withLock { $0 = true } }
    func destroy() throws(VaultFailure) { isThere.withLock { $0 = false } }
    func seal(_ plain: Span<UInt8>) throws(VaultFailure) -> [UInt8] {
        guard isThere.withLock({ $0 }) else { throw .keyLost }
        return plain.indices.map { ~plain[$0] }
    }
    func open(_ packet: Span<UInt8>) throws(VaultFailure) -> SecretBytes {
        let plain = try seal(packet)
        return SecretBytes(copying: plain.span)
    }
}

/// Two keys, of which the second one seals once it is its turn.
private final class TwoKeys: RotatingKey {
    private let first = VolatileKey()
    private let second = VolatileKey()
    private let isTurned = Mutex(false)
    /// What happens while something is being sealed, once.
    let meanwhile = Mutex<(@Sendable () -> Void)?>(nil)

    private var sealing: VolatileKey { isTurned.withLock { $0 } ? second : first }
    private var retired: VolatileKey { isTurned.withLock { $0 } ? first : second }

    func turn() { isTurned.withLock { $0 = true } }
    func prepare() throws(VaultFailure) { try sealing.prepare() }

    func seal(_ plain: Span<UInt8>) throws(VaultFailure) -> [UInt8] {
        let packet = try sealing.seal(plain)
        let body = meanwhile.withLock { body -> (@Sendable () -> Void)? in
            defer { body = nil }
            return body
        }
        body?()
        return packet
    }

    func open(_ packet: Span<UInt8>) throws(VaultFailure) -> SecretBytes {
        do throws(VaultFailure) { return try sealing.open(packet) } catch { return try retired.open(packet) }
    }

    func destroy() throws(VaultFailure) {
        try first.destroy()
        try second.destroy()
    }

    func isRetiredKeyThere() throws(VaultFailure) -> Bool { true }
    func destroyRetiredKey() throws(VaultFailure) { try retired.destroy() }
}
