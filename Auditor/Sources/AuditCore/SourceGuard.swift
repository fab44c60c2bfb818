/// Refuses sources that cost the parser exponential or quadratic time, before it sees them.
///
/// A real file of a weight over 6,874 has not been met; 16,384 parse in about half a second. The worker's time limit is the
/// guarantee, this keeps it rare.
package enum SourceGuard {
    /// - Returns: The reason for a refusal, `nil` when the file may be parsed.
    package static func refusal(_ bytes: [UInt8]) -> String? {
        if bytes.count > 2_000_000 { return "TOO-LARGE" }
        var depth = 0
        var weight = 0
        var conditions = 0
        for (index, byte) in bytes.enumerated() {
            switch byte {
            case UInt8(ascii: "["):
                depth += 1
                weight += depth > 14 ? 16_385 : 1 << depth
            case UInt8(ascii: "]"): depth = max(0, depth - 1)
            case UInt8(ascii: "#"):
                if follows("if ", bytes, index + 1) { conditions += 1 }
                if follows("endif", bytes, index + 1) { conditions = max(0, conditions - 1) }
            default: break
            }
            if weight > 16_384 { return "BRACKETS" }
            if conditions > 500 { return "CONDITIONS" }
        }
        return nil
    }

    private static func follows(_ word: StaticString, _ bytes: [UInt8], _ start: Int) -> Bool {
        let text = word.description.utf8
        return start + text.count <= bytes.count && zip(text, bytes[start...]).allSatisfy { $0 == $1 }
    }
}
