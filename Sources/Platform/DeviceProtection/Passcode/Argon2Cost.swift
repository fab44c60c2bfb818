internal import PaviseCrypto
internal import PavisePrimitives

/// The price of one guess at the passcode: what Argon2id (RFC 9106) has to do for it.
package struct Argon2Cost: Hashable, Sendable {
    /// Memory in KiB.
    package let kibibytes: UInt32
    /// Passes over the memory.
    package let passes: UInt32

    /// A price of the caller's choice; a test's is small.
    package init(kibibytes: UInt32, passes: UInt32) {
        self.kibibytes = kibibytes
        self.passes = passes
    }

    /// What a machine is taken to bear at least: 19 MiB, two passes.
    package static let least = Argon2Cost(kibibytes: 19_456, passes: 2)
    /// What a new backup asks: 128 MiB, three passes. Its file is all that somebody needs who tries passphrases.
    package static let ofBackups = Argon2Cost(kibibytes: 131_072, passes: 3)
    // A price that no machine pays is damage, not a price.
    private static let most = Argon2Cost(kibibytes: 1_048_576, passes: 64)

    /// Whether a stored price can be paid.
    var isSensible: Bool {
        (8...Self.most.kibibytes).contains(kibibytes) && (1...Self.most.passes).contains(passes)
    }

    /// The dearer of both, in memory and in passes: a price is never lowered.
    func raised(to other: Argon2Cost) -> Argon2Cost {
        Argon2Cost(kibibytes: max(kibibytes, other.kibibytes), passes: max(passes, other.passes))
    }

    /// Finds the price that takes 80 to 120 ms here: 64 MiB where that is not too much already, and as many passes as
    /// fit.
    ///
    /// - Parameters:
    ///   - wanted: Another time in milliseconds; the price comes within a quarter of it.
    ///   - measure: Gives the milliseconds that a price takes; ``measured(_:)`` but for tests.
    package static func calibrated(
        to wanted: Double = 96, _ measure: (Argon2Cost) -> Double = measured
    ) -> Argon2Cost {
        _ = measure(Argon2Cost(kibibytes: 16_384, passes: 1))
        let unit = max(0.05, measure(Argon2Cost(kibibytes: 16_384, passes: 1)))
        let units = max(1, wanted / unit)
        let passes = min(16, max(1, (units / 4).rounded(.down)))
        var cost = sized(units / passes, UInt32(passes))
        // What grows with the memory is not quite proportional: correct once.
        let time = measure(cost)
        if time < wanted * 0.855 || time > wanted * 1.23 {
            cost = sized(units / passes * wanted / max(1, time), UInt32(passes))
        }
        return cost
    }

    private static func sized(_ units: Double, _ passes: UInt32) -> Argon2Cost {
        let kibibytes = min(Double(262_144), max(Double(least.kibibytes), units * 16_384))
        return Argon2Cost(kibibytes: UInt32(kibibytes) / 1024 * 1024, passes: passes)
    }

    /// The milliseconds of processor time that one derivation takes on this machine; of three, the shortest. A machine
    /// that is busy with other things must not make the price smaller.
    package static func measured(_ cost: Argon2Cost) -> Double {
        let times = (0..<3).map { _ -> Double in
            let start = ProcessorTime.ofThread
            _ = try? cost.stretch([1, 2, 3, 4].span, salt: [UInt8](repeating: 1, count: 16))
            return Double(ProcessorTime.ofThread - start) / 1_000_000
        }
        return times.min() ?? 0
    }

    /// The stretched passcode: Argon2id (RFC 9106) at this cost.
    func stretch(_ passcode: Span<UInt8>, salt: [UInt8]) throws(DeviceFailure) -> SecretBytes {
        guard isSensible, let cost = Argon2id.Cost(kibibytes: kibibytes, passes: passes) else { throw .invalidInput }
        do throws(CryptoFailure) {
            // pavise:ignore CONST-SALT The only constant salt comes from the measurement above.
            return try Argon2id.derive(passcode, salt: salt, cost: cost)
        } catch {
            return try DeviceFailure.reporting { throw error }
        }
    }
}
