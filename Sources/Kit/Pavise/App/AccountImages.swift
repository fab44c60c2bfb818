internal import PaviseProtectedStorage
internal import PaviseStorage
internal import Synchronization

/// The caches of images that an account has open, one for each class.
final class AccountImages: Sendable {
    private let caches = Mutex<[ProtectionClass: ImageCache]>([:])

    func cache(
        _ protection: ProtectionClass, open: () throws(PaviseError) -> ImageCache
    ) throws(PaviseError) -> ImageCache {
        if let known = caches.withLock({ $0[protection] }) { return known }
        let made = try open()
        return caches.withLock { caches in
            if let earlier = caches[protection] { return earlier }
            caches[protection] = made
            return made
        }
    }

    /// Lets go of them: what is kept goes with its container.
    func close() {
        let all = caches.withLock { caches in
            defer { caches = [:] }
            return Array(caches.values)
        }
        for cache in all { cache.forgetKey() }
    }
}
