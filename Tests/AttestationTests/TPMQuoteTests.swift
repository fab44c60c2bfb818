import Foundation
import PaviseAttestation
import PaviseCrypto
import Testing

@testable import PavisePrimitives

/// Quotes of a TPM 2.0 as a server verifies them (IN14, Documentation/Controls/Integrity.md); those of a TPM are in
/// SoftwareTPMTests.
@Suite struct TPMQuoteTests {
    let pen: TPMPen
    let key: TPMAttestationKey
    init() throws {
        pen = try TPMPen()
        key = try pen.key()
    }

    private func verify(
        _ evidence: TPMQuoteEvidence, nonce: [UInt8] = TPMPen.nonce, _ policy: TPMRegisterPolicy = TPMRegisterPolicy()
    ) throws(TPMAttestationFailure) -> TPMQuoteReport {
        try pen.verifier.verify(evidence, nonce: nonce, by: key, policy)
    }

    private func failure(
        _ policy: TPMRegisterPolicy = TPMRegisterPolicy(), nonce: [UInt8] = TPMPen.nonce,
        _ change: (inout TPMPen.Parts) -> Void
    ) throws -> TPMAttestationFailure {
        let evidence = try pen.evidence(change)
        return try #require(throws: TPMAttestationFailure.self) { try verify(evidence, nonce: nonce, policy) }
    }

    @Test func `IN14: a quote tells registers, starts and firmware`() throws {
        let report = try verify(pen.evidence())
        #expect(report.registers == TPMPen.values(Set(0...7)))
        #expect(report.clock == 123_456 && report.resetCount == 5 && report.restartCount == 6)
        #expect(report.firmwareVersion == 0x0001_0002_0003_0004 && report.isClockSafe)
        #expect(report.explained.isEmpty && report.eventCount == 0)
        #expect(try !verify(pen.evidence { $0.safe = 0 }).isClockSafe)
    }

    @Test func `IN14: another nonce, key, bank, selection or value is refused by its name`() throws {
        #expect(try failure(nonce: Array("another".utf8)) { _ in } == .nonce)
        #expect(try failure(nonce: []) { $0.nonce = [] } == .nonce)
        let stranger = try ECPrivateKey(generating: .p256)
        #expect(try failure { $0.signer = stranger } == .signature)
        #expect(try failure { $0.bank = 0x000C } == .selection)
        #expect(try failure { $0.banks = 2 } == .selection)
        #expect(try failure { $0.registers = Set(0...6) } == .selection)
        #expect(try failure { $0.registers = Set(0...8) } == .selection)
        #expect(try failure { $0.digest = [UInt8](repeating: 0, count: 32) } == .registers)
        #expect(try failure { $0.digest = [1] } == .malformed)
        #expect(try failure { $0.magic = 0xFF54_4348 } == .kind)
        #expect(try failure { $0.kind = 0x8017 } == .kind)
        #expect(try failure { $0.safe = 2 } == .malformed)
        #expect(try failure { $0.tail = [0] } == .malformed)
        let wanted = TPMRegisterPolicy(values: [7: [[UInt8](repeating: 9, count: 32)]])
        #expect(try failure(wanted) { _ in } == .value(register: 7))
        _ = try verify(pen.evidence(), TPMRegisterPolicy(values: [7: [[UInt8](repeating: 7, count: 32)]]))
        #expect(try failure(TPMRegisterPolicy(values: [9: [[]]])) { _ in } == .value(register: 9))
        #expect(try failure(TPMRegisterPolicy(needsEventLog: true)) { _ in } == .eventLog(register: 0))
    }

