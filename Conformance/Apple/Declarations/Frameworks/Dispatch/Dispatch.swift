// Declarations of ours of what Pavise names of Dispatch, from Apple's documentation. For checking types on Linux.
// Pages: https://developer.apple.com/documentation/dispatch/ and the name in lower case.
public struct DispatchTime: Sendable {
    public static func now() -> DispatchTime { fatalError() }
    public static var distantFuture: DispatchTime { fatalError() }
    public static func + (time: DispatchTime, seconds: Double) -> DispatchTime { fatalError() }
}
public enum DispatchTimeoutResult { case success, timedOut }
open class DispatchObject: @unchecked Sendable {}
public final class DispatchSemaphore: DispatchObject, @unchecked Sendable {
    public init(value: Int) { fatalError() }
    // The thread that would go on with the task is the one that waits.
    @available(*, noasync) public func wait() {}
    @available(*, noasync) public func wait(timeout: DispatchTime) -> DispatchTimeoutResult { fatalError() }
    @discardableResult public func signal() -> Int { fatalError() }
}
public final class DispatchQueue: DispatchObject, @unchecked Sendable {
    public init(label: String) { fatalError() }
    public static var main: DispatchQueue { fatalError() }
    public static func global() -> DispatchQueue { fatalError() }
    // https://developer.apple.com/documentation/dispatch/dispatchqueue/global(qos:)
    public static func global(qos: DispatchQoS.QoSClass) -> DispatchQueue { fatalError() }
    public func async(execute work: @escaping @Sendable @convention(block) () -> Void) {}
    public func sync<T>(execute work: () throws -> T) rethrows -> T { fatalError() }
    public static func concurrentPerform(iterations: Int, execute work: (Int) -> Void) {}
}
// https://developer.apple.com/documentation/dispatch/dispatchqos/qosclass
public struct DispatchQoS: Sendable {
    public enum QoSClass: Sendable { case background, utility, `default`, userInitiated, userInteractive, unspecified }
}
// https://developer.apple.com/documentation/dispatch/dispatchsource
open class DispatchSource: DispatchObject, @unchecked Sendable {
    public struct MemoryPressureEvent: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let normal = MemoryPressureEvent(rawValue: 1)
        public static let warning = MemoryPressureEvent(rawValue: 2)
        public static let critical = MemoryPressureEvent(rawValue: 4)
    }
    // https://developer.apple.com/documentation/dispatch/dispatchsource/makememorypressuresource(eventmask:queue:)
    public class func makeMemoryPressureSource(
        eventMask: MemoryPressureEvent, queue: DispatchQueue? = nil
    ) -> any DispatchSourceMemoryPressure { fatalError() }
}
// https://developer.apple.com/documentation/dispatch/dispatchsourceprotocol. Nothing says that it is Sendable.
public protocol DispatchSourceProtocol: AnyObject {
    func setEventHandler(handler: (@Sendable @convention(block) () -> Void)?)
    func activate()
    func cancel()
}
// https://developer.apple.com/documentation/dispatch/dispatchsourcememorypressure
public protocol DispatchSourceMemoryPressure: DispatchSourceProtocol {}
