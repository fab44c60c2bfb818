/// Labels of other scripts as ASCII (RFC 3492, RFC 5890 §2.3.2.1).
enum Punycode {
    private static let limits = (base: 36, low: 1, high: 26, skew: 38, damp: 700, first: 72)

    /// The A-label of a label in lower case; `nil` for one that would be longer than 63 letters.
    static func encode(_ label: String) -> String? {
        let scalars = label.unicodeScalars.map { Int($0.value) }
        guard scalars.count <= 63 else { return nil }
        var output = scalars.filter { $0 < 0x80 }.map { UInt8($0) }
        let basic = output.count
        if basic > 0 { output.append(UInt8(ascii: "-")) }
        var (handled, delta, bias, next) = (basic, 0, limits.first, 0x80)
        // 63 scalars below 2^21 keep every number here far below 2^63.
        while handled < scalars.count {
            guard let smallest = scalars.filter({ $0 >= next }).min() else { return nil }
            delta += (smallest - next) * (handled + 1)
            next = smallest
            for scalar in scalars {
                if scalar < next { delta += 1 }
                guard scalar == next else { continue }
                append(delta, bias, to: &output)
                bias = adapted(delta, handled + 1, isFirst: handled == basic)
                delta = 0
                handled += 1
            }
            delta += 1
            next += 1
        }
        let text = "xn--" + String(decoding: output, as: UTF8.self)
        return text.utf8.count <= 63 ? text : nil
    }

    // §3.3: a number whose digits tell where it ends.
    private static func append(_ delta: Int, _ bias: Int, to output: inout [UInt8]) {
        var rest = delta
        var place = limits.base
        while true {
            let threshold = min(max(place - bias, limits.low), limits.high)
            guard rest >= threshold else { return output.append(digit(rest)) }
            output.append(digit(threshold + (rest - threshold) % (limits.base - threshold)))
            rest = (rest - threshold) / (limits.base - threshold)
            place += limits.base
        }
    }

    private static func digit(_ value: Int) -> UInt8 { UInt8(value < 26 ? 0x61 + value : 0x30 + value - 26) }

    // §6.1.
    private static func adapted(_ delta: Int, _ count: Int, isFirst: Bool) -> Int {
        var rest = isFirst ? delta / limits.damp : delta / 2
        rest += rest / count
        var bias = 0
        while rest > (limits.base - limits.low) * limits.high / 2 {
            rest /= limits.base - limits.low
            bias += limits.base
        }
        return bias + (limits.base - limits.low + 1) * rest / (rest + limits.skew)
    }
}
