import PavisePrimitives
import PaviseStorage
import PaviseVault
import Synchronization

/// A store in memory that fails when told to, and dies when told to: after ``kill()`` every write is dropped with an
/// error, as if the process were gone, and what was written before is what the next process finds.
final class MemoryStore: SecretStore {
    struct State {
        var items: [ItemName: [UInt8]] = [:]
        var readFailure: VaultFailure?
        var writeFailures: [VaultFailure?] = []
        var writesUntilKill: Int?
        var writes = 0
        /// Gets the number of each write, once it is there.
        var onWrite: (@Sendable (Int) -> Void)?
    }
    let state = Mutex(State())

    func set(_ change: @Sendable (inout State) -> Void) { state.withLock { change(&$0) } }

    /// What lies there, but for the mark of the home that says that older connections were taken over.
    var left: [ItemName: [UInt8]] { state.withLock { $0.items.filter { $0.key != .takeOver } } }
    /// The same without the keys of connections' files, which stay as long as the connections.
    var secrets: [ItemName: [UInt8]] { left.filter { $0.key.service != "org.pavise.connection" } }

    func read(_ name: ItemName) throws(VaultFailure) -> StoreResult {
        let (failure, item) = state.withLock { ($0.readFailure, $0.items[name]) }
        if let failure { throw failure }
        guard let item else { return .absent }
        return .found(SecretBytes(copying: item.span))
    }

    func add(_ bytes: Span<UInt8>, as name: ItemName) throws(VaultFailure) {
        guard state.withLock({ $0.items[name] }) == nil else { throw .duplicate }
        try replace(bytes, as: name)
    }

    func replace(_ bytes: Span<UInt8>, as name: ItemName) throws(VaultFailure) {
        let copy = Array(bytes)
        let failure: VaultFailure? = state.withLock { state in
            if let left = state.writesUntilKill {
                guard left > 0 else { return .system(status: -1) }
                state.writesUntilKill = left - 1
            }
            if let failure = state.writeFailures.isEmpty ? nil : state.writeFailures.removeFirst() { return failure }
            state.writes += 1
            state.items[name] = copy
            return nil
        }
        if let failure { throw failure }
        let (number, hook) = state.withLock { ($0.writes, $0.onWrite) }
        hook?(number)
    }

    func delete(_ name: ItemName) throws(VaultFailure) { state.withLock { $0.items[name] = nil } }
}

/// A key in memory: it adds a mark in front, and can be lost.
final class MemoryKey: SealingKey {
    private let isThere = Mutex(true)
    private static let mask: UInt8 = 0x5A

    func prepare() throws(VaultFailure) { isThere.withLock { $0 = true } }
    func lose() { isThere.withLock { $0 = false } }
    func destroy() throws(VaultFailure) { lose() }

    func seal(_ plain: Span<UInt8>) throws(VaultFailure) -> [UInt8] {
        guard isThere.withLock({ $0 }) else { throw .keyLost }
        return [0xEC] + plain.indices.map { plain[$0] ^ Self.mask }
    }

    func open(_ packet: Span<UInt8>) throws(VaultFailure) -> SecretBytes {
        guard isThere.withLock({ $0 }) else { throw .keyLost }
        guard packet.count > 0, packet[0] == 0xEC else { throw .corrupt(.packet) }
        return SecretBytes(count: packet.count - 1) { target in
            for index in 0..<target.count { target[index] = packet[index + 1] ^ Self.mask }
        }
    }
}
