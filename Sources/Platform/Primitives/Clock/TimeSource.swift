internal import Synchronization

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// What time it is, twice: by the wall and since boot.
///
/// The wall clock can be set by anybody; the boot clock cannot go back and counts sleep, but starts again at boot.
/// A rule that must survive a changed clock uses both.
public struct TimeSource: Sendable {
    private let wall: @Sendable () -> Int64
    private let boot: @Sendable () -> Int64
    private let epoch: @Sendable () -> String

    /// A source of a test's own: `wall` in milliseconds since 1970, `boot` in milliseconds since boot, `epoch` names
    /// the boot.
    public init(
        wall: @escaping @Sendable () -> Int64, boot: @escaping @Sendable () -> Int64,
        epoch: @escaping @Sendable () -> String
    ) {
        self.wall = wall
        self.boot = boot
        self.epoch = epoch
    }

    /// Milliseconds since 1970-01-01T00:00:00Z.
    public var wallMilliseconds: Int64 { wall() }

    /// Milliseconds since boot, sleep included. Never goes back.
    public var bootMilliseconds: Int64 { boot() }

    /// Names this boot of the machine; another value means that boot times cannot be compared.
    public var bootEpoch: String { epoch() }

    /// Seconds since 1970-01-01T00:00:00Z.
    public var wallSeconds: Int64 { wall() / 1000 }

    /// The machine's own clocks.
    public static let system = TimeSource(
        wall: { milliseconds(of: CLOCK_REALTIME) },
        boot: { milliseconds(of: bootClock) },
        epoch: { systemBootEpoch })

    #if canImport(Glibc)
    private static let bootClock = CLOCK_BOOTTIME
    #else
    private static let bootClock = CLOCK_MONOTONIC
    #endif

    private static func milliseconds(of clock: clockid_t) -> Int64 {
        var now = timespec()
        unsafe clock_gettime(clock, &now)
        return Int64(now.tv_sec) * 1000 + Int64(now.tv_nsec) / 1_000_000
    }

    private static let systemBootEpoch = bootEpoch(at: "/proc/sys/kernel/random/boot_id")

    /// The kernel makes a new random identifier at each boot; without one, as on Apple's systems, boot times of two
    /// processes never compare equal. The number of a process comes again after a boot, so it is none.
    package static func bootEpoch(at path: String) -> String {
        guard let bytes = try? InputFile.read(path, limit: 64), let text = String(validating: bytes, as: UTF8.self)
        else { return "unknown-\(String(UInt64.random(in: .min ... .max), radix: 16))" }
        return String(text.prefix { $0 != "\n" })
    }
}

/// A clock that stands still until a test moves it.
public final class ManualTime: Sendable {
    private struct State {
        var wall: Int64
        var boot: Int64
        var epoch: Int
    }
    private let state: Mutex<State>

    /// Starts at `wallSeconds` since 1970, an hour after boot.
    public init(wallSeconds: Int64 = 1_900_000_000) {
        state = Mutex(State(wall: wallSeconds * 1000, boot: 3_600_000, epoch: 1))
    }

    /// Lets `seconds` pass on both clocks.
    public func advance(seconds: Double) {
        state.withLock {
            $0.wall += Int64(seconds * 1000)
            $0.boot += Int64(seconds * 1000)
        }
    }

    /// Moves the wall clock alone, as a person (or an attacker) with the settings open does.
    public func setWall(seconds: Int64) { state.withLock { $0.wall = seconds * 1000 } }

    /// Starts the machine again: the boot clock begins at zero under a new name.
    public func reboot() {
        state.withLock {
            $0.boot = 0
            $0.epoch += 1
        }
    }

    /// The source to hand to the code under test.
    public var source: TimeSource {
        TimeSource(
            wall: { [self] in state.withLock { $0.wall } },
            boot: { [self] in state.withLock { $0.boot } },
            epoch: { [self] in state.withLock { "manual-\($0.epoch)" } })
    }
}
