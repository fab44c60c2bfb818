// Activities for which a Mac leaves a process alone, counted.
public import Foundation
internal import Synchronization

extension ProcessInfo {
    /// https://developer.apple.com/documentation/foundation/processinfo/activityoptions
    public struct ActivityOptions: OptionSet, Sendable {
        public static let suddenTerminationDisabled = Self(rawValue: 1 << 14)
        public static let automaticTerminationDisabled = Self(rawValue: 1 << 15)
        public let rawValue: UInt64
        public init(rawValue: UInt64) { self.rawValue = rawValue }
    }

    /// https://developer.apple.com/documentation/foundation/processinfo/beginactivity(options:reason:)
    public func beginActivity(options: ActivityOptions, reason: String) -> any NSObjectProtocol {
        ProcessActivities.count.withLock { $0 += 1 }
        return NSObject()
    }

    /// https://developer.apple.com/documentation/foundation/processinfo/endactivity(_:)
    public func endActivity(_ activity: any NSObjectProtocol) { ProcessActivities.count.withLock { $0 -= 1 } }
}

/// How many are open.
public enum ProcessActivities {
    static let count = Mutex(0)
    public static var open: Int { count.withLock { $0 } }
}
