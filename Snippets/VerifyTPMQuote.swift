// What an app's server does with a device's TPM: has it open a credential once, then has it quote. For servers on
// Linux.
#if os(Linux)
import PaviseAttestation

/// Enrols a device and judges its first quote. `ask` sends both parts to the device, which answers what its TPM
/// opened.
func judged(
    _ enrolment: TPMEnrolment, _ evidence: TPMQuoteEvidence, nonce: [UInt8], makers: [[UInt8]], now: Int64,
    ask: ([UInt8], [UInt8]) throws -> [UInt8]
) throws -> TPMQuoteReport {
    let verifier = TPMQuoteVerifier(roots: makers)
    let challenge = try verifier.challenge(for: enrolment, at: now)
    let secret = try ask(challenge.credential, challenge.seed)
    let key = try verifier.key(from: secret, for: challenge)
    let report = try verifier.verify(evidence, nonce: nonce, by: key)
    return report
}

do {
    let nothing = TPMEnrolment(endorsementKey: [], certificates: [], attestationKey: [])
    let evidence = TPMQuoteEvidence(quote: [], signature: [], registers: [:])
    _ = try judged(nothing, evidence, nonce: [], makers: [], now: 0) { _, _ in [] }
} catch {
    print(error)  // The bytes are no structure of a TPM 2.0 as it is read here.
}
#endif
