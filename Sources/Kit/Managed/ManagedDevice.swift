/// What an administrator says about the device and about what runs on it: the section `device`. The rule about hardware
/// takes effect where a device is made or opened, in every program and under every home.
///
/// ```json
/// { "device": { "hardware": "required" } }
/// ```
public struct ManagedDevice: Hashable, Sendable {
    /// Whether a TPM 2.0 has to protect the keys of a home. A home without one is neither made nor opened then.
    public var requiresHardware: Bool

    /// Whether findings about the device close or end every app, as in a release for people, whatever the app says.
    public var enforcesIntegrity: Bool

    /// The oldest version of Pavise that may be used; `nil` where each may.
    public var minimumVersion: PaviseVersion?

    /// No rule, or what is given.
    public init(
        requiresHardware: Bool = false, enforcesIntegrity: Bool = false, minimumVersion: PaviseVersion? = nil
    ) {
        self.requiresHardware = requiresHardware
        self.enforcesIntegrity = enforcesIntegrity
        self.minimumVersion = minimumVersion
    }

    /// Why a version may not be used any more: the version that has to be there; `nil` where it may.
    package func refusal(of version: String) -> PaviseVersion? {
        guard let least = minimumVersion else { return nil }
        guard let own = PaviseVersion(version), own >= least else { return least }
        return nil
    }
}

/// A version of Pavise, `MAJOR.MINOR.PATCH` (semver.org §2), as an administrator names one. The later is the larger.
public struct PaviseVersion: Hashable, Sendable, Comparable, CustomStringConvertible {
    private let numbers: [Int]

    /// Reads three numbers of 1 to 6 digits without leading zeros, with dots between them.
    ///
    /// - Returns: `nil` for any other text.
    public init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { part -> Int? in
            guard (1...6).contains(part.utf8.count), part.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                part == "0" || part.utf8.first != 0x30
            else { return nil }
            return Int(part)
        }
        guard parts.count == 3, numbers.count == 3 else { return nil }
        self.numbers = numbers
    }

    /// Compares number by number: 0.10.0 is later than 0.9.9.
    public static func < (one: Self, other: Self) -> Bool { one.numbers.lexicographicallyPrecedes(other.numbers) }

    /// `MAJOR.MINOR.PATCH`.
    public var description: String { numbers.map(String.init).joined(separator: ".") }
}
