// Declarations of ours of what Pavise names of Dispatch, from Apple's documentation. For checking types on Linux.
public struct DispatchTime: Sendable {
    public static func now() -> DispatchTime { fatalError() }
    public static var distantFuture: DispatchTime { fatalError() }
    public static func + (time: DispatchTime, seconds: Double) -> DispatchTime { fatalError() }
}
public enum DispatchTimeoutResult { case success, timedOut }
open class DispatchObject: @unchecked Sendable {}
public final class DispatchSemaphore: DispatchObject, @unchecked Sendable {
    public init(value: Int) { fatalError() }
    public func wait() {}
    public func wait(timeout: DispatchTime) -> DispatchTimeoutResult { fatalError() }
    @discardableResult public func signal() -> Int { fatalError() }
}
public final class DispatchQueue: DispatchObject, @unchecked Sendable {
    public init(label: String) { fatalError() }
    public static var main: DispatchQueue { fatalError() }
    public static func global() -> DispatchQueue { fatalError() }
    public func async(execute work: @escaping @Sendable @convention(block) () -> Void) {}
    public func sync<T>(execute work: () throws -> T) rethrows -> T { fatalError() }
    public static func concurrentPerform(iterations: Int, execute work: (Int) -> Void) {}
}