    @Test func `IN14: registers that were not quoted are refused, and so are fewer, more, shorter`() throws {
        let honest = try pen.evidence()
        for change in [
            { (values: inout [Int: [UInt8]]) in values[3] = [UInt8](repeating: 0, count: 32) },
            { values in values[3] = nil },
            { values in values[8] = values[3] },
            { values in (values[3], values[4]) = (values[4], values[3]) },
            { values in
                values[3] = []
                values[4] = [UInt8](repeating: 3, count: 32) + [UInt8](repeating: 4, count: 32)
            },
        ] as [(inout [Int: [UInt8]]) -> Void] {
            var evidence = honest
            change(&evidence.registers)
            #expect(throws: TPMAttestationFailure.registers) { try verify(evidence) }
        }
    }

    @Test func `IN14: no byte of a quote or its signature can be changed, and nothing left out`() throws {
        let honest = try pen.evidence()
        for place in honest.quote.indices {
            var evidence = honest
            evidence.quote[place] ^= 1
            #expect(throws: TPMAttestationFailure.self, "byte \(place)") { try verify(evidence) }
            evidence.quote = Array(honest.quote[..<place])
            #expect(throws: TPMAttestationFailure.self, "cut at \(place)") { try verify(evidence) }
        }
        for place in honest.signature.indices {
            var evidence = honest
            evidence.signature[place] ^= 1
            #expect(throws: TPMAttestationFailure.self, "byte \(place)") { try verify(evidence) }
            evidence.signature = Array(honest.signature[..<place])
            #expect(throws: TPMAttestationFailure.self, "cut at \(place)") { try verify(evidence) }
        }
        var longer = honest
        longer.signature.append(0)
        #expect(throws: TPMAttestationFailure.malformed) { try verify(longer) }
        longer = honest
        longer.quote = [UInt8](repeating: 0, count: 1_025)
        #expect(throws: TPMAttestationFailure.malformed) { try verify(longer) }
    }

