/// What both clocks said at one moment, so that a later reader can tell how much time has truly passed.
///
/// The wall clock can be set by anybody; the continuous clock counts sleep, cannot be set, and begins again with each
/// boot.
package struct ClockReading: Hashable, Sendable {
    /// Milliseconds since 1970.
    package let wall: Int64
    /// Milliseconds since the boot, sleep included.
    package let continuous: Int64
    /// Names the boot, in at most 64 bytes.
    package let boot: String

    /// A reading from its parts.
    package init(wall: Int64, continuous: Int64, boot: String) {
        self.wall = wall
        self.continuous = continuous
        self.boot = boot
    }

    /// Now.
    package init(_ time: TimeSource) {
        self.init(
            wall: time.wallMilliseconds, continuous: time.bootMilliseconds,
            boot: String(time.bootEpoch.prefix(64)))
    }

    /// Whether both readings belong to one boot, so that their distance is certain.
    package func isSameBoot(as other: ClockReading) -> Bool { boot == other.boot }
}
