internal import Pavise
internal import PaviseTransport
internal import PaviseVault

/// A place in a refresh.
enum Step: Hashable {
    case willRead(Int), didRead(Int)
    case willWrite(Int), didWrite(Int)
    case willSend, didReceive
}

/// Called at each ``Step``. What it throws, the store says.
final class Hook: Sendable {
    let body: @Sendable (Step) throws(VaultFailure) -> Void
    /// Around a write: it may arm a fault and take it away again.
    let write: @Sendable (Int, () throws(VaultFailure) -> Void) throws(VaultFailure) -> Void

    init(
        _ body: @escaping @Sendable (Step) throws(VaultFailure) -> Void,
        write: @escaping @Sendable (Int, () throws(VaultFailure) -> Void) throws(VaultFailure) -> Void = { _, body in
            try body()
        }
    ) {
        self.body = body
        self.write = write
    }
}

/// The keychain with a hook around it. Reads and writes are counted from 1.
final class HookedStore: SecretStore {
    private let store = KeychainStore()
    private let hook: Hook
    private let reads = Count()
    private let writes = Count()

    init(hook: Hook) { self.hook = hook }

    func read(_ name: ItemName) throws(VaultFailure) -> StoreResult {
        let number = reads.next()
        try hook.body(.willRead(number))
        let answer = try store.read(name)
        try hook.body(.didRead(number))
        return answer
    }

    func add(_ bytes: Span<UInt8>, as name: ItemName) throws(VaultFailure) { try store.add(bytes, as: name) }

    func replace(_ bytes: Span<UInt8>, as name: ItemName) throws(VaultFailure) {
        let number = writes.next()
        try hook.body(.willWrite(number))
        let copy = Array(bytes)
        try hook.write(number) { () throws(VaultFailure) in try store.replace(copy.span, as: name) }
        try hook.body(.didWrite(number))
    }

    func delete(_ name: ItemName) throws(VaultFailure) { try store.delete(name) }
}

extension HTTPClient {
    /// This client with a hook around requests without a credential: those to the token endpoint.
    func hooked(_ hook: Hook) -> HTTPClient {
        HTTPClient { [self] (order) async throws(TransportFailure) in
            guard order.lines.authorization == nil else {
                return try await exchange(order.request, carrying: order.lines)
            }
            try? hook.body(.willSend)
            let answer = try await send(order.request)
            try? hook.body(.didReceive)
            return answer
        }
    }
}
