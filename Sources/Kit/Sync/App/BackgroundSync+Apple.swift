#if os(iOS)
internal import BackgroundTasks
internal import Foundation
internal import PavisePrimitives

/// Synchronises while the app is not in front: a processing task of the system's scheduler.
///
/// ```swift
/// BackgroundSync.register("org.example.notes.sync") { await notes.run().isComplete }
/// try BackgroundSync.schedule("org.example.notes.sync", after: .seconds(3_600))
/// ```
/// The identifier stands in the app's Info.plist, below `BGTaskSchedulerPermittedIdentifiers`. The system decides when
/// it runs, and for how long: when the time is over the run is cancelled, and what waits is done by the next one. The
/// journal can be read from the first unlock on, so a locked device synchronises too. A run of the app's own that goes
/// on just then is waited for.
/// https://developer.apple.com/documentation/backgroundtasks — written against the documentation, never run on an Apple
/// system.
public enum BackgroundSync {
    /// Tells the system what to do; called before the app has finished launching, and once for each identifier.
    ///
    /// Each run asks for the next one, `interval` later at the earliest.
    ///
    /// - Parameters:
    ///   - identifier: As it stands in the app's Info.plist.
    ///   - interval: How long the next run waits at least.
    ///   - sync: Synchronises, and returns whether it came to its end; it may be cancelled.
    /// - Returns: Whether the system took it; `false` for an identifier that Info.plist does not have.
    @discardableResult
    public static func register(
        _ identifier: String, every interval: Duration = .seconds(3_600), sync: @escaping @Sendable () async -> Bool
    ) -> Bool {
        BGTaskScheduler.shared.register(forTaskWithIdentifier: identifier, using: nil) { @Sendable task in
            // Without a next one this one still counts.
            try? schedule(identifier, after: interval)
            // A task may be completed from any thread, and nothing else is asked of it there.
            let given = UncheckedTransfer(task)
            let work = Task { given.value.setTaskCompleted(success: await sync()) }
            task.expirationHandler = { @Sendable in work.cancel() }
        }
    }

    /// Asks for a run with the network, `interval` from now at the earliest.
    ///
    /// - Throws: ``SyncFailure/refused(_:)`` when the person allows no background work, or the system takes no more.
    public static func schedule(_ identifier: String, after interval: Duration) throws(SyncFailure) {
        let request = BGProcessingTaskRequest(identifier: identifier)
        request.requiresNetworkConnectivity = true
        request.earliestBeginDate = Date(timeIntervalSinceNow: Double(interval.components.seconds))
        do { try BGTaskScheduler.shared.submit(request) } catch {
            throw .refused("The system takes no background task.")
        }
    }
}
#endif
