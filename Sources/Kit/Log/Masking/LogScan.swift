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
    /// Lines of the block so far. A key or a chain has fewer than the limit; more is no block that only lost its end.
    private var linesOfPEM = 0
    private static let longestPEM = 400
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
            linesOfPEM += 1
            // The lines of a block were told with its first one. What does not look like one has left it.
            isInPEM = !contains("-----END ") && linesOfPEM < Self.longestPEM && looksLikePEM
            if isInPEM || contains("-----END ") { return }
        }
        // What ends in the part that was looked at already was told.
        for range in masker.find(in: rest) where range.end > seen {
            found(Finding(kind: range.kind, line: line))
            if range.kind == .pem, range.end == rest.count, !contains("-----END ") { (isInPEM, linesOfPEM) = (true, 0) }
        }
    }

    // Base64 (RFC 7468 §3); before it the headers of an older form (RFC 1421 §4.6). A line that a log writes otherwise
    // has a space, a bracket or a date.
    private var looksLikePEM: Bool {
        let text = rest.last == 13 ? rest.dropLast() : rest[...]
        if text.allSatisfy(Self.isBase64) { return text.count <= 76 }
        return linesOfPEM <= 3 && (text.starts(with: "Proc-Type: ".utf8) || text.starts(with: "DEK-Info: ".utf8))
    }

    private static func isBase64(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2B, 0x2F, 0x3D: true
        default: false
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
