#if os(Linux)
import PaviseAttestation
import PaviseCrypto
import PaviseDevice
import PavisePrimitives
import SecurityFramework
import TestSupport
import Testing

/// The verifier against a TPM (swtpm), whose maker's certificate swtpm_localca makes (IN14).
@Suite(.enabled(if: SoftwareTPMMaker.isInstalled, "swtpm-tools is not installed"))
struct SoftwareTPMTests {
    // Each certificate is younger, also the one that a slow machine makes last.
    private static var now: Int64 { TimeSource.system.wallSeconds + 60 }
    private static let nonce = Hash.digest(.sha256, Array("nonce".utf8))
    let maker: SoftwareTPMMaker
    let tpm: SoftwareTPM
    let verifier: TPMQuoteVerifier

    init() throws {
        maker = try SoftwareTPMMaker()
        tpm = try SoftwareTPM(by: maker)
        verifier = TPMQuoteVerifier(roots: [try maker.root()])
    }

    private func attestor(
        of tpm: SoftwareTPM? = nil, verifier: String = "https://id.example.org", log: String? = nil,
        isRestricted: Bool = true
    ) throws -> TPMAttestor {
        let address = try #require(TPMAddress((tpm ?? self.tpm).address))
        return TPMAttestor(address, verifier: verifier, log: log, isRestricted: isRestricted)
    }

