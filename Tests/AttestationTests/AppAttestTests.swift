import PaviseAttestation
import PaviseCrypto
import PavisePrimitives
import SecurityFramework
import Testing

/// Apple's App Attest as a server verifies it (IN14, Documentation/Controls/Integrity.md).
@Suite struct AppAttestTests {
    let pen: AppAttestPen
    private let challenge = Array("challenge of this attestation".utf8)
    init() throws { pen = try AppAttestPen() }

    private func key(
        _ attestation: [UInt8], _ challenge: [UInt8]? = nil, at seconds: Int64 = AppAttestPen.now
    ) throws(AppAttestFailure) -> AttestedKey {
        try pen.verifier.key(
            from: attestation, named: pen.keyID, challenge: challenge ?? self.challenge, at: seconds)
    }

    private func failure(_ attestation: [UInt8], _ challenge: [UInt8]? = nil, at seconds: Int64? = nil) throws
        -> AppAttestFailure
    {
        try #require(throws: AppAttestFailure.self) {
            try key(attestation, challenge, at: seconds ?? AppAttestPen.now)
        }
    }

    @Test func `IN14: an attestation gives its key, and assertions raise its counter`() throws {
        var key = try key(pen.attestation(challenge))
        #expect(key.point == pen.point && key.counter == 0 && key.receipt == [1, 2, 3])
        let body = Array("POST /diary and the challenge".utf8)
        key = try pen.verifier.verify(pen.assertion(over: body, counter: 1), over: body, by: key)
        #expect(key.counter == 1)
        key = try pen.verifier.verify(pen.assertion(over: body, counter: 7), over: body, by: key)
        #expect(key.counter == 7)
        for old: UInt32 in [0, 1, 7] {
            let assertion = try pen.assertion(over: body, counter: old)
            #expect(throws: AppAttestFailure.counter) { try pen.verifier.verify(assertion, over: body, by: key) }
        }
    }

    @Test func `IN14: another challenge, app, environment, key or counter is refused by its name`() throws {
        #expect(try failure(pen.attestation(challenge), Array("another".utf8)) == .challenge)
        #expect(try failure(pen.attestation(challenge) { $0.withoutNonce = true }) == .challenge)
        let other = AppAttestPen.Parts()
        #expect(
            try failure(
                pen.attestation(challenge) {
                    $0.signed = pen.authenticatorData(other)
                    $0.counter = 1
                }) == .challenge)
        #expect(try failure(pen.attestation(challenge) { $0.application = "A1B2C3D4E5.org.example" }) == .application)
        #expect(
            try failure(pen.attestation(challenge) { $0.environment = Array("appattestdevelop".utf8) }) == .environment)
        #expect(try failure(pen.attestation(challenge) { $0.keyID = [UInt8](repeating: 1, count: 32) }) == .key)
        #expect(try failure(pen.attestation(challenge) { $0.counter = 1 }) == .counter)
        #expect(try failure(pen.attestation(challenge) { $0.format = "packed" }) == .malformed)
        let attestation = try pen.attestation(challenge)
        #expect(throws: AppAttestFailure.key) {
            try pen.verifier.key(
                from: attestation, named: [UInt8](repeating: 0, count: 32), challenge: challenge, at: AppAttestPen.now)
        }
    }

    @Test func `IN14: a chain that leads elsewhere, lacks a part, or is of another time is refused`() throws {
        #expect(try failure(pen.attestation(challenge) { $0.isChainCut = true }) == .untrusted)
        #expect(try failure(pen.attestation(challenge), at: AppAttestPen.now + 90_000) == .untrusted)
        #expect(try failure(pen.attestation(challenge), at: AppAttestPen.now - 90_000) == .untrusted)
        let attestation = try pen.attestation(challenge)
        let apples = AppAttestVerifier(application: AppAttestPen.application)
        #expect(throws: AppAttestFailure.untrusted) {
            try apples.key(from: attestation, named: pen.keyID, challenge: challenge, at: AppAttestPen.now)
        }
    }

    @Test func `IN14: a certificate that names a purpose names App Attest's`() throws {
        _ = try key(pen.attestation(challenge) { $0.purpose = "1.2.840.113635.100.4.24" })
        for other in ["1.3.6.1.5.5.7.3.2", "1.2.840.113635.100.4.7", "2.5.29.37.0"] {
            #expect(try failure(pen.attestation(challenge) { $0.purpose = other }) == .untrusted)
        }
    }

    @Test func `IN14: an assertion of another key, app or text is refused`() throws {
        let key = try key(pen.attestation(challenge))
        let body = Array("body".utf8)
        let stranger = try IssuingKey(generating: .ec256)
        let assertions: [([UInt8], AppAttestFailure)] = [
            (try pen.assertion(over: Array("bodz".utf8), counter: 1), .signature),
            (try pen.assertion(over: body, counter: 1, by: stranger), .signature),
            (try pen.assertion(over: body, counter: 1, application: "other"), .application),
            (Pen.map([("signature", Pen.bytes([1])), ("authenticatorData", Pen.bytes([]))]), .malformed),
            ([], .malformed),
        ]
        for (assertion, expected) in assertions {
            #expect(throws: expected) { try pen.verifier.verify(assertion, over: body, by: key) }
        }
    }

    @Test func `IN14: no byte of an attestation can be changed and nothing left out`() throws {
        let whole = try pen.attestation(challenge)
        _ = try key(whole)
        // What follows the key's identifier in the authenticator data is signed; the receipt alone is not, as Apple's
        // form has it.
        let receipt = try #require(whole.indices.dropLast(3).first { Array(whole[$0..<$0 + 3]) == [1, 2, 3] })
        for place in whole.indices where !(receipt..<receipt + 3).contains(place) {
            var changed = whole
            changed[place] ^= 1
            #expect(throws: AppAttestFailure.self, "byte \(place)") { try key(changed) }
        }
        for count in stride(from: 0, to: whole.count, by: 13) {
            #expect(throws: AppAttestFailure.self) { try key(Array(whole[..<count])) }
        }
        #expect(throws: AppAttestFailure.self) { try key(whole + [0]) }
    }

    @Test func `IN14: the root is the one that Apple publishes`() {
        #expect(
            Hex.encode(Hash.digest(.sha256, AppAttestVerifier.appleRoot))
                == "1cb9823ba28ba6ad2d33a006941de2ae4f513ef1d4e831b9f7e0fa7b6242c932")
        let root = AppAttestVerifier.appleRoot
        let request = TrustRequest(chain: [root], peer: .attestedKey, at: 1_790_000_000, anchors: .only([root]))
        #expect(ServerTrust.evaluate(request).path == [root])
    }
}
