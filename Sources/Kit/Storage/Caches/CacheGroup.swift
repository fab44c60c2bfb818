public import PavisePrimitives
internal import Synchronization

/// A cache that can be emptied.
public protocol EmptiableCache: Sendable {
    /// Removes every entry.
    func removeAll()
}

/// Caches that are emptied together: under memory pressure, when the app lock closes, at sign-out.
///
/// ```swift
/// let caches = CacheGroup()
/// caches.add(images)
/// caches.add(hours)
/// try caches.followMemoryPressure()
/// // At the app's lock, and at sign-out:
/// caches.empty()
/// ```
public final class CacheGroup: Sendable {
    private let caches = Mutex<[any EmptiableCache]>([])
    private let pressure = Mutex<MemoryPressure?>(nil)

    /// A group without a cache.
    public init() {}

    /// Takes a cache into the group; the group keeps it.
    public func add(_ cache: some EmptiableCache) { caches.withLock { $0.append(cache) } }

    /// Empties all caches.
    public func empty() {
        let all = caches.withLock { $0 }
        for cache in all { cache.removeAll() }
    }

    /// Empties all caches whenever the system runs short of memory, for as long as the group lives.
    ///
    /// On Linux the kernel's pressure stall information tells (work stalled for 150 ms within 2 s), on Apple's systems
    /// the memory pressure source of Dispatch.
    /// - Throws: `SystemFailure` where the kernel has no such information (built without PSI, or before 4.20) or does
    ///   not let this user watch it; the limits of each cache hold all the same.
    public func followMemoryPressure() throws(SystemFailure) {
        guard pressure.withLock({ $0 == nil }) else { return }
        let source = try MemoryPressure { [weak self] in self?.empty() }
        pressure.withLock { $0 = source }
    }
}