    private func enrolment(_ attestor: TPMAttestor) throws -> TPMEnrolment {
        let parts = try attestor.enrolment()
        return TPMEnrolment(
            endorsementKey: parts.endorsementKey,
            certificates: [try #require(parts.certificate), try maker.intermediate()],
            attestationKey: parts.attestationKey)
    }

    private func enrolled(_ attestor: TPMAttestor) throws -> TPMAttestationKey {
        let challenge = try verifier.challenge(for: enrolment(attestor), at: Self.now)
        return try verifier.key(
            from: attestor.activate(challenge.credential, seed: challenge.seed), for: challenge)
    }

    private func evidence(
        _ attestor: TPMAttestor, nonce: [UInt8] = Self.nonce, _ registers: Set<Int> = Set(0...7)
    ) throws -> TPMQuoteEvidence {
        let quote = try attestor.quote(registers, nonce: nonce)
        let log: [UInt8]? = if case .read(let bytes) = quote.eventLog { bytes } else { nil }
        return TPMQuoteEvidence(
            quote: quote.quote, signature: quote.signature, registers: quote.registers, eventLog: log)
    }

    @Test func `IN14: a TPM with its maker's certificate is enrolled, and its quote is taken`() throws {
        let attestor = try attestor()
        let key = try enrolled(attestor)
        let report = try verifier.verify(evidence(attestor), nonce: Self.nonce, by: key)
        #expect(report.registers.count == 8 && report.clock > 0)
        // Nothing is kept on the device: another process has the same key.
        attestor.disconnect()
        #expect(try enrolled(try self.attestor()) == key)
        try tpm.restart()
        let later = try verifier.verify(evidence(try self.attestor()), nonce: Self.nonce, by: key)
        #expect(later.resetCount == report.resetCount + 1 && later.firmwareVersion == report.firmwareVersion)
    }

    @Test func `IN14: an old nonce, another verifier's key and a changed register are refused`() throws {
        let attestor = try attestor()
        let key = try enrolled(attestor)
        let first = try evidence(attestor)
        let values = try verifier.verify(first, nonce: Self.nonce, by: key).registers
        #expect(throws: TPMAttestationFailure.nonce) {
            try verifier.verify(first, nonce: Hash.digest(.sha256, Self.nonce), by: key)
        }
        attestor.disconnect()
        let other = try self.attestor(verifier: "https://other.example.org")
        let foreign = try evidence(other)
        #expect(throws: TPMAttestationFailure.signature) { try verifier.verify(foreign, nonce: Self.nonce, by: key) }
        #expect(try enrolled(other) != key)
        other.disconnect()
        try #require(SoftwareTPM.hasTools, "tpm2-tools is not installed")
        let digest = String(repeating: "ab", count: 32)
        #expect(try tpm.run("tpm2_pcrextend", ["7:sha256=\(digest)"]).status == 0)
        let changed = try evidence(attestor)
        let policy = TPMRegisterPolicy(values: values.mapValues { [$0] })
        _ = try verifier.verify(first, nonce: Self.nonce, by: key, policy)
        #expect(throws: TPMAttestationFailure.value(register: 7)) {
            try verifier.verify(changed, nonce: Self.nonce, by: key, policy)
        }
        // Old values beside a new quote.
        var mixed = changed
        mixed.registers = first.registers
        #expect(throws: TPMAttestationFailure.registers) {
            try verifier.verify(mixed, nonce: Self.nonce, by: key, policy)
        }
    }

    @Test func `IN14: another TPM opens no credential, and neither does the right one for another key`() throws {
        let attestor = try attestor()
        let challenge = try verifier.challenge(for: enrolment(attestor), at: Self.now)
        attestor.disconnect()
        let second = try SoftwareTPM(by: maker)
        let thief = try self.attestor(of: second)
        #expect(throws: DeviceFailure.unknownKey) { try thief.activate(challenge.credential, seed: challenge.seed) }
        let otherKey = try self.attestor(verifier: "https://other.example.org")
        #expect(throws: DeviceFailure.unknownKey) {
            try otherKey.activate(challenge.credential, seed: challenge.seed)
        }
        otherKey.disconnect()
        // The thief's attestation key beside the first TPM's endorsement: enrolled by nobody.
        var mixed = try enrolment(try self.attestor())
        mixed.attestationKey = try thief.enrolment().attestationKey
        let mixture = try verifier.challenge(for: mixed, at: Self.now)
        #expect(throws: DeviceFailure.unknownKey) { try thief.activate(mixture.credential, seed: mixture.seed) }
        #expect(throws: DeviceFailure.unknownKey) {
            try self.attestor().activate(mixture.credential, seed: mixture.seed)
        }
    }

    @Test func `IN14: each byte of a credential counts`() throws {
        let attestor = try attestor()
        let challenge = try verifier.challenge(for: enrolment(attestor), at: Self.now)
        for place in stride(from: 0, to: challenge.credential.count, by: 7) {
            var credential = challenge.credential
            credential[place] ^= 1
            #expect(throws: DeviceFailure.self) { try attestor.activate(credential, seed: challenge.seed) }
        }
        #expect(try attestor.activate(challenge.credential, seed: challenge.seed) == challenge.secret)
    }

    @Test func `IN14: a key of the TPM that signs anything is not enrolled`() throws {
        let free = try attestor(isRestricted: false)
        let enrolment = try enrolment(free)
        #expect(throws: TPMAttestationFailure.attestationKey) { try verifier.challenge(for: enrolment, at: Self.now) }
    }

    @Test func `IN14: a maker that is not on the list, or without the authority between, is not believed`() throws {
        let enrolment = try enrolment(try attestor())
        let stranger = try SoftwareTPMMaker()
        let other = try SoftwareTPM(by: stranger)
        defer { withExtendedLifetime(other) {} }
        let strict = TPMQuoteVerifier(roots: [try stranger.root()])
        #expect(throws: TPMAttestationFailure.untrusted) { try strict.challenge(for: enrolment, at: Self.now) }
        var cut = enrolment
        cut.certificates.removeLast()
        #expect(throws: TPMAttestationFailure.untrusted) { try verifier.challenge(for: cut, at: Self.now) }
    }

    @Test(.enabled(if: SoftwareTPM.hasTools, "tpm2-tools is not installed"))
    func `IN14: an event log that leads to the registers is believed, one that does not is refused`() throws {
        let digests = (1...3).map { Hash.digest(.sha256, [$0]) }
        for digest in digests {
            #expect(try tpm.run("tpm2_pcrextend", ["4:sha256=\(Hex.encode(digest))"]).status == 0)
        }
        let folder = try TemporaryFolder()
        let path = folder.path + "/log"
        func write(_ digests: [[UInt8]]) throws {
            let log = EventLogPen.head() + digests.flatMap { EventLogPen.event(4, digest: $0) }
            try DurableFile.write(log.span, to: path)
        }
        try write(digests)
        let attestor = try attestor(log: path)
        let key = try enrolled(attestor)
        let policy = TPMRegisterPolicy(registers: [4], needsEventLog: true)
        let honest = try evidence(attestor, [4])
        #expect(try verifier.verify(honest, nonce: Self.nonce, by: key, policy).explained == [4])
        try write(digests.reversed())
        let lying = try evidence(attestor, [4])
        #expect(throws: TPMAttestationFailure.eventLog(register: 4)) {
            try verifier.verify(lying, nonce: Self.nonce, by: key, policy)
        }
    }

    @Test func `IN14: an emulator without a log says so, and a P-256 endorsement key opens credentials, too`() throws {
        // A TPM without a certificate: the maker's root cannot be asked, but the sealing can.
        let bare = try SoftwareTPM()
        let attestor = try attestor(of: bare)
        let parts = try attestor.enrolment()
        #expect(parts.certificate == nil)
        // TPMT_PUBLIC of the template L-2 ends with the point.
        let area = parts.endorsementKey
        let point: [UInt8] = [4] + area[(area.count - 66)..<(area.count - 34)] + area.suffix(32)
        let name: [UInt8] = [0x00, 0x0B] + Hash.digest(.sha256, parts.attestationKey)
        let secret = Hash.digest(.sha256, [9])
        let sealed = try CredentialSealing.seal(secret, to: .p256(point: point), tiedTo: name, symmetricBits: 128)
        #expect(try attestor.activate(sealed.credential, seed: sealed.seed) == secret)
        #expect(try attestor.quote([0], nonce: [1]).eventLog == .absent)
        #expect(throws: DeviceFailure.invalidInput) { try attestor.quote([], nonce: [1]) }
        #expect(throws: DeviceFailure.invalidInput) { try attestor.quote([24], nonce: [1]) }
        #expect(throws: DeviceFailure.invalidInput) { try attestor.quote([0], nonce: []) }
        let elsewhere = try self.attestor(of: bare, log: "/dev/zero")
        attestor.disconnect()
        #expect(try elsewhere.quote([0], nonce: [1]).eventLog == .tooLarge)
    }
}
#endif
