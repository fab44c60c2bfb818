// Activities for which a Mac leaves a process alone, counted.
public import Foundation
internal import Synchronization

extension ProcessInfo {
    /// https://developer.apple.com/documentation/foundation/processinfo/activityoptions
    public struct ActivityOptions: OptionSet, Sendable {
        public static let suddenTerminationDisabled = Self(rawValue: 1 << 14)
        public static let automaticTerminationDisabled = Self(rawValue: 1 << 15)
        /// Of the options here the one with which a process does not nap; those above are part of it.
        public static let userInitiatedAllowingIdleSystemSleep = Self(rawValue: 0x00EF_FFFF)
        public let rawValue: UInt64
        public init(rawValue: UInt64) { self.rawValue = rawValue }
    }

    /// https://developer.apple.com/documentation/foundation/processinfo/beginactivity(options:reason:)
    public func beginActivity(options: ActivityOptions, reason: String) -> any NSObjectProtocol {
        ProcessActivities.state.withLock { $0 = ($0.open + 1, options) }
        return NSObject()
    }

    /// https://developer.apple.com/documentation/foundation/processinfo/endactivity(_:)
    public func endActivity(_ activity: any NSObjectProtocol) { ProcessActivities.state.withLock { $0.open -= 1 } }
}

/// How many are open, and how the last one was begun.
public enum ProcessActivities {
    static let state = Mutex<(open: Int, last: ProcessInfo.ActivityOptions)>((0, []))
    public static var open: Int { state.withLock { $0.open } }
    public static var last: ProcessInfo.ActivityOptions { state.withLock { $0.last } }
}
