package import PavisePrimitives
internal import SecurityFramework

/// Verifies what a TPM 2.0 says of its machine, on an app's server: a pure value without network, clock and TPM.
///
/// A device is enrolled once: ``challenge(for:at:)`` seals a secret to the TPM whose certificate a maker's root vouches
/// for, and ``key(from:for:)`` takes what the TPM opened. Each quote then answers a nonce of its own. Keep a nonce
/// until it was used once, and no longer than a minute.
///
/// ```swift
/// let verifier = TPMQuoteVerifier(roots: makers)
/// let challenge = try verifier.challenge(for: enrolment, at: now)
/// let secret = try ask(challenge.credential, challenge.seed)
/// let key = try verifier.key(from: secret, for: challenge)
/// let report = try verifier.verify(evidence, nonce: nonce, by: key)
/// ```
///
/// It proves which firmware, settings and boot loader were measured, and on which TPM. It does not prove that the
/// system that was started is untouched, nor that the request comes from that machine alone.
public struct TPMQuoteVerifier: Hashable, Sendable {
    private let roots: [[UInt8]]
    private let intermediates: [[UInt8]]
    private static let mostCertificates = 8

    /// A verifier for the TPMs of these makers.
    ///
    /// - Parameters:
    ///   - roots: Where endorsement certificates have to end (DER). There is no list of all makers: an app's server
    ///     names those whose machines it serves.
    ///   - intermediates: Makers' authorities below the roots (DER): a TPM holds its own certificate alone.
    public init(roots: [[UInt8]], intermediates: [[UInt8]] = []) {
        self.roots = roots
        self.intermediates = intermediates
    }

    /// A secret for a device that wants its attestation key known (TPM2_MakeCredential, TPM 2.0 part 1, §24).
    ///
    /// - Parameters:
    ///   - enrolment: What the device sent.
    ///   - seconds: The time to judge the certificates at, in seconds since 1970.
    /// - Throws: ``TPMAttestationFailure``; nothing is to be sent back then.
    public func challenge(
        for enrolment: TPMEnrolment, at seconds: Int64
    ) throws(TPMAttestationFailure) -> TPMCredentialChallenge {
        try challenge(for: enrolment, at: seconds, entropy: .kernel)
    }

    /// As ``challenge(for:at:)``, with random bytes of the caller's.
    package func challenge(
        for enrolment: TPMEnrolment, at seconds: Int64, entropy: Entropy
    ) throws(TPMAttestationFailure) -> TPMCredentialChallenge {
        let endorsement = try TPMPublicArea(enrolment.endorsementKey)
        let attestation = try TPMPublicArea(enrolment.attestationKey)
        guard attestation.isForQuotes, case .p256(let x, let y) = attestation.key else { throw .attestationKey }
        let point = [4] + x + y
        guard Self.verification(of: point) != nil else { throw .attestationKey }
        let certificate = try certificate(of: enrolment, at: seconds)
        guard endorsement.isForCredentials, let bits = endorsement.symmetricBits,
            Self.isKey(endorsement.key, of: certificate)
        else { throw .endorsementKey }
        let recipient: CredentialSealing.Recipient =
            switch endorsement.key {
            case .rsa(let modulus, let exponent): .rsa(modulus: modulus, exponent: exponent)
            case .p256(let x, let y): .p256(point: [4] + x + y)
            }
        guard let secret = try? entropy.bytes(32) else { throw .unavailable }
        let sealed: (credential: [UInt8], seed: [UInt8])
        do throws(CredentialSealing.Failure) {
            sealed = try CredentialSealing.seal(
                secret, to: recipient, tiedTo: attestation.name, symmetricBits: bits, entropy: entropy)
        } catch {
            throw error == .input ? .endorsementKey : .unavailable
        }
        return TPMCredentialChallenge(
            credential: sealed.credential, seed: sealed.seed, secret: secret,
            key: TPMAttestationKey(
                point: point, name: attestation.name,
                endorsement: MessageDigest.of(enrolment.certificates[0], .sha256)))
    }

