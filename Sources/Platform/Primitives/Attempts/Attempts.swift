/// Failures in a row, and from when on the next try is allowed. A value: the clock and the file are elsewhere.
package struct Attempts: Hashable, Sendable {
    /// Failures in a row, the try that is being judged included.
    package private(set) var failures: UInt8 = 0
    /// The running delay in seconds.
    private(set) var delay: Int64 = 0
    /// Milliseconds since the boot named ``boot`` at which the delay ends.
    private(set) var deadline: Int64 = 0
    /// The boot to which ``deadline`` belongs.
    private(set) var boot: [UInt8] = []

    /// Whether the newest failure was counted as the last that its rules allowed: nothing is waited for after it. What
    /// was counted when more were allowed is not, whatever the rules say now.
    package var isLast: Bool { failures > 0 && delay == 0 && boot.isEmpty }

    /// Whether a try may be made.
    package enum Gate: Hashable, Sendable {
        /// It may, once it is counted.
        case open
        /// After so many seconds.
        case wait(seconds: Int64)
        /// The machine was restarted: the running delay begins again. Store the new value first.
        case restarted(Attempts, seconds: Int64)
        /// The limit is reached. Either what follows it is to be done, or nothing is allowed any more.
        case limit
    }

    /// No failure yet.
    package init() {}

    /// What is assumed when the record of the failures is lost or altered: one less than the limit, and the whole delay
    /// from now on.
    package static func unknown(_ rules: some AttemptRules, at now: ClockReading) -> Attempts {
        var attempts = Attempts()
        attempts.failures = max(rules.limit, 2) - 2
        return attempts.counting(rules, at: now)
    }

    /// Decides about a try at `now`.
    package func gate(_ rules: some AttemptRules, at now: ClockReading) -> Gate {
        guard let delay = rules.delay(after: failures) else { return .limit }
        if failures >= rules.limit, rules.endsAtLimit { return .limit }
        guard delay > 0 else { return .open }
        guard boot == Self.name(of: now) else {
            var again = self
            again.begin(delay, at: now)
            return .restarted(again, seconds: delay)
        }
        // A record may not ask for more than its own delay, whatever wrote it.
        let left = min(deadline - now.continuous, delay * 1000)
        return left > 0 ? .wait(seconds: (left + 999) / 1000) : .open
    }

    /// The same with one failure more, and the delay that follows it.
    package func counting(_ rules: some AttemptRules, at now: ClockReading) -> Attempts {
        var counted = self
        counted.failures = min(failures, .max - 1) + 1
        let delay = rules.delay(after: counted.failures)
        counted.begin(delay ?? 0, at: now)
        if delay == nil { counted.boot = [] }
        return counted
    }

    private mutating func begin(_ seconds: Int64, at now: ClockReading) {
        delay = seconds
        deadline = now.continuous + seconds * 1000
        boot = Self.name(of: now)
    }

    // The wall clock has no say in delays after failures: anybody can set it.
    private static func name(of now: ClockReading) -> [UInt8] { Array(now.boot.utf8.prefix(64)) }

    /// The bytes to store, without their tag.
    package var encoded: [UInt8] {
        var writer = ByteWriter()
        writer.raw([1, failures])
        writer.integer(delay)
        writer.integer(deadline)
        writer.block(boot)
        return writer.bytes
    }

    /// Reads what ``encoded`` gave; `nil` for anything else.
    package init?(_ bytes: [UInt8]) {
        var reader = ByteReader(bytes)
        do throws(ByteReader.Truncated) {
            guard try reader.integer(UInt8.self) == 1 else { return nil }
            failures = try reader.integer()
            delay = try reader.integer()
            deadline = try reader.integer()
            boot = try reader.block(limit: 64)
        } catch {
            return nil
        }
        guard reader.isAtEnd, (0...86_400).contains(delay), deadline >= 0, deadline < .max / 2 else { return nil }
    }
}