    @Test(
        arguments: [
            0x0004_0472,  // not restricted: it signs what looks like a quote
            0x0001_0472,  // does not sign
            0x0007_0472,  // decrypts as well
            0x0005_0470,  // may leave its TPM
            0x0005_0462,  // may leave its parent
            0x0005_0452,  // was made outside
        ])
    func `IN14: a key that is not bound to quotes is not enrolled`(_ attributes: UInt32) throws {
        let enrolment = try pen.enrolment { $0.attributes = attributes }
        #expect(throws: TPMAttestationFailure.attestationKey) {
            try pen.verifier.challenge(for: enrolment, at: TPMPen.now)
        }
    }

    @Test func `IN14: keys of other forms, and points off the curve, are refused`() throws {
        for (change, expected) in [
            ({ $0.nameHash = 0x0004 }, .malformed), ({ $0.curve = 0x0004 }, .malformed),
            ({ $0.scheme = [0x0010] }, .attestationKey), ({ $0.scheme = [0x0018, 0x0004] }, .malformed),
            ({ $0.symmetric = [0x0006, 128, 0x0043] }, .attestationKey),
            ({ $0.symmetric = [0x0006, 192, 0x0043] }, .malformed), ({ $0.point[40] ^= 1 }, .attestationKey),
        ] as [((inout TPMPen.Area) -> Void, TPMAttestationFailure)] {
            let enrolment = try pen.enrolment(change)
            #expect(throws: expected) { try pen.verifier.challenge(for: enrolment, at: TPMPen.now) }
        }
    }

    @Test func `IN14: no area can be cut or followed by something`() throws {
        let honest = try pen.enrolment()
        for path in [\TPMEnrolment.attestationKey, \.endorsementKey] {
            for count in honest[keyPath: path].indices {
                var enrolment = honest
                enrolment[keyPath: path] = Array(honest[keyPath: path][..<count])
                #expect(throws: TPMAttestationFailure.malformed, "\(count)") {
                    try pen.verifier.challenge(for: enrolment, at: TPMPen.now)
                }
            }
            var enrolment = honest
            enrolment[keyPath: path].append(0)
            #expect(throws: TPMAttestationFailure.malformed) {
                try pen.verifier.challenge(for: enrolment, at: TPMPen.now)
            }
        }
    }

    @Test func `IN14: an endorsement that no maker vouches for is refused`() throws {
        let honest = try pen.enrolment()
        _ = try pen.verifier.challenge(for: honest, at: TPMPen.now)
        let other = TPMQuoteVerifier(roots: [try TPMPen().root])
        #expect(throws: TPMAttestationFailure.untrusted) { try other.challenge(for: honest, at: TPMPen.now) }
        for seconds in [TPMPen.now - 90_000, TPMPen.now + 90_000] {
            #expect(throws: TPMAttestationFailure.untrusted) { try pen.verifier.challenge(for: honest, at: seconds) }
        }
        for purpose in [nil, "1.3.6.1.5.5.7.3.2"] {
            var enrolment = honest
            enrolment.certificates = [try pen.certificate(purpose: purpose)]
            #expect(throws: TPMAttestationFailure.untrusted) {
                try pen.verifier.challenge(for: enrolment, at: TPMPen.now)
            }
        }
        var enrolment = honest
        enrolment.endorsementKey = TPMPen.Area.endorsement(pen.endorsementKey.publicKey.x963).bytes
        #expect(throws: TPMAttestationFailure.endorsementKey) {
            try pen.verifier.challenge(for: enrolment, at: TPMPen.now)
        }
        // The right key under the attributes of another use.
        enrolment.endorsementKey = TPMPen.Area.attestation(Array(pen.certified.spki.suffix(65))).bytes
        #expect(throws: TPMAttestationFailure.endorsementKey) {
            try pen.verifier.challenge(for: enrolment, at: TPMPen.now)
        }
        for certificates in [[], [[1, 2, 3]], Array(repeating: honest.certificates[0], count: 9)] {
            enrolment = honest
            enrolment.certificates = certificates
            #expect(throws: TPMAttestationFailure.malformed) {
                try pen.verifier.challenge(for: enrolment, at: TPMPen.now)
            }
        }
    }

    @Test func `IN14: a credential opens with its own secret alone, which is another each time`() throws {
        let enrolment = try pen.enrolment()
        let one = try pen.verifier.challenge(for: enrolment, at: TPMPen.now)
        let other = try pen.verifier.challenge(for: enrolment, at: TPMPen.now)
        #expect(one.secret != other.secret && one.credential != other.credential && one.seed != other.seed)
        #expect(try pen.verifier.key(from: one.secret, for: one).point == pen.attestationKey.publicKey.x963)
        for wrong in [other.secret, [], Array(one.secret.dropLast()), one.secret + [0]] {
            #expect(throws: TPMAttestationFailure.credential) { try pen.verifier.key(from: wrong, for: one) }
        }
    }

    @Test func `IN14: a challenge does not show its secret, and is kept with it`() throws {
        let challenge = try pen.verifier.challenge(for: pen.enrolment(), at: TPMPen.now)
        var text = "\(challenge) \(String(reflecting: challenge))"
        dump(challenge, to: &text)
        #expect(!text.contains("\(challenge.secret)") && !text.contains("secret"))
        let kept = try JSONDecoder().decode(TPMCredentialChallenge.self, from: JSONEncoder().encode(challenge))
        #expect(kept == challenge)
    }

    @Test func `IN14: a verifier without random bytes says so, and does not blame the device`() throws {
        let dry = Entropy { _ throws(EntropyFailure) in throw EntropyFailure(code: 38) }
        let enrolment = try pen.enrolment()
        #expect(throws: TPMAttestationFailure.unavailable) {
            try pen.verifier.challenge(for: enrolment, at: TPMPen.now, entropy: dry)
        }
        // What is wrong with the device is said first.
        #expect(throws: TPMAttestationFailure.untrusted) {
            try pen.verifier.challenge(for: enrolment, at: TPMPen.now + 90_000, entropy: dry)
        }
        let text = TPMAttestationFailure.unavailable.description
        #expect(text.contains("verifier") && text.contains("nothing about the device"))
    }
}
