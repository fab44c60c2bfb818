/// SplitMix64 (Steele, Lea, Flood 2014): one seed, one sequence (sync/SY20).
struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// True once in `count` times.
    mutating func chance(_ count: Int) -> Bool { Int(next() % UInt64(count)) == 0 }
    mutating func below(_ count: Int) -> Int { Int(next() % UInt64(count)) }
}
