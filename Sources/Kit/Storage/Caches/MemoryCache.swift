internal import Synchronization

/// A cache in memory with a limit of entries and of bytes; the entry that was not used for the longest time goes first.
///
/// ```swift
/// let hours = MemoryCache<String, Int>(countLimit: 100)
/// hours.set(7, for: "2026-11-24")
/// let known = hours.value(for: "2026-11-24")
/// ```
///
/// It is empty after ``removeAll()``, which a ``CacheGroup`` calls under memory pressure, when the app lock closes, and
/// at sign-out. Values are not wiped: a secret belongs into the vault, and not here.
public final class MemoryCache<Key: Hashable & Sendable, Value: Sendable>: EmptiableCache {
    private struct Entry {
        let value: Value
        let bytes: Int
        var used: UInt64
    }
    private struct State {
        var entries: [Key: Entry] = [:]
        var bytes = 0
        var clock: UInt64 = 0

        mutating func remove(_ key: Key) {
            guard let old = entries.removeValue(forKey: key) else { return }
            bytes -= old.bytes
        }
    }

    private let state = Mutex(State())
    private let countLimit: Int
    private let byteLimit: Int

    /// An empty cache.
    ///
    /// - Parameters:
    ///   - countLimit: Entries at most; 100 unless given.
    ///   - byteLimit: The sum of what ``set(_:for:bytes:)`` says at most; 32 MiB unless given.
    public init(countLimit: Int = 100, byteLimit: Int = 32 << 20) {
        self.countLimit = max(0, countLimit)
        self.byteLimit = max(0, byteLimit)
    }

    /// How many entries there are.
    public var count: Int { state.withLock { $0.entries.count } }

    /// The value of `key`, which counts as used now; `nil` where there is none.
    public func value(for key: Key) -> Value? {
        state.withLock { state in
            state.clock += 1
            state.entries[key]?.used = state.clock
            return state.entries[key]?.value
        }
    }

    /// Keeps `value`. One that is larger than the whole cache is not kept, and neither is what was kept under its key.
    public func set(_ value: Value, for key: Key, bytes: Int = 0) {
        let bytes = max(0, bytes)
        state.withLock { state in
            state.remove(key)
            guard bytes <= byteLimit, countLimit > 0 else { return }
            state.clock += 1
            state.entries[key] = Entry(value: value, bytes: bytes, used: state.clock)
            state.bytes += bytes
            while state.entries.count > countLimit || state.bytes > byteLimit {
                guard let oldest = state.entries.min(by: { $0.value.used < $1.value.used }) else { return }
                state.remove(oldest.key)
            }
        }
    }

    /// Removes the entry of `key`.
    public func remove(_ key: Key) { state.withLock { $0.remove(key) } }

    /// Removes the entries whose keys satisfy `isRemoved`, for example those of one connection.
    public func removeAll(where isRemoved: (Key) -> Bool) {
        state.withLock { state in
            for key in state.entries.keys.filter(isRemoved) { state.remove(key) }
        }
    }

    /// Removes every entry.
    public func removeAll() { state.withLock { $0 = State() } }
}