    /// The key that a challenge was about, after the device opened it.
    ///
    /// - Parameters:
    ///   - secret: What the device sent back.
    ///   - challenge: The challenge that it was sent.
    /// - Throws: ``TPMAttestationFailure/credential`` when it is another secret.
    public func key(
        from secret: [UInt8], for challenge: TPMCredentialChallenge
    ) throws(TPMAttestationFailure) -> TPMAttestationKey {
        guard challenge.secret.count == 32, ConstantTime.equal(secret.span, challenge.secret.span) else {
            throw .credential
        }
        return challenge.key
    }

    /// What a quote by `key` says.
    ///
    /// - Parameters:
    ///   - evidence: What the device sent.
    ///   - nonce: What was sent for this quote; at most 64 bytes.
    ///   - key: As it was kept.
    ///   - policy: What is asked of the registers.
    public func verify(
        _ evidence: TPMQuoteEvidence, nonce: [UInt8], by key: TPMAttestationKey,
        _ policy: TPMRegisterPolicy = TPMRegisterPolicy()
    ) throws(TPMAttestationFailure) -> TPMQuoteReport {
        let quote = try TPMQuote(evidence.quote)
        let signature = try TPMQuote.signature(evidence.signature)
        guard let check = Self.verification(of: key.point), check.isSignature(signature, of: evidence.quote) else {
            throw .signature
        }
        guard !nonce.isEmpty, quote.nonce == nonce else { throw .nonce }
        guard Set(quote.registers) == policy.registers else { throw .selection }
        guard Set(evidence.registers.keys) == policy.registers,
            evidence.registers.values.allSatisfy({ $0.count == 32 }),
            MessageDigest.of(quote.registers.flatMap { evidence.registers[$0] ?? [] }, .sha256) == quote.digest
        else { throw .registers }
        let log: TPMEventLog? = if let bytes = evidence.eventLog { try TPMEventLog(bytes) } else { nil }
        let explained = try Self.explained(evidence.registers, by: log, policy)
        for (register, allowed) in policy.values.sorted(by: { $0.key < $1.key }) {
            guard let value = evidence.registers[register], allowed.contains(value) else {
                throw .value(register: register)
            }
        }
        return TPMQuoteReport(
            registers: evidence.registers, explained: explained, eventCount: log?.events.count ?? 0,
            clock: quote.clock, isClockSafe: quote.isClockSafe, resetCount: quote.resetCount,
            restartCount: quote.restartCount, firmwareVersion: quote.firmwareVersion)
    }

    // A log that is there has to be true for every quoted register that it speaks of.
    private static func explained(
        _ registers: [Int: [UInt8]], by log: TPMEventLog?, _ policy: TPMRegisterPolicy
    ) throws(TPMAttestationFailure) -> Set<Int> {
        guard let log else {
            guard !policy.needsEventLog else { throw .eventLog(register: policy.registers.min() ?? 0) }
            return []
        }
        let replayed = log.replayed()
        for (register, value) in replayed.sorted(by: { $0.key < $1.key }) {
            guard let quoted = registers[register] else { continue }
            guard quoted == value else { throw .eventLog(register: register) }
        }
        return Set(replayed.keys).intersection(registers.keys)
    }

    private func certificate(
        of enrolment: TPMEnrolment, at seconds: Int64
    ) throws(TPMAttestationFailure) -> CertificateContent {
        let chain = enrolment.certificates
        guard (1...Self.mostCertificates).contains(chain.count), let leaf = CertificateContent(der: chain[0]) else {
            throw .malformed
        }
        let request = TrustRequest(
            chain: chain + intermediates, peer: .endorsementKey, at: seconds, anchors: .only(roots))
        guard ServerTrust.evaluate(request).isTrusted else { throw .untrusted }
        return leaf
    }

    private static func isKey(_ key: TPMPublicArea.Key, of certificate: CertificateContent) -> Bool {
        switch key {
        case .rsa(let modulus, let exponent):
            certificate.rsaKey.map { $0.modulus == modulus && $0.exponent == exponent } ?? false
        case .p256(let x, let y): certificate.p256Point == [4] + x + y
        }
    }

    private static func verification(of point: [UInt8]) -> VerificationKey? {
        guard point.count == 65 else { return nil }
        return VerificationKey(x: Array(point[1..<33]), y: Array(point[33...]), .ecdsa(.sha256, bits: 256))
    }
}
