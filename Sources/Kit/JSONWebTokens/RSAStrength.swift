/// Whether an RSA key is one to rely on.
enum RSAStrength {
    /// 2048 to 8192 bits, both numbers in their shortest form, an odd exponent above 1, and no prime structure of
    /// CVE-2017-15361.
    static func isEnough(modulus: [UInt8], exponent: [UInt8]) -> Bool {
        guard let top = modulus.first, top != 0, let end = modulus.last, end & 1 == 1, modulus.count <= 1024,
            (modulus.count - 1) * 8 + (8 - top.leadingZeroBitCount) >= 2048
        else { return false }
        guard let high = exponent.first, high != 0, let low = exponent.last, low & 1 == 1, exponent.count <= 8,
            exponent != [1]
        else { return false }
        return !hasGeneratorStructure(modulus)
    }

    /// Nemec and others, "The Return of Coppersmith's Attack" (2017), §4: the broken generator's primes are powers of
    /// 65537 modulo all small primes, and so are their products. For another key that holds by chance once in 2^27.
    private static func hasGeneratorStructure(_ modulus: [UInt8]) -> Bool {
        powers.allSatisfy { prime, powers in
            powers.contains(modulus.reduce(0) { ($0 << 8 | Int($1)) % prime })
        }
    }

    private static let powers: [(prime: Int, powers: Set<Int>)] = [
        11, 13, 17, 19, 29, 31, 37, 41, 43, 53, 61, 71, 73, 79, 97, 101, 103, 107, 109, 127, 151, 157,
    ].map { prime in
        var powers: Set<Int> = []
        var next = 1
        while powers.insert(next).inserted { next = next * 65_537 % prime }
        return (prime, powers)
    }
}
