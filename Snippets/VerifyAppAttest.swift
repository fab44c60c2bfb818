// What an app's server does with an attestation of App Attest, and with each request after it. For servers on Linux.
#if os(Linux)
import PaviseAttestation

/// Returns the key with its new counter: store it before the request is served.
func served(
    attestation: [UInt8], keyID: [UInt8], challenge: [UInt8], assertion: [UInt8], body: [UInt8], now: Int64
) throws -> AttestedKey {
    let verifier = AppAttestVerifier(application: "A1B2C3D4E5.org.example.diary")
    var key = try verifier.key(from: attestation, named: keyID, challenge: challenge, at: now)
    key = try verifier.verify(assertion, over: body, by: key)
    return key
}

do {
    _ = try served(attestation: [], keyID: [], challenge: [], assertion: [], body: [], now: 0)
} catch {
    print(error)  // The bytes are no attestation or assertion of App Attest.
}
#endif
