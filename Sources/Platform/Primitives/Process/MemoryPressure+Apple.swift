#if canImport(Darwin)
internal import Dispatch

/// Hears when the system runs short of memory.
///
/// https://developer.apple.com/documentation/dispatch/dispatchsource/makememorypressuresource(eventmask:queue:) —
/// written against the documentation, never run on an Apple system.
package final class MemoryPressure: Sendable {
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
#endif
