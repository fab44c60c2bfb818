internal import PaviseCrypto
public import PavisePrimitives
internal import Synchronization

/// A certificate authority that exists for one test: a root, optionally an intermediate, and every kind of leaf.
///
/// Nothing is read from or written to a file, so no certificate can go stale in a repository.
///
/// ```swift
/// let authority = try CertificateAuthority()
/// let server = try LabServer.start(try authority.issue()) { request in .text("you asked for \(request.path)") }
/// ```
///
/// Blocks while keys are made: below a millisecond for EC, about a tenth of a second for RSA 2048.
public final class CertificateAuthority: Sendable {
    struct Signer: Sendable {
        let certificate: [UInt8]
        let key: IssuingKey
    }

    /// The root certificate, DER: what a client has to trust.
    public let anchor: [UInt8]
    /// The root certificate as PEM, for a browser or another program.
    public var anchorPEM: String { PEM.text("CERTIFICATE", anchor) }
    /// The root's common name.
    public let name: String

    let root: Signer
    private let intermediate: Mutex<Signer?>
    let clock: TimeSource

    /// Makes an authority.
    ///
    /// - Parameters:
    ///   - name: The root's common name.
    ///   - clock: What "now" means for the validity of everything issued.
    ///   - hasIntermediate: Whether leaves are signed by an intermediate, which servers then send along.
    ///   - key: The kind of the authority's keys.
    public init(
        name: String = "Pavise Lab Root", clock: TimeSource = .system, hasIntermediate: Bool = false,
        key: LeafProfile.Key = .ec256
    ) throws(LabFailure) {
        self.name = name
        self.clock = clock
        let now = clock.wallSeconds
        let root = try LabFailure.translating { () throws(CryptoFailure) in
            let key = try IssuingKey(generating: key.kind)
            let template = try Self.authorityTemplate(name, now: now, pathLength: 1)
            return Signer(
                certificate: try CertificateIssuing.issue(template, for: key, issuer: nil, issuerKey: key), key: key)
        }
        self.root = root
        anchor = root.certificate
        intermediate = Mutex(nil)
        guard hasIntermediate else { return }
        try rotateIntermediate()
    }

    /// What a status service of this authority says about a certificate that it issued (RFC 6960), DER.
    ///
    /// - Parameters:
    ///   - identity: Whose certificate it is about: the server's own. It must be the current intermediate's, or the
    ///     root's.
    ///   - status: What it says.
    ///   - validity: When it holds, as an offset from now.
    ///   - timestamps: Promises of logs laid beside the word, as ``LabLog/list(_:)`` makes it (RFC 6962 §3.3); empty
    ///     for none.
    public func statusAnswer(
        about identity: ServerIdentity, _ status: CertificateStatus, validity: LeafProfile.Validity = .current,
        timestamps: [UInt8] = []
    ) throws(LabFailure) -> [UInt8] {
        let signer = intermediate.withLock { $0 } ?? root
        let (from, to) = validity.seconds(at: clock.wallSeconds)
        return try LabFailure.translating { () throws(CryptoFailure) in
            try OCSPIssuing.answer(
                about: identity.leaf, of: signer.certificate, key: signer.key, isRevoked: status == .revoked,
                from: from, to: to, timestamps: timestamps)
        }
    }

    /// Puts a fresh intermediate between the root and all leaves issued from now on.
    public func rotateIntermediate() throws(LabFailure) {
        let next = try LabFailure.translating { () throws(CryptoFailure) in
            let key = try IssuingKey(generating: root.key.kind)
            let template = try Self.authorityTemplate("\(name) Intermediate", now: clock.wallSeconds, pathLength: 0)
            let certificate = try CertificateIssuing.issue(
                template, for: key, issuer: root.certificate, issuerKey: root.key)
            return Signer(certificate: certificate, key: key)
        }
        intermediate.withLock { $0 = next }
    }

    /// Issues a certificate for a fresh key.
    ///
    /// - Throws: ``LabFailure/cryptography(_:)`` for a profile that OpenSSL cannot express, such as a name that is
    ///   empty.
    public func issue(_ profile: LeafProfile = LeafProfile()) throws(LabFailure) -> ServerIdentity {
        let key = try LabFailure.translating { () throws(CryptoFailure) in
            try IssuingKey(generating: profile.key.kind)
        }
        return try issue(profile, for: key)
    }

    /// Issues another certificate for the key of `identity`: a renewal. The profile's own key kind is not used.
    public func renew(_ identity: ServerIdentity, as profile: LeafProfile = LeafProfile()) throws(LabFailure)
        -> ServerIdentity
    {
        try issue(profile, for: identity.key)
    }

    /// Issues a certificate for a public key (SubjectPublicKeyInfo, DER) whose private half the lab never sees. The
    /// profile's own key kind decides the key usage and nothing more.
    ///
    /// - Returns: DER, the certificate first, without the root.
    public func issue(_ profile: LeafProfile, forPublicKey spki: [UInt8]) throws(LabFailure) -> [[UInt8]] {
        let between = intermediate.withLock { $0 }
        let signer = between ?? root
        let now = clock.wallSeconds
        let leaf = try LabFailure.translating { () throws(CryptoFailure) in
            try CertificateIssuing.issue(
                try profile.template(now: now), forPublicKey: spki, issuer: signer.certificate, issuerKey: signer.key)
        }
        return [leaf] + (between.map { [$0.certificate] } ?? [])
    }

    private func issue(_ profile: LeafProfile, for key: IssuingKey) throws(LabFailure) -> ServerIdentity {
        let between = intermediate.withLock { $0 }
        let signer = between ?? root
        let now = clock.wallSeconds
        let leaf = try LabFailure.translating { () throws(CryptoFailure) in
            try CertificateIssuing.issue(
                try profile.template(now: now), for: key,
                issuer: profile.isSelfSigned ? nil : signer.certificate,
                issuerKey: profile.isSelfSigned ? key : signer.key)
        }
        let rest = profile.isSelfSigned ? [] : between.map { [$0.certificate] } ?? []
        return ServerIdentity(chain: [leaf] + rest, key: key)
    }

    // Ten years around now, so that a test may move its clock far.
    private static func authorityTemplate(
        _ name: String, now: Int64, pathLength: Int
    ) throws(CryptoFailure) -> CertificateTemplate {
        CertificateTemplate(
            subject: name, serial: try SerialNumber.random(), notBefore: now - 5 * 365 * 86_400,
            notAfter: now + 5 * 365 * 86_400, hash: .sha256,
            extensions: [
                .init("basicConstraints", "critical,CA:TRUE,pathlen:\(pathLength)"),
                .init("keyUsage", "critical,keyCertSign,cRLSign"),
                .init("subjectKeyIdentifier", "hash"),
                .init("authorityKeyIdentifier", "keyid"),
            ])
    }
}
