#if canImport(Darwin)
internal import Dispatch

/// Hears when the system runs short of memory.
///
/// https://developer.apple.com/documentation/dispatch/dispatchsource/makememorypressuresource(eventmask:queue:) —
/// written against the documentation, never run on an Apple system.
package final class MemoryPressure {
    private let source: any DispatchSourceMemoryPressure

    /// Calls `heard` on a queue of its own until the value goes.
    package init(_ heard: @escaping @Sendable () -> Void) throws(SystemFailure) {
        source = DispatchSource.makeMemoryPressureSource(
            eventMask: [.warning, .critical], queue: .global(qos: .utility))
        source.setEventHandler { @Sendable in heard() }
        source.activate()
    }

    deinit { source.cancel() }
}

// Safe to share: the source never changes after `init`, and Dispatch's objects may be used from any thread. Their
// protocols are not documented as Sendable.
extension MemoryPressure: @unchecked Sendable {}
#endif
