internal import PavisePrimitives

/// How many logs must vouch for a certificate: a pure function (RFC 6962, with the numbers of Apple's systems).
package struct TransparencyRule: Sendable {
    /// A timestamp whose signature was checked, and the log that signed it.
    package struct Timestamp: Hashable, Sendable {
        package let log: TransparencyLog
        /// Milliseconds since 1970.
        package let milliseconds: UInt64
        /// Whether it is inside the certificate, and not of the handshake or a status answer.
        package let isEmbedded: Bool

        package init(log: TransparencyLog, milliseconds: UInt64, isEmbedded: Bool) {
            self.log = log
            self.milliseconds = milliseconds
            self.isEmbedded = isEmbedded
        }
    }

    /// First and last second of the certificate, since 1970.
    package let validity: ClosedRange<Int64>
    /// The time to judge at, seconds since 1970.
    package let seconds: Int64

    package init(validity: ClosedRange<Int64>, at seconds: Int64) {
        self.validity = validity
        self.seconds = seconds
    }

    /// Counts the timestamps.
    package func count(_ timestamps: [Timestamp]) -> TransparencyCount {
        let counted = onePerLog(timestamps.filter(isValid))
        let current = Set(counted.filter(\.log.isCurrent).map(\.log.identifier))
        let embedded = counted.filter(\.isEmbedded)
        let firstCurrent = embedded.filter(\.log.isCurrent).map(\.milliseconds).min()
        let qualified = embedded.filter { isQualified($0, firstCurrent: firstCurrent) }
        return TransparencyCount(
            required: required, qualified: qualified.count, current: current.count,
            hasCurrentEmbedded: firstCurrent != nil,
            hasCurrentPresented: counted.contains { !$0.isEmbedded && $0.log.isCurrent },
            operators: Set(qualified.map(\.log.operatorName)).count,
            hasClassic: counted.contains(where: \.log.isClassic))
    }

    /// How many different logs must stand inside the certificate.
    package var required: Int {
        let seconds = validity.upperBound - validity.lowerBound
        guard validity.lowerBound >= Self.spring2021 else { return Self.requiredBefore2021(months: months) }
        if seconds <= 180 * 86_400 { return 2 }
        return seconds <= 825 * 86_400 ? 3 : 4
    }

    static let spring2021: Int64 = 1_618_963_200

    private static func requiredBefore2021(months: Int) -> Int {
        switch months {
        case ..<15: 2
        case ...27: 3
        case ...39: 4
        default: 5
        }
    }

    // Whole months of the calendar.
    private var months: Int {
        let (start, end) = (CivilTime(seconds: validity.lowerBound), CivilTime(seconds: validity.upperBound))
        let isIncomplete = (end.date.day, end.secondOfDay) < (start.date.day, start.secondOfDay)
        return (end.date.year - start.date.year) * 12 + end.date.month - start.date.month - (isIncomplete ? 1 : 0)
    }

    private func isValid(_ timestamp: Timestamp) -> Bool {
        guard timestamp.milliseconds <= UInt64(max(0, seconds)) * 1_000,
            timestamp.log.shard?.contains(validity.upperBound) ?? true
        else { return false }
        switch timestamp.log.state {
        case .current: return true
        case .readOnly(let since): return timestamp.milliseconds <= UInt64(max(0, since)) * 1_000
        case .retired: return timestamp.isEmbedded
        }
    }

    // A log counts once inside and once outside, with its earliest promise.
    private func onePerLog(_ timestamps: [Timestamp]) -> [Timestamp] {
        [true, false].flatMap { isEmbedded in
            let here = timestamps.filter { $0.isEmbedded == isEmbedded }
            return Dictionary(here.map { ($0.log.identifier, $0) }) { $0.milliseconds <= $1.milliseconds ? $0 : $1 }
                .values
        }
    }

    private func isQualified(_ timestamp: Timestamp, firstCurrent: UInt64?) -> Bool {
        guard case .retired(let since) = timestamp.log.state else { return true }
        let end = UInt64(max(0, since)) * 1_000
        return timestamp.milliseconds < end && firstCurrent.map { $0 < end } ?? false
    }
}

/// What was counted, and what would have been enough.
package struct TransparencyCount: Hashable, Sendable {
    /// Different logs that must stand inside the certificate.
    package let required: Int
    /// Different logs inside the certificate that are current or were when they promised.
    package let qualified: Int
    /// Different current logs, inside and outside.
    package let current: Int
    /// Whether a current log stands inside.
    package let hasCurrentEmbedded: Bool
    /// Whether a current log stands outside: in the handshake or in a status answer.
    package let hasCurrentPresented: Bool
    /// Different operators of the logs inside. Apple documents a rule about them; its code has none, and so has this.
    package let operators: Int
    /// Whether a log as in RFC 6962 is among them, which Apple documents as needed; nothing here demands it.
    package let hasClassic: Bool

    /// Whether the logs are enough: one current log outside and two in all, or one current log inside and as many
    /// qualified ones inside as the certificate's lifetime demands.
    package var isEnough: Bool {
        (hasCurrentPresented && current >= 2) || (hasCurrentEmbedded && qualified >= required)
    }
}
