/// Takes DEFLATE apart (RFC 1951), in safe Swift, up to a limit: what an archive claims about sizes is not believed.
package struct Inflate {
    private let bytes: ArraySlice<UInt8>
    private var at: Int
    private var held: UInt32 = 0
    private var bits = 0
    private var result: [UInt8] = []
    private let limit: Int

    /// Unpacks `bytes`; `nil` for what is no DEFLATE, or more than `limit` bytes.
    package static func unpack(_ bytes: ArraySlice<UInt8>, limit: Int) -> [UInt8]? {
        var run = Inflate(bytes, limit)
        return run.unpack() ? run.result : nil
    }

    private init(_ bytes: ArraySlice<UInt8>, _ limit: Int) {
        self.bytes = bytes
        at = bytes.startIndex
        self.limit = limit
    }

    private mutating func unpack() -> Bool {
        while true {
            guard let last = take(1), let kind = take(2) else { return false }
            let isDone: Bool
            switch kind {
            case 0: isDone = stored()
            case 1: isDone = coded(Self.fixedLiterals, Self.fixedDistances)
            case 2:
                guard let (literals, distances) = tables() else { return false }
                isDone = coded(literals, distances)
            default: return false
            }
            guard isDone else { return false }
            if last == 1 { return true }
        }
    }

    private mutating func fill(_ count: Int) -> Bool {
        while bits < count {
            guard at < bytes.endIndex else { return false }
            held |= UInt32(bytes[at]) << UInt32(bits)
            at += 1
            bits += 8
        }
        return true
    }

    private mutating func take(_ count: Int) -> Int? {
        guard count > 0 else { return 0 }
        guard fill(count) else { return nil }
        let value = Int(held & (1 << UInt32(count) - 1))
        held >>= UInt32(count)
        bits -= count
        return value
    }

    // 3.2.4: the length, its complement, the bytes.
    private mutating func stored() -> Bool {
        // A code shorter than the bits that were read for it leaves whole bytes behind: they are the block's.
        at -= bits / 8
        (held, bits) = (0, 0)
        guard at + 4 <= bytes.endIndex else { return false }
        let length = Int(bytes[at]) | Int(bytes[at + 1]) << 8
        let check = Int(bytes[at + 2]) | Int(bytes[at + 3]) << 8
        at += 4
        guard length == ~check & 0xFFFF, at + length <= bytes.endIndex, result.count + length <= limit else {
            return false
        }
        result += bytes[at..<at + length]
        at += length
        return true
    }

    private mutating func coded(_ literals: Codes, _ distances: Codes) -> Bool {
        while true {
            guard let symbol = next(literals) else { return false }
            if symbol < 256 {
                guard result.count < limit else { return false }
                result.append(UInt8(symbol))
                continue
            }
            if symbol == 256 { return true }
            let index = symbol - 257
            guard index < 29, let more = take(Self.lengthBits[index]), let code = next(distances), code < 30,
                let far = take(Self.distanceBits[code])
            else { return false }
            let length = Self.lengths[index] + more
            let distance = Self.distances[code] + far
            guard distance <= result.count, result.count + length <= limit else { return false }
            var from = result.count - distance
            for _ in 0..<length {
                result.append(result[from])
                from += 1
            }
        }
    }

    // The code's bits come with the most significant first (3.1.1).
    private mutating func next(_ codes: Codes) -> Int? {
        if fill(9) || bits > 0 {
            let entry = codes.quick[Int(held & 0x1FF)]
            let length = Int(entry >> 16)
            if length > 0, length <= bits {
                held >>= UInt32(length)
                bits -= length
                return Int(entry & 0xFFFF)
            }
        }
        var code = 0
        var first = 0
        var index = 0
        for length in 1...15 {
            guard let bit = take(1) else { return nil }
            code |= bit
            let count = codes.counts[length]
            if code - count < first { return codes.symbols[index + code - first] }
            index += count
            first = (first + count) << 1
            code <<= 1
        }
        return nil
    }

    // 3.2.7
    private mutating func tables() -> (Codes, Codes)? {
        guard let literalCount = take(5).map({ $0 + 257 }), let distanceCount = take(5).map({ $0 + 1 }),
            let count = take(4).map({ $0 + 4 }), literalCount <= 286, distanceCount <= 30
        else { return nil }
        var lengths = [Int](repeating: 0, count: 19)
        for place in Self.order.prefix(count) {
            guard let length = take(3) else { return nil }
            lengths[place] = length
        }
        guard let codes = Codes(lengths[...]) else { return nil }
        var all: [Int] = []
        while all.count < literalCount + distanceCount {
            guard let symbol = next(codes) else { return nil }
            let (value, times): (Int, Int?)
            switch symbol {
            case 16:
                guard let last = all.last else { return nil }
                (value, times) = (last, take(2).map { $0 + 3 })
            case 17: (value, times) = (0, take(3).map { $0 + 3 })
            case 18: (value, times) = (0, take(7).map { $0 + 11 })
            default: (value, times) = (symbol, 1)
            }
            guard let times, all.count + times <= literalCount + distanceCount else { return nil }
            all += Array(repeating: value, count: times)
        }
        guard all[256] != 0, let literals = Codes(all[..<literalCount]), let distances = Codes(all[literalCount...])
        else {
            return nil
        }
        return (literals, distances)
    }

    /// The codes of an alphabet by their lengths (3.2.2).
    fileprivate struct Codes {
        var counts = [Int](repeating: 0, count: 16)
        var symbols: [Int]
        /// What nine bits begin with: the length in the upper half, the symbol in the lower; 0 for longer codes.
        var quick = [UInt32](repeating: 0, count: 512)

        init?(_ lengths: ArraySlice<Int>) {
            for length in lengths { counts[length] += 1 }
            counts[0] = 0
            var left = 1
            for length in 1...15 {
                left = left << 1 - counts[length]
                guard left >= 0 else { return nil }
            }
            var offsets = [Int](repeating: 0, count: 16)
            for length in 1..<15 { offsets[length + 1] = offsets[length] + counts[length] }
            symbols = [Int](repeating: 0, count: lengths.count)
            for (symbol, length) in lengths.enumerated() where length > 0 {
                symbols[offsets[length]] = symbol
                offsets[length] += 1
            }
            var code = 0
            var index = 0
            for length in 1...9 {
                for _ in 0..<counts[length] {
                    var reversed = 0
                    for bit in 0..<length where code >> bit & 1 == 1 { reversed |= 1 << (length - 1 - bit) }
                    for place in stride(from: reversed, to: 512, by: 1 << length) {
                        quick[place] = UInt32(length) << 16 | UInt32(symbols[index])
                    }
                    code += 1
                    index += 1
                }
                code <<= 1
            }
        }
    }

    private static let fixedLiterals =
        Codes(
            (Array(repeating: 8, count: 144) + Array(repeating: 9, count: 112) + Array(repeating: 7, count: 24)
                + Array(repeating: 8, count: 8))[...]) ?? Codes.none
    private static let fixedDistances = Codes(Array(repeating: 5, count: 30)[...]) ?? Codes.none
    private static let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
    private static let lengths = [
        3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227,
        258,
    ]
    private static let lengthBits = [
        0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
    ]
    private static let distances = [
        1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097,
        6145, 8193, 12289, 16385, 24577,
    ]
    private static let distanceBits = [
        0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13,
    ]
}

extension Inflate.Codes {
    // An alphabet without a code: everything read with it is refused.
    fileprivate static var none: Self { Self(empty: ()) }

    fileprivate init(empty: Void) { symbols = [] }
}
