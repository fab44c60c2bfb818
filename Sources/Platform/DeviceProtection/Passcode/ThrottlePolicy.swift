internal import PavisePrimitives

/// What follows wrong passcodes: delays as data, and what happens at the last try.
package struct ThrottlePolicy: AttemptRules, Hashable {
    /// Which table of delays.
    package enum Preset: UInt8, Hashable, Sendable, CaseIterable {
        /// One minute after the fifth failure, one hour after the ninth and every later one.
        case standard = 0
        /// One minute after the fourth failure already; after the tenth, no try at all.
        case strict = 1
    }

    /// The table.
    package let preset: Preset
    /// Whether the tenth failure erases the device.
    package let erasesAtLimit: Bool

    /// Failures in a row after which the limit is reached.
    package static let limit: UInt8 = 10

    /// ``ThrottlePolicy`` has one limit.
    package var limit: UInt8 { Self.limit }

    /// Whether the tenth failure does something.
    package var endsAtLimit: Bool { erasesAtLimit }

    /// A policy.
    package init(_ preset: Preset = .standard, erasesAtLimit: Bool = false) {
        self.preset = preset
        self.erasesAtLimit = erasesAtLimit
    }

    // Seconds to wait after the first, second, … failure.
    private static let standardDelays: [Int64] = [0, 0, 0, 0, 60, 300, 900, 900, 3600]
    private static let strictDelays: [Int64] = [0, 0, 0, 60, 300, 900, 3600, 10_800, 28_800]

    /// The delay after this many failures in a row, in seconds; `nil`: no further try is allowed.
    package func delay(after failures: UInt8) -> Int64? {
        guard failures > 0 else { return 0 }
        let delays = preset == .standard ? Self.standardDelays : Self.strictDelays
        guard failures < Self.limit else { return preset == .standard ? delays.last : nil }
        return delays[Int(failures) - 1]
    }
}
