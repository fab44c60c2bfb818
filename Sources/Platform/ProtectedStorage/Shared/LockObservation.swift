/// Tells that the device was locked, for as long as the value lives.
package final class LockObservation: Sendable {
    private let end: @Sendable () -> Void
    init(end: @escaping @Sendable () -> Void) { self.end = end }
    deinit { end() }
}
