internal import PavisePrimitives

/// How much time has passed since a store was made, by both clocks: what counts for contents that are kept for 30 days.
///
/// Within one boot the clock counts that nobody can set. Over a reboot only the wall clock is left; a wall clock that
/// was set makes at most a week of it, so that what is kept goes late rather than early. Pure.
struct ElapsedTime: Hashable, Sendable {
    /// In milliseconds.
    let total: Int64
    /// What both clocks said then.
    let reading: ClockReading

    /// The most that the wall clock is believed over a reboot, in milliseconds.
    static let longestUnseen: Int64 = 7 * 86_400_000

    /// None has passed.
    init(startingAt reading: ClockReading) { (total, self.reading) = (0, reading) }

    private init(_ total: Int64, _ reading: ClockReading) { (self.total, self.reading) = (total, reading) }

    /// What has passed until `now`.
    func at(_ now: ClockReading) -> ElapsedTime {
        let passed =
            now.isSameBoot(as: reading)
            ? max(0, now.continuous &- reading.continuous)
            : max(0, min(now.wall &- reading.wall, Self.longestUnseen))
        return ElapsedTime(total &+ passed, now)
    }

    /// Reads ``text``; `nil` for any other.
    init?(_ text: String) {
        let words = text.split(separator: " ", maxSplits: 3).map(String.init)
        guard words.count == 4, let total = Int64(words[0]), total >= 0, let wall = Int64(words[1]),
            let continuous = Int64(words[2])
        else { return nil }
        self.init(total, ClockReading(wall: wall, continuous: continuous, boot: words[3]))
    }

    /// The form in a store.
    var text: String { "\(total) \(reading.wall) \(reading.continuous) \(reading.boot)" }
}
