/// Keys in memory that go with the lock of their container.
protocol ForgettableKey: AnyObject, Sendable {
    var protection: ProtectionClass { get }
    /// Whether they are in memory now.
    var isHeld: Bool { get }
    /// Drops them.
    func forget()
}

/// The files that a container has open, whose keys go with its lock.
struct OpenFiles: Sendable {
    private struct WeakKey: Sendable { weak var value: (any ForgettableKey)? }
    private var keys: [UInt64: WeakKey] = [:]
    private var next: UInt64 = 0

    mutating func nextNumber() -> UInt64 {
        defer { next += 1 }
        return next
    }

    mutating func add(_ key: any ForgettableKey, _ number: UInt64) { keys[number] = WeakKey(value: key) }
    mutating func remove(_ number: UInt64) { keys[number] = nil }

    /// All of them. Nothing is done with them under a mutex.
    var all: [any ForgettableKey] { keys.values.compactMap(\.value) }
}
