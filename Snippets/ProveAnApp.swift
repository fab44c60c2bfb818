// What an app shows its own server with App Attest: its key once, then a proof with each request.
import PaviseVault

/// The app's server.
struct Server: Sendable {
    func enrol(_ id: String, _ attestation: [UInt8]) async throws {}
}

/// Returns the key's name; `nil` where the device has no App Attest.
func enrol(at server: Server, challenge: [UInt8]) async throws -> String? {
    guard AppAttestKey.isSupported else { return nil }
    let key = try await AppAttestKey.make()
    try await server.enrol(key.id, key.attestation(over: challenge))  // The server's challenge, good once.
    return key.id  // Keep it: later requests are signed by AppAttestKey(id:).
}

let kept = try await enrol(at: Server(), challenge: Array("from the server".utf8))
if let kept {
    let proof = try await AppAttestKey(id: kept).assertion(over: Array("a request".utf8))
    print(proof.count)
}
