extension StorageContainer {
    /// Calls `onLock` when the device was locked, and at once where it is locked already: on Linux within 10 ms, by
    /// whichever process, on a thread of Pavise's own that all observers share; on Apple's systems when the system
    /// announces it, on the thread of the announcement.
    ///
    /// Forget keys there, and do nothing that waits.
    package func observeLock(_ onLock: @escaping @Sendable () -> Void) -> LockObservation {
        surroundings.observeLock(onLock)
    }
}
