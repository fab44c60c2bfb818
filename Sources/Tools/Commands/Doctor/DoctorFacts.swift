package import PaviseDevice
package import PaviseManaged
package import PavisePrimitives

/// What `pavise doctor` found out, before anything is concluded from it.
package struct DoctorFacts: Sendable {
    /// How the device is.
    package enum DeviceFact: Sendable {
        /// None yet, and nothing that would need one.
        case absent
        /// An erase began and did not end.
        case erasing
        case failed(DeviceFailure)
        case open(DeviceReport)
    }

    /// How the keychain is.
    package enum KeychainFact: Hashable, Sendable {
        case absent
        /// The device does not open, so nobody can say.
        case notAsked
        /// Why it does not open.
        case failed(String)
        /// How many items can be opened or are locked, and how many cannot.
        case items(intact: Int, damaged: Int)
    }

    /// How the administrator's file is.
    package enum RulesFact: Sendable {
        case none
        case used(path: String, unknown: [String])
        case failed(ManagedFile.Failure)
    }

    package var home: String
    /// Why the home is not used; `nil` where it is.
    package var refusal: SystemFailure?
    package var isHomeThere: Bool
    package var files: HomeInspection?
    package var device: DeviceFact
    package var tpm: ElementAvailability
    package var keychain: KeychainFact
    package var parts: [ThirdPartyPart]
    package var rules: RulesFact
    /// Seconds since 1970.
    package var now: Int64
    package var told: [LibraryVariable]
    package var otherPrograms: [String: Int]
    /// Whether the program is a build for developers.
    package var isDebugBuild = false

    package init(
        home: String, refusal: SystemFailure? = nil, isHomeThere: Bool = true, files: HomeInspection? = nil,
        device: DeviceFact = .absent, tpm: ElementAvailability = .absent, keychain: KeychainFact = .absent,
        parts: [ThirdPartyPart] = [], rules: RulesFact = .none, now: Int64, told: [LibraryVariable] = [],
        otherPrograms: [String: Int] = [:]
    ) {
        self.home = home
        self.refusal = refusal
        self.isHomeThere = isHomeThere
        self.files = files
        self.device = device
        self.tpm = tpm
        self.keychain = keychain
        self.parts = parts
        self.rules = rules
        self.now = now
        self.told = told
        self.otherPrograms = otherPrograms
    }
}
