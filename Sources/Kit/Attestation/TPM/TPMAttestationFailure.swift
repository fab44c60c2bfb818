/// Why an enrolment or a quote of a TPM proves nothing. No request is to be served on its word.
public enum TPMAttestationFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The bytes are not a structure of TPM 2.0 that is read here, or something follows it.
    case malformed
    /// The endorsement certificate leads to none of the makers' roots, or was not valid at that time.
    case untrusted
    /// The endorsement key is not the one in its certificate, or is none that can open a credential.
    case endorsementKey
    /// The attestation key could sign what its TPM did not make: it is not restricted, not for signing alone, or may
    /// exist outside its TPM.
    case attestationKey
    /// The device did not open the credential: its TPM does not hold both keys.
    case credential
    /// The structure is no quote, or no TPM made it.
    case kind
    /// Another key made the quote, or its bytes were changed.
    case signature
    /// The quote answers another nonce.
    case nonce
    /// The quote is about other registers or another bank.
    case selection
    /// The registers that were sent are not those that were quoted.
    case registers
    /// The event log does not lead to the register of this number.
    case eventLog(register: Int)
    /// The register of this number has a value that the policy does not have.
    case value(register: Int)
    /// The verifier itself could make no challenge: no random bytes, or a library refused. It says nothing about the
    /// device; let it try again.
    case unavailable

    /// One sentence for a log.
    public var description: String {
        switch self {
        case .malformed: "The bytes are no structure of a TPM 2.0 as it is read here."
        case .untrusted: "The endorsement certificate leads to no maker's root, or was not valid at that time."
        case .endorsementKey: "The endorsement key is not the one in its certificate."
        case .attestationKey: "The attestation key is not bound to quotes of its own TPM."
        case .credential: "The device did not open the credential."
        case .kind: "It is no quote of a TPM."
        case .signature: "The signature is not the attestation key's."
        case .nonce: "It answers another nonce."
        case .selection: "It is about other registers, or another bank."
        case .registers: "The registers are not those that were quoted."
        case .eventLog(let register): "The event log does not lead to register \(register)."
        case .value(let register): "Register \(register) has a value that is not allowed."
        case .unavailable: "The verifier itself could make no challenge. It says nothing about the device."
        }
    }
}
