package import PavisePrimitives

/// When something happened, by both clocks, so that a later reader can tell how much time has truly passed.
package struct Moment: Hashable, Sendable {
    /// Milliseconds since 1970.
    package let wall: Int64
    /// Milliseconds since boot, sleep included.
    package let boot: Int64
    /// Which boot that was.
    package let epoch: String

    /// A moment from its parts.
    package init(wall: Int64, boot: Int64, epoch: String) {
        self.wall = wall
        self.boot = boot
        self.epoch = epoch
    }

    /// Now.
    package init(_ time: TimeSource) {
        self.init(wall: time.wallMilliseconds, boot: time.bootMilliseconds, epoch: time.bootEpoch)
    }

    /// Whether both moments belong to one boot, so that their distance is certain.
    package func isSameBoot(as other: Moment) -> Bool { epoch == other.epoch }

    /// Milliseconds from `earlier` to here.
    ///
    /// Within one boot the wall clock has no say: setting it changes nothing (session SR14, oauth S6). Across a boot only
    /// the wall clock is left; a wall clock that went back counts as no time.
    package func milliseconds(since earlier: Moment) -> Int64 {
        let distance =
            isSameBoot(as: earlier)
            ? boot.subtractingReportingOverflow(earlier.boot) : wall.subtractingReportingOverflow(earlier.wall)
        return distance.overflow ? .max : max(0, distance.partialValue)
    }
}
