/// Looks for what ``Masker`` masks in a log of any program, piece by piece: a log of any length in the memory of one
/// piece.
///
/// ```swift
/// var scan = LogScan(.standard)
/// scan.take(piece) { finding in print(finding.line, finding.kind) }
/// scan.finish { finding in print(finding.line, finding.kind) }
/// ```
package struct LogScan {
    /// One thing that was found.
    package struct Finding: Hashable, Sendable {
        /// What it is.
        package let kind: MaskKind
        /// The line, from 1 on.
        package let line: Int
    }

    // A line that is longer is looked at in parts, which overlap by as much as the longest value that is told by its
    // form alone.
    private static let part = 65_536
    private static let overlap = 512

    private let masker: Masker
    private var line = 1
    private var rest: [UInt8] = []
    /// Bytes of `rest` that were looked at already.
    private var seen = 0
    private var isInPEM = false
    /// How many bytes were taken.
    package private(set) var count = 0
    /// How many bytes are in memory now.
    package var heldBytes: Int { rest.count }

    /// A scan for the kinds of a policy.
    package init(_ policy: MaskPolicy) { masker = Masker(policy) }

    /// Takes the next piece.
    package mutating func take(_ piece: [UInt8], _ found: (Finding) -> Void) {
        count += piece.count
        var start = 0
        while let end = piece[start...].firstIndex(of: 10) {
            rest += piece[start..<end]
            lookAtLine(isWhole: true, found)
            line += 1
            start = end + 1
        }
        rest += piece[start...]
        if rest.count >= Self.part { lookAtLine(isWhole: false, found) }
    }

    /// Looks at the last line, which may have no line end.
    package mutating func finish(_ found: (Finding) -> Void) {
        if !rest.isEmpty { lookAtLine(isWhole: true, found) }
    }

    private mutating func lookAtLine(isWhole: Bool, _ found: (Finding) -> Void) {
        defer {
            let kept = isWhole ? 0 : min(Self.overlap, rest.count)
            rest.removeFirst(rest.count - kept)
            seen = kept
        }
        if isInPEM {
            // The lines of a block were told with its first one.
            if contains("-----END ") { isInPEM = false }
            return
        }
        // What ends in the part that was looked at already was told.
        for range in masker.find(in: rest) where range.end > seen {
            found(Finding(kind: range.kind, line: line))
            if range.kind == .pem, range.end == rest.count, !contains("-----END ") { isInPEM = true }
        }
    }

    private func contains(_ text: StaticString) -> Bool {
        let wanted = Array(text.description.utf8)
        guard rest.count >= wanted.count else { return false }
        return (0...(rest.count - wanted.count)).contains { start in
            rest[start] == wanted[0] && rest[start..<(start + wanted.count)].elementsEqual(wanted)
        }
    }
}
