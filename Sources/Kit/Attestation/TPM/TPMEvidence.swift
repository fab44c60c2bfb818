/// What a device sends to have its attestation key known.
public struct TPMEnrolment: Hashable, Sendable {
    /// The endorsement key's public area (TPMT_PUBLIC).
    public var endorsementKey: [UInt8]
    /// The endorsement certificate first, then those between it and the maker's root; DER, at most 8.
    public var certificates: [[UInt8]]
    /// The attestation key's public area.
    public var attestationKey: [UInt8]

    /// An enrolment from its parts, as they came.
    public init(endorsementKey: [UInt8], certificates: [[UInt8]], attestationKey: [UInt8]) {
        self.endorsementKey = endorsementKey
        self.certificates = certificates
        self.attestationKey = attestationKey
    }
}

/// A secret that only a TPM with both keys can open (TPM2_ActivateCredential), and which key it is about.
public struct TPMCredentialChallenge: Hashable, Sendable, Codable {
    /// For the device: TPMS_ID_OBJECT, the secret encrypted and tied to the attestation key's name.
    public let credential: [UInt8]
    /// For the device: the seed of that encryption, encrypted to the endorsement key.
    public let seed: [UInt8]
    /// What the device has to send back, 32 bytes. It stays here, and holds once.
    public let secret: [UInt8]
    /// The key that is known once the secret came back.
    let key: TPMAttestationKey
}

extension TPMCredentialChallenge: CustomStringConvertible, CustomReflectable {
    /// Not the secret: who reads it in a log could answer for any device.
    public var description: String { "challenge to a TPM" }
    /// No children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// A key that signs quotes of one TPM: what a server keeps of a device.
public struct TPMAttestationKey: Hashable, Sendable, Codable {
    /// The point of the P-256 key, X9.63: 65 bytes.
    public let point: [UInt8]
    /// The TPM's name for it, 34 bytes.
    public let name: [UInt8]
    /// SHA-256 of the endorsement certificate: the same for all keys of one TPM.
    public let endorsement: [UInt8]
}

/// What a device sends for a quote.
public struct TPMQuoteEvidence: Hashable, Sendable {
    /// What the TPM signed (TPMS_ATTEST).
    public var quote: [UInt8]
    /// Its signature (TPMT_SIGNATURE).
    public var signature: [UInt8]
    /// The registers of the SHA-256 bank, by their numbers.
    public var registers: [Int: [UInt8]]
    /// The firmware's event log, at most 1 MiB; `nil` where the device has none.
    public var eventLog: [UInt8]?

    /// Evidence from its parts, as they came.
    public init(quote: [UInt8], signature: [UInt8], registers: [Int: [UInt8]], eventLog: [UInt8]? = nil) {
        self.quote = quote
        self.signature = signature
        self.registers = registers
        self.eventLog = eventLog
    }
}

/// What is asked of the registers (PCRs).
public struct TPMRegisterPolicy: Hashable, Sendable {
    /// The registers that have to be quoted, no more and no fewer: 0 to 23.
    public var registers: Set<Int>
    /// The values that one of them may have; a register without a list may have any.
    public var values: [Int: Set<[UInt8]>]
    /// Whether the event log has to be there.
    public var needsEventLog: Bool

    /// What is asked. Registers 0 to 7 are the firmware, its settings and Secure Boot.
    public init(
        registers: Set<Int> = Set(0...7), values: [Int: Set<[UInt8]>] = [:], needsEventLog: Bool = false
    ) {
        self.registers = registers
        self.values = values
        self.needsEventLog = needsEventLog
    }
}

/// What a quote says, after it was verified.
public struct TPMQuoteReport: Hashable, Sendable {
    /// The registers that were quoted.
    public let registers: [Int: [UInt8]]
    /// Registers whose values the event log explains; empty without a log.
    public let explained: Set<Int>
    /// How many measurements the event log has.
    public let eventCount: Int
    /// Milliseconds that the TPM was powered.
    public let clock: UInt64
    /// Whether the clock cannot have been set back by a loss of power.
    public let isClockSafe: Bool
    /// How often the machine was started. A TPM tells this and the two below truly for keys of the endorsement
    /// hierarchy alone.
    public let resetCount: UInt32
    /// How often it came back from sleep since.
    public let restartCount: UInt32
    /// The maker's number for the TPM's firmware.
    public let firmwareVersion: UInt64
}
