/// Masks what must not be in a log inside texts: tokens, passwords, e-mail addresses, telephone and account numbers.
///
/// This is the second net: the first is ``LogMessage``, which shows nothing that was not made public. It knows
/// forms, not meanings: a name, a diagnosis or "the password is rosebud" have none. Each mask names its kind.
///
/// ```swift
/// print(Masker().masked("GET /cb?code=4/P7q7W91 by jane@example.org"))   // GET /cb?code=«query» by «email»
/// ```
///
/// One pass without regular expressions: the time is linear in the length of the text, whatever is in it. Masking
/// twice is masking once.
public struct Masker: Sendable {
    private let policy: MaskPolicy
    private let key: LogKey?

    /// A masker of these kinds.
    ///
    /// - Parameters:
    ///   - policy: Which kinds.
    ///   - key: Shows identifiers (addresses, UUIDs) as `«uuid 1a2b3c4d»`, the same digits for the same value, so
    ///   that lines can be put
    ///     together; without a key they are as dark as the others.
    public init(_ policy: MaskPolicy = .standard, key: LogKey? = nil) {
        self.policy = policy
        self.key = key
    }

    /// `text` with its masks.
    public func masked(_ text: String) -> String {
        let bytes = Array(text.utf8)
        let found = find(in: bytes)
        return found.isEmpty ? text : String(decoding: masked(bytes, found), as: UTF8.self)
    }

    /// `bytes` with their masks.
    package func masked(_ bytes: [UInt8]) -> [UInt8] { masked(bytes, find(in: bytes)) }

    /// The beginning of `bytes`, up to a limit, with its masks.
    package func beginning(of bytes: [UInt8], upTo limit: Int) -> [UInt8] {
        masked(LineEncoding.beginning(of: bytes, upTo: end(of: bytes, limit)))
    }

    // A value that the cut would part is told by its whole form and what is behind it: the cut comes before it.
    private func end(of bytes: [UInt8], _ limit: Int) -> Int {
        guard bytes.count > limit else { return limit }
        let parted = find(in: Array(bytes.prefix(limit + 512))).first { $0.start < limit && $0.end >= limit }
        return parted?.start ?? limit
    }

    // A mask can make a value of what was a part of something longer: it is looked for once more, and never without
    // end.
    private func masked(_ bytes: [UInt8], _ found: [MaskedRange]) -> [UInt8] {
        var (bytes, found, rounds) = (bytes, found, 0)
        while !found.isEmpty, rounds < Self.mostRounds {
            bytes = replacing(found, in: bytes)
            found = find(in: bytes)
            rounds += 1
        }
        return bytes
    }

    private static let mostRounds = 4

    /// What would be masked, in the order of the text; no two touch the same byte.
    package func find(in bytes: [UInt8]) -> [MaskedRange] {
        var scanner = MaskScanner(bytes, policy)
        scanner.scan()
        guard scanner.seemsEncoded, let decoded = DecodedLine(bytes) else { return Self.merged(scanner.found) }
        var inner = MaskScanner(decoded.bytes, policy)
        inner.scan()
        let more = inner.found.map {
            MaskedRange(kind: $0.kind, start: decoded.origin[$0.start], end: decoded.origin[$0.end])
        }
        return Self.merged(scanner.found + more)
    }

    private static func merged(_ found: [MaskedRange]) -> [MaskedRange] {
        guard found.count > 1 else { return found }
        var merged: [MaskedRange] = []
        for next in found.sorted(by: { ($0.start, $1.end) < ($1.start, $0.end) }) {
            guard let last = merged.last, next.start < last.end else {
                merged.append(next)
                continue
            }
            guard next.end > last.end else { continue }
            let kind = next.end - next.start > last.end - last.start ? next.kind : last.kind
            merged[merged.count - 1] = MaskedRange(kind: kind, start: last.start, end: next.end)
        }
        return merged
    }

    package func replacing(_ found: [MaskedRange], in bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var done = 0
        for range in found {
            result += bytes[done..<range.start]
            result += [0xC2, 0xAB]
            result += range.kind.rawValue.utf8
            if range.kind.isIdentifier, let key {
                result.append(UInt8(ascii: " "))
                result += key.digits(of: Array(bytes[range.start..<range.end])).utf8
            }
            result += [0xC2, 0xBB]
            done = range.end
        }
        return result + bytes[done...]
    }
}
