/// Changes bytes; the same seed and number give the same change.
struct Mutator {
    private var state: UInt64

    init(seed: UInt64, number: Int) {
        state = seed &* 0x9E37_79B9_7F4A_7C15 ^ UInt64(number) &* 0xD1B5_4A32_D192_ED03
    }

    // SplitMix64.
    private mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// A number from 0 up to, not including, `count`.
    mutating func pick(_ count: Int) -> Int { Int(next() % UInt64(max(1, count))) }

    /// One to four changes of `bytes`: bits, bytes, lengths, pieces of `others` and of itself, cuts.
    mutating func mutated(_ bytes: [UInt8], with others: [[UInt8]]) -> [UInt8] {
        var bytes = bytes
        for _ in 0...pick(4) where !bytes.isEmpty { change(&bytes, others) }
        return bytes
    }

    private mutating func change(_ bytes: inout [UInt8], _ others: [[UInt8]]) {
        let place = pick(bytes.count)
        switch pick(9) {
        case 0, 1: bytes[place] ^= 1 << UInt8(pick(8))
        case 2: bytes[place] = UInt8(pick(256))
        case 3: bytes[place] = [0, 1, 0x7F, 0x80, 0x81, 0x82, 0x84, 0xFF][pick(8)]
        case 4: bytes.removeSubrange(place..<min(bytes.count, place + 1 + pick(16)))
        case 5: bytes.insert(contentsOf: (0...pick(16)).map { _ in UInt8(pick(256)) }, at: place)
        case 6: bytes.removeLast(min(bytes.count - 1, 1 + pick(32)))
        case 7: copy(others[pick(others.count)], into: &bytes, at: place)
        default: copy(bytes, into: &bytes, at: place)
        }
    }

    private mutating func copy(_ source: [UInt8], into bytes: inout [UInt8], at place: Int) {
        guard !source.isEmpty else { return }
        let from = pick(source.count)
        let piece = source[from..<min(source.count, from + 1 + pick(64))]
        bytes.replaceSubrange(place..<min(bytes.count, place + piece.count), with: piece)
    }
}
