internal import PavisePrimitives
internal import SecurityFramework

/// Verifies what an app's key of Apple's App Attest says, on the app's server: a pure value without network and clock.
///
/// The rules are those of Apple's page “Validating apps that connect to your server”. They prove that an unmodified app
/// of this identifier made the key in a Secure Enclave; they do not prove an untouched system. Keep the challenge of
/// each attestation and take it once; keep each ``AttestedKey`` as it comes back, in one transaction with what the
/// request does, so that no counter is taken twice.
///
/// ```swift
/// let verifier = AppAttestVerifier(application: "A1B2C3D4E5.org.example.diary")
/// var key = try verifier.key(from: attestation, named: keyID, challenge: challenge, at: now)
/// key = try verifier.verify(assertion, over: body, by: key)
/// ```
public struct AppAttestVerifier: Hashable, Sendable {
    /// Where an app runs.
    public enum Environment: String, Hashable, Sendable, Codable, CaseIterable {
        /// From TestFlight, the App Store or an enterprise.
        case production
        /// From Xcode.
        case development

        /// The sixteen bytes in an attestation.
        var identifier: [UInt8] {
            switch self {
            case .production: Array("appattest".utf8) + [UInt8](repeating: 0, count: 7)
            case .development: Array("appattestdevelop".utf8)
            }
        }
    }

    private let applicationHash: [UInt8]
    private let environment: Environment
    private let anchors: [[UInt8]]

    // 1.2.840.113635.100.8.2: a sequence with the nonce under the tag 1.
    private static let nonceExtension = "1.2.840.113635.100.8.2"
    private static let mostCertificates = 8

    /// A verifier for one app.
    ///
    /// - Parameters:
    ///   - application: The team's identifier, a dot, and the bundle's.
    ///   - environment: Which keys are taken; one server takes those of one environment.
    ///   - anchors: Where the certificates have to end (DER); Apple's root but for tests.
    public init(
        application: String, environment: Environment = .production,
        anchors: [[UInt8]] = [AppAttestVerifier.appleRoot]
    ) {
        applicationHash = MessageDigest.of(Array(application.utf8), .sha256)
        self.environment = environment
        self.anchors = anchors
    }

    /// The key that an attestation vouches for.
    ///
    /// - Parameters:
    ///   - attestation: What `attestKey` gave the app, at most 65,536 bytes.
    ///   - keyID: The identifier of the key, 32 bytes; the app has it as base64.
    ///   - challenge: What the server sent for this attestation, whole; the app hashed it once with SHA-256.
    ///   - seconds: The time to judge the certificates at, in seconds since 1970.
    /// - Throws: ``AppAttestFailure``; nothing is to be stored then.
    public func key(
        from attestation: [UInt8], named keyID: [UInt8], challenge: [UInt8], at seconds: Int64
    ) throws(AppAttestFailure) -> AttestedKey {
        try key(from: attestation, named: keyID, clientDataHash: MessageDigest.of(challenge, .sha256), at: seconds)
    }

    /// As ``key(from:named:challenge:at:)``, with what the app gave `attestKey` as it is: in Apple's published example
    /// that is the challenge itself.
    package func key(
        from attestation: [UInt8], named keyID: [UInt8], clientDataHash: [UInt8], at seconds: Int64
    ) throws(AppAttestFailure) -> AttestedKey {
        guard let object = try? CBORValue(attestation), object["fmt"] == .text("apple-appattest"),
            let statement = object["attStmt"], let receipt = statement["receipt"]?.bytes,
            let signed = object["authData"]?.bytes, let data = AuthenticatorData(signed, isAttestation: true)
        else { throw .malformed }
        let leaf = try leaf(of: statement, at: seconds)
        // Apple's steps 2 to 9, in another order; each has to hold.
        let nonce = MessageDigest.of(signed + clientDataHash, .sha256)
        guard leaf.taggedOctets(in: Self.nonceExtension, tag: 1) == nonce else { throw .challenge }
        guard let point = leaf.p256Point else { throw .malformed }
        guard MessageDigest.of(point, .sha256) == keyID, data.keyID == keyID else { throw .key }
        guard data.applicationHash == applicationHash else { throw .application }
        guard data.counter == 0 else { throw .counter }
        guard data.environment == environment.identifier else { throw .environment }
        return AttestedKey(point: point, counter: 0, receipt: receipt)
    }

    /// Whether `key` made an assertion over `clientData`.
    ///
    /// - Parameters:
    ///   - assertion: What `generateAssertion` gave the app, at most 65,536 bytes.
    ///   - clientData: What was signed, whole, with the server's challenge in it; the app hashed it once with SHA-256.
    ///   - key: As it was stored last.
    /// - Returns: The key with its new counter. Store it before the request is served.
    public func verify(
        _ assertion: [UInt8], over clientData: [UInt8], by key: AttestedKey
    ) throws(AppAttestFailure) -> AttestedKey {
        guard let object = try? CBORValue(assertion), let signature = object["signature"]?.bytes,
            let signed = object["authenticatorData"]?.bytes,
            let data = AuthenticatorData(signed, isAttestation: false)
        else { throw .malformed }
        let nonce = MessageDigest.of(signed + MessageDigest.of(clientData, .sha256), .sha256)
        guard let raw = CertificateContent.rawP256Signature(der: signature), let check = key.verification,
            check.isSignature(raw, of: nonce)
        else { throw .signature }
        guard data.applicationHash == applicationHash else { throw .application }
        guard data.counter > key.counter else { throw .counter }
        return AttestedKey(point: key.point, counter: data.counter, receipt: key.receipt)
    }

    private func leaf(of statement: CBORValue, at seconds: Int64) throws(AppAttestFailure) -> CertificateContent {
        guard case .array(let elements)? = statement["x5c"], (1...Self.mostCertificates).contains(elements.count) else {
            throw .malformed
        }
        let chain = elements.compactMap(\.bytes)
        guard chain.count == elements.count, let first = chain.first, let leaf = CertificateContent(der: first) else {
            throw .malformed
        }
        let request = TrustRequest(chain: chain, peer: .attestedKey, at: seconds, anchors: .only(anchors))
        guard ServerTrust.evaluate(request).isTrusted else { throw .untrusted }
        return leaf
    }
}

/// A key in an app's Secure Enclave, and how often it has signed: what a server keeps of an installation.
public struct AttestedKey: Hashable, Sendable, Codable {
    /// The point of the P-256 key, X9.63: 65 bytes.
    public let point: [UInt8]
    /// The counter of the last assertion that was taken; 0 before the first.
    public let counter: UInt32
    /// Apple's receipt, for its server of fraud metrics; not read here.
    public let receipt: [UInt8]

    init(point: [UInt8], counter: UInt32, receipt: [UInt8]) {
        self.point = point
        self.counter = counter
        self.receipt = receipt
    }

    var verification: VerificationKey? {
        guard point.count == 65 else { return nil }
        return VerificationKey(
            x: Array(point[1..<33]), y: Array(point[33...]), .ecdsa(.sha256, bits: 256))
    }
}
