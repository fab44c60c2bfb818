internal import PavisePrimitives

/// Every disguise of every canary, found in one pass over the bytes.
struct CanaryPatterns: Sendable {
    struct Pattern: Sendable {
        let canary: Int
        let form: CanarySearch.Form
        let bytes: [UInt8]
    }

    struct Match: Hashable, Sendable {
        let canary: Int
        let form: CanarySearch.Form
        let offset: Int
    }

    /// The length of the longest pattern: how much two pieces of a file must overlap.
    let longest: Int
    private let patterns: [Pattern]
    private let byStart: [UInt32: [Int]]
    private let mayStart: [Bool]

    /// - Parameter keys: Canaries that are no text; their indices follow those of `canaries`.
    init(_ canaries: [String], keys: [[UInt8]] = []) {
        var patterns: [Pattern] = []
        let all = canaries.map { Self.disguises(of: Array($0.utf8)) + Self.wide($0) } + keys.map(Self.disguises)
        for (index, disguises) in all.enumerated() {
            for (form, bytes) in disguises where bytes.count >= 4 {
                patterns.append(Pattern(canary: index, form: form, bytes: bytes))
            }
        }
        var byStart: [UInt32: [Int]] = [:]
        var mayStart = [Bool](repeating: false, count: 65_536)
        for (index, pattern) in patterns.enumerated() {
            byStart[Self.start(of: pattern.bytes, at: 0), default: []].append(index)
            mayStart[Int(pattern.bytes[0]) << 8 | Int(pattern.bytes[1])] = true
        }
        longest = patterns.map(\.bytes.count).max() ?? 0
        self.patterns = patterns
        self.byStart = byStart
        self.mayStart = mayStart
    }

    /// All places where a pattern begins in `bytes`.
    func matches(in bytes: [UInt8]) -> [Match] {
        guard bytes.count >= 4 else { return [] }
        var found: [Match] = []
        for offset in 0..<bytes.count - 3 where mayStart[Int(bytes[offset]) << 8 | Int(bytes[offset + 1])] {
            for index in byStart[Self.start(of: bytes, at: offset)] ?? [] {
                let pattern = patterns[index]
                guard bytes[offset...].starts(with: pattern.bytes) else { continue }
                found.append(Match(canary: pattern.canary, form: pattern.form, offset: offset))
            }
        }
        return found
    }

    private static func start(of bytes: [UInt8], at offset: Int) -> UInt32 {
        (0..<4).reduce(0) { $0 << 8 | UInt32(bytes[offset + $1]) }
    }

    private static func disguises(of bytes: [UInt8]) -> [(CanarySearch.Form, [UInt8])] {
        let hex = Hex.encode(bytes)
        let plain: [(CanarySearch.Form, [UInt8])] = [
            (.utf8, bytes), (.reversed, bytes.reversed()), (.hexadecimal, Array(hex.utf8)),
            (.upperHexadecimal, Array(hex.uppercased().utf8)),
        ]
        return plain + base64(bytes).map { (.base64, $0) }
    }

    private static func wide(_ text: String) -> [(CanarySearch.Form, [UInt8])] {
        let units = Array(text.utf16)
        return [
            (.utf16LittleEndian, units.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }),
            (.utf16BigEndian, units.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }),
        ]
    }

    // A canary inside a longer encoded text begins at one of three offsets; the letters that it shares with its
    // neighbours are left out.
    private static func base64(_ bytes: [UInt8]) -> Set<[UInt8]> {
        var forms: Set<[UInt8]> = []
        for shift in 0..<3 {
            let shifted = [UInt8](repeating: 0, count: shift) + bytes
            let first = (shift * 8 + 5) / 6
            let last = shifted.count * 8 / 6
            for text in [Base64.encode(shifted), Base64URL.encode(shifted)] {
                forms.insert(Array(Array(text.utf8)[first..<last]))
            }
        }
        return forms.filter { $0.count >= 4 }
    }
}
