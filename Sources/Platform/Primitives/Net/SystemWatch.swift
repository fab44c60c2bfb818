internal import CPavisePlatform
internal import Synchronization

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// Something happened to the machine that whoever waits for a server wants to know.
package enum SystemChange: Hashable, Sendable {
    /// Links, addresses or routes changed.
    case network(NetworkChanges)
    /// The machine woke up after so many milliseconds of sleep.
    case woke(afterMilliseconds: Int64)
    /// The wall clock was set.
    case clockSet
}

/// What two clocks say at one moment: one counts the machine's sleep, the other does not. Pure.
package struct SleepGauge: Hashable, Sendable {
    /// Milliseconds since boot, sleep included (CLOCK_BOOTTIME).
    package let withSleep: Int64
    /// Milliseconds since boot without sleep (CLOCK_MONOTONIC).
    package let awake: Int64

    /// A reading from its parts.
    package init(withSleep: Int64, awake: Int64) {
        self.withSleep = withSleep
        self.awake = awake
    }

    /// What a jump of the wall clock was: a machine that slept for less than half a second did not sleep.
    package func meaning(since earlier: SleepGauge) -> SystemChange {
        let slept = (withSleep &- awake) &- (earlier.withSleep &- earlier.awake)
        return slept >= 500 ? .woke(afterMilliseconds: slept) : .clockSet
    }
}

/// Tells when networks change and when the machine wakes up, for as long as it lives. Linux only: Apple's systems say
/// it themselves.
///
/// One thread waits in the kernel; it costs nothing while nothing happens.
package final class SystemWatch: Sendable {
    private let inner: Waiting

    /// Begins. `tell` is called on a thread of the watch's own, one call at a time, and must not wait for long.
    ///
    /// - Throws: `ENOSYS` where the system has neither; what the kernel refuses.
    package init(_ tell: @escaping @Sendable (SystemChange) -> Void) throws(SystemFailure) {
        let inner = try Waiting(tell)
        self.inner = inner
        try WorkerThread.start { inner.run() }
    }

    deinit { inner.stop() }
}

/// What the thread holds. It outlives the watch until the thread has seen that it is over.
private final class Waiting: Sendable {
    private static let network: UInt64 = 1
    private static let clock: UInt64 = 2
    // A datagram is at most a page or 8 KiB, whichever is less (netlink(7)); links with many virtual functions are
    // larger.
    private static let room = 32 << 10

    private let poll: EventPoll
    private let networkWatch: Int32
    private let clockWatch: Int32
    private let isOver = Atomic(false)
    private let table = Mutex(NetworkTable())
    private let gauge = Mutex(SleepGauge.now)
    private let tell: @Sendable (SystemChange) -> Void

    init(_ tell: @escaping @Sendable (SystemChange) -> Void) throws(SystemFailure) {
        poll = try EventPoll()
        networkWatch = pavise_network_watch()
        clockWatch = pavise_clock_watch()
        self.tell = tell
        guard networkWatch >= 0 else { throw SystemFailure(operation: "netlink", path: "", code: -networkWatch) }
        guard clockWatch >= 0 else { throw SystemFailure(operation: "timerfd", path: "", code: -clockWatch) }
        try poll.watch(networkWatch, for: .read, key: Self.network, isNew: true)
        try poll.watch(clockWatch, for: .read, key: Self.clock, isNew: true)
    }

    deinit {
        if networkWatch >= 0 { _ = close(networkWatch) }
        if clockWatch >= 0 { _ = close(clockWatch) }
    }

    func stop() {
        isOver.store(true, ordering: .releasing)
        poll.wake()
    }

    func run() {
        while !isOver.load(ordering: .acquiring) {
            var ready: Set<UInt64> = []
            poll.wait(milliseconds: -1) { key, _ in ready.insert(key) }
            guard !isOver.load(ordering: .acquiring) else { return }
            if ready.contains(Self.clock) { readClock() }
            if ready.contains(Self.network) { readNetwork() }
        }
    }

    private func readClock() {
        guard pavise_clock_jumped(clockWatch) == 1 else { return }
        let now = SleepGauge.now
        let meaning = gauge.withLock { gauge in
            defer { gauge = now }
            return now.meaning(since: gauge)
        }
        tell(meaning)
    }

    // All that is there, as one word: a network that comes up brings a dozen messages.
    private func readNetwork() {
        var bytes = [UInt8](repeating: 0, count: Self.room)
        var changes: NetworkChanges = []
        reading: while true {
            let got = unsafe bytes.withUnsafeMutableBytes { bytes in
                unsafe pavise_network_read(networkWatch, bytes.baseAddress, bytes.count)
            }
            switch got {
            case 0: continue
            case 1...Self.room: changes.formUnion(table.withLock { $0.read(Array(bytes.prefix(got))) })
            case (Self.room + 1)...: changes.insert(.unknown)
            case -Int(ENOBUFS): changes.insert(.unknown)
            case -Int(EINTR): continue
            default: break reading
            }
        }
        if !changes.isEmpty { tell(.network(changes)) }
    }
}

extension SleepGauge {
    /// The reading of now.
    package static var now: SleepGauge {
        #if canImport(Glibc)
        SleepGauge(withSleep: milliseconds(CLOCK_BOOTTIME), awake: milliseconds(CLOCK_MONOTONIC))
        #else
        // Darwin: the monotonic clock counts sleep, the uptime does not (clock_gettime(3)).
        SleepGauge(withSleep: milliseconds(CLOCK_MONOTONIC), awake: milliseconds(CLOCK_UPTIME_RAW))
        #endif
    }

    private static func milliseconds(_ clock: clockid_t) -> Int64 {
        var now = timespec()
        unsafe clock_gettime(clock, &now)
        return Int64(now.tv_sec) * 1000 + Int64(now.tv_nsec) / 1_000_000
    }
}
