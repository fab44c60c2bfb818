internal import Foundation
internal import PavisePrimitives

/// What a run of characters looks like.
enum ValueShape: Equatable {
    case webToken
    case emailAddress
    /// Drawn at random: base64, base32 or hexadecimal, with its length.
    case random(kind: String, length: Int)

    /// Characters that a run needs before it counts as random.
    private static let shortest = 20
    /// The same where it has letters of one case and digits alone.
    private static let shortestOfOneCase = 24

    /// The shape of `run`, which has none of the characters that end one; `nil` for ordinary text.
    init?(_ run: ArraySlice<UInt8>) {
        guard run.count >= 6 else { return nil }
        if run.count >= 30, run.starts(with: "eyJ".utf8), Self.isWebToken(run) {
            self = .webToken
            return
        }
        if run.contains(0x40) {
            guard Self.isAddress(run) else { return nil }
            self = .emailAddress
            return
        }
        guard run.count >= Self.shortest, let kind = Self.randomKind(run) else { return nil }
        self = .random(kind: kind, length: run.count)
    }

    /// RFC 7515 §3.1 and RFC 7516 §3.1: three or five parts in base64url, of which the first is an object that names an
    /// algorithm.
    private static func isWebToken(_ run: ArraySlice<UInt8>) -> Bool {
        let parts = run.split(separator: 0x2E, omittingEmptySubsequences: false)
        guard parts.count == 3 || parts.count == 5, parts[0].count <= 8_192 else { return false }
        guard let header = Base64URL.decode(String(decoding: parts[0], as: UTF8.self)) else { return false }
        return (try? JSONValue.parse(header, limit: 8_192))?["alg"]?.string != nil
    }

    /// `local@domain.tld`, and nothing else: one at sign, letters and digits around it, a last label of letters.
    private static func isAddress(_ run: ArraySlice<UInt8>) -> Bool {
        var run = run.drop { !$0.isLetterOrDigit }
        while let last = run.last, last == 0x2E || last == 0x2D { run.removeLast() }
        let parts = run.split(separator: 0x40, omittingEmptySubsequences: false)
        guard parts.count == 2, let first = parts[0].first, first.isLetterOrDigit, parts[0].count <= 64 else {
            return false
        }
        let labels = parts[1].split(separator: 0x2E, omittingEmptySubsequences: false)
        guard labels.count >= 2, let last = labels.last, last.count >= 2, last.allSatisfy({ $0.isUpper || $0.isLower })
        else { return false }
        return labels.allSatisfy { !$0.isEmpty && $0.allSatisfy { $0.isLetterOrDigit || $0 == 0x2D } }
    }

    private static func randomKind(_ run: ArraySlice<UInt8>) -> String? {
        if run.allSatisfy(\.isHexDigit) {
            // Of 16 characters, at most 4 bits; plain numbers and repeated digits have less.
            guard !run.allSatisfy(\.isDigit), bitsPerCharacter(run) >= 3.0 else { return nil }
            return "hexadecimal"
        }
        guard run.allSatisfy({ $0.isLetterOrDigit || $0 == 0x2B || $0 == 0x2F || $0 == 0x2D || $0 == 0x5F }) else {
            return nil
        }
        guard run.contains(where: \.isDigit), run.contains(where: \.isUpper), run.contains(where: \.isLower) else {
            return isBase32(run) ? "base32" : nil
        }
        guard !isPath(run), changes(run) >= 0.35, bitsPerCharacter(run) >= 3.5 else { return nil }
        return "base64"
    }

    /// Letters of one case with digits between them, and nothing else, as in base32 (RFC 4648 §6) and base36. One in
    /// five characters is of another kind than the one before it: 0.3 to 0.4 where they are drawn at random.
    private static func isBase32(_ run: ArraySlice<UInt8>) -> Bool {
        run.count >= shortestOfOneCase && run.allSatisfy(\.isLetterOrDigit) && run.count(where: \.isDigit) >= 3
            && !run.allSatisfy(\.isDigit) && changes(run) >= 0.2 && bitsPerCharacter(run) >= 3.5
    }

    /// Whether the slashes stand as close as in a path of a file system.
    private static func isPath(_ run: ArraySlice<UInt8>) -> Bool {
        let slashes = run.count { $0 == 0x2F }
        return slashes > 0 && run.count / (slashes + 1) < 20
    }

    /// How often the kind of character changes from one to the next: 0.65 in random base64, 0.2 in names of
    /// programmers.
    private static func changes(_ run: ArraySlice<UInt8>) -> Double {
        func kind(_ byte: UInt8) -> Int { byte.isLower ? 0 : byte.isUpper ? 1 : byte.isDigit ? 2 : 3 }
        let count = zip(run, run.dropFirst()).count { kind($0) != kind($1) }
        return Double(count) / Double(run.count - 1)
    }

    /// Shannon's entropy of the characters' frequencies.
    private static func bitsPerCharacter(_ run: ArraySlice<UInt8>) -> Double {
        var counts = [Int](repeating: 0, count: 256)
        for byte in run { counts[Int(byte)] += 1 }
        let total = Double(run.count)
        return counts.reduce(0) { sum, count in
            guard count > 0 else { return sum }
            let share = Double(count) / total
            return sum - share * log2(share)
        }
    }
}
