#if canImport(Glibc)
internal import CPavisePlatform
internal import Glibc

/// Hears when the system runs short of memory.
///
/// The kernel's pressure stall information (https://docs.kernel.org/accounting/psi.html, "Monitoring for pressure
/// thresholds"): some task stalled on memory for 150 ms within 2 s. A window of a multiple of 2 s needs no privilege
/// since Linux 6.5.
package final class MemoryPressure: Sendable {
    private let watch: PressureWatch

    /// Calls `heard` on a thread of its own, at most once in two seconds, until the value goes.
    package init(path: String = "/proc/pressure/memory", _ heard: @escaping @Sendable () -> Void) throws(SystemFailure)
    {
        let watch = try PressureWatch(path)
        try WorkerThread.start(stack: 128 << 10) { watch.listen(heard) }
        self.watch = watch
    }

    deinit { watch.end() }
}

// The thread keeps it: the descriptors are closed when both are through with them.
private final class PressureWatch: Sendable {
    private let file: FileDescriptor
    private let wakeup: FileDescriptor

    init(_ path: String) throws(SystemFailure) {
        file = try FileDescriptor.open(path, O_RDWR | O_NONBLOCK)
        try file.write(Array("some 150000 2000000\0".utf8))
        let number = pavise_wakeup_create()
        guard number >= 0 else { throw SystemFailure(operation: "eventfd", path: path, code: -number) }
        wakeup = FileDescriptor(owning: number, path: path)
    }

    func listen(_ heard: () -> Void) {
        while true {
            var polled = [
                pollfd(fd: file.number, events: Int16(POLLPRI), revents: 0),
                pollfd(fd: wakeup.number, events: Int16(POLLIN), revents: 0),
            ]
            let count = unsafe poll(&polled, 2, -1)
            if count < 0, errno == EINTR { continue }
            // POLLERR: the kernel took the information away.
            guard count > 0, polled[1].revents == 0, polled[0].revents & Int16(POLLERR) == 0 else { return }
            heard()
        }
    }

    // The thread ends when it sees the number; nobody waits for it.
    func end() { try? wakeup.write([1, 0, 0, 0, 0, 0, 0, 0]) }
}
#endif
