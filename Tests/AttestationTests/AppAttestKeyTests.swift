import PaviseAttestation
import PaviseCrypto
import PavisePrimitives
import PaviseVault
import Testing

/// An app's half of App Attest, with a service of the test's own, against the verifier of an app's server (IN14).
@Suite struct AppAttestKeyTests {
    private struct Played: AppAttestService {
        let pen: AppAttestPen
        var isSupported = true
        var refusal: AppAttestRefusal?

        func makeKey() async throws(AppAttestRefusal) -> String { try kept(Base64.encode(pen.keyID)) }

        func attestation(of id: String, _ hash: [UInt8]) async throws(AppAttestRefusal) -> [UInt8] {
            try kept((try? pen.attestation(hash: hash)) ?? [])
        }

        func assertion(by id: String, _ hash: [UInt8]) async throws(AppAttestRefusal) -> [UInt8] {
            try kept((try? pen.assertion(hash: hash, counter: 1)) ?? [])
        }

        private func kept<Value>(_ value: Value) throws(AppAttestRefusal) -> Value {
            if let refusal { throw refusal }
            return value
        }
    }

    @Test func `IN14: what an app sends is what its server's verifier takes`() async throws {
        let pen = try AppAttestPen()
        let service = Played(pen: pen)
        let (challenge, body) = (Array("challenge".utf8), Array("request".utf8))
        let key = try await AppAttestKey.make(in: service)
        #expect(key.id == Base64.encode(pen.keyID))
        let attested = try pen.verifier.key(
            from: try await key.attestation(over: challenge), named: pen.keyID, challenge: challenge,
            at: AppAttestPen.now)
        // A later run knows the key by its name.
        let assertion = try await AppAttestKey(id: key.id, in: service).assertion(over: body)
        #expect(try pen.verifier.verify(assertion, over: body, by: attested).counter == 1)
        #expect(throws: AppAttestFailure.self) {
            try pen.verifier.verify(assertion, over: challenge, by: attested)
        }
    }

    @Test func `without App Attest there is no key, and a refusal keeps its reason`() async throws {
        #expect(!AppAttestKey.isSupported)
        await #expect(throws: AppAttestRefusal.notSupported) { try await AppAttestKey.make() }
        await #expect(throws: AppAttestRefusal.notSupported) { try await AppAttestKey(id: "a").assertion(over: []) }
        let pen = try AppAttestPen()
        let off = Played(pen: pen, isSupported: false)
        await #expect(throws: AppAttestRefusal.notSupported) { try await AppAttestKey.make(in: off) }
        for refusal in [AppAttestRefusal.keyLost, .serverUnavailable, .failed(code: 2)] {
            let service = Played(pen: pen, refusal: refusal)
            await #expect(throws: refusal) { try await AppAttestKey(id: "a", in: service).attestation(over: [1]) }
        }
    }
}
