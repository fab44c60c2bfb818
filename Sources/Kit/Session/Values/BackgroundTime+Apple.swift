#if !os(Linux)
internal import Dispatch
internal import Foundation
internal import Synchronization

/// Time in which the system does not suspend the process.
///
/// Written against Apple's documentation of `ProcessInfo`, never run on an Apple system.
enum BackgroundTime {
    private static let reason = "A session is being refreshed"

    static let begin: @Sendable () -> @Sendable () -> Void = {
        #if os(macOS)
        // Nothing suspends a process of macOS, but it may be terminated for want of memory, or napped. The flags that
        // are about its end alone let it nap (Energy Efficiency Guide for Mac Apps).
        let number = activities.withLock { $0.begin(reason) }
        return { activities.withLock { $0.end(number) } }
        #else
        let over = DispatchSemaphore(value: 0)
        // The block lasts as long as the time is needed. It is called once more when the system takes the time back.
        ProcessInfo.processInfo.performExpiringActivity(withReason: reason) { @Sendable isExpiring in
            if isExpiring { over.signal() } else { over.wait() }
        }
        return { over.signal() }
        #endif
    }
}

#if os(macOS)
private let activities = Mutex(Activities())

/// What the system gave, until it is handed back.
private struct Activities {
    private var open: [Int: any NSObjectProtocol] = [:]
    private var count = 0

    mutating func begin(_ reason: String) -> Int {
        count += 1
        open[count] = ProcessInfo.processInfo.beginActivity(
            options: .userInitiatedAllowingIdleSystemSleep, reason: reason)
        return count
    }

    mutating func end(_ number: Int) {
        guard let activity = open.removeValue(forKey: number) else { return }
        ProcessInfo.processInfo.endActivity(activity)
    }
}
#endif
#endif
