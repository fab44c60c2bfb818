internal import SecurityFramework

/// A key of Apple's App Attest: it proves to an app's own server that a request comes from this app, unchanged, on a
/// device of Apple's. It does not prove that the system is untouched. There is none on Linux.
///
/// ```swift
/// guard AppAttestKey.isSupported else { return nil }
/// let key = try await AppAttestKey.make()
/// try await server.enrol(key.id, key.attestation(over: challenge))  // The server's challenge, good once.
/// return key.id  // Keep it: later requests are signed by AppAttestKey(id:).
/// ```
///
/// `PaviseAttestation` verifies both on the server. The key goes with the app, and does not come back with a backup:
/// then make another one. Apple limits how many keys are attested: let many installations begin over days.
/// https://developer.apple.com/documentation/devicecheck/dcappattestservice
public struct AppAttestKey: Sendable {
    /// The key's name: base64 of SHA-256 of its public half. It is no secret.
    public let id: String
    private let service: (any AppAttestService)?

    /// A key that was made before, by its name.
    public init(id: String) { self.init(id: id, in: PlatformAppAttest.service) }

    package init(id: String, in service: (any AppAttestService)?) {
        self.id = id
        self.service = service
    }

    /// Whether this device has App Attest: not in a simulator, nor on most Macs, nor on Linux.
    public static var isSupported: Bool { PlatformAppAttest.service?.isSupported ?? false }

    /// Makes a key in the Secure Enclave. Asks nobody and sends nothing.
    ///
    /// - Throws: ``AppAttestRefusal``.
    public static func make() async throws(AppAttestRefusal) -> AppAttestKey {
        try await make(in: PlatformAppAttest.service)
    }

    package static func make(in service: (any AppAttestService)?) async throws(AppAttestRefusal) -> AppAttestKey {
        guard let service, service.isSupported else { throw .notSupported }
        return AppAttestKey(id: try await service.makeKey(), in: service)
    }

    /// Apple's word about the key, for the server that gave the challenge. Asks Apple's server; once for each key.
    ///
    /// - Parameter challenge: The server's: at least 16 random bytes, good once.
    /// - Returns: The attestation, CBOR of some kilobytes.
    /// - Throws: ``AppAttestRefusal``.
    public func attestation(over challenge: [UInt8]) async throws(AppAttestRefusal) -> [UInt8] {
        try await supported().attestation(of: id, MessageDigest.sha256(challenge))
    }

    /// A signature over a request, by an attested key. Sends nothing.
    ///
    /// - Parameter body: What the server gets, with a challenge of its own in it: else the request can be sent again.
    /// - Returns: The assertion, CBOR of about 150 bytes, with a counter that rises.
    /// - Throws: ``AppAttestRefusal``.
    public func assertion(over body: [UInt8]) async throws(AppAttestRefusal) -> [UInt8] {
        try await supported().assertion(by: id, MessageDigest.sha256(body))
    }

    private func supported() throws(AppAttestRefusal) -> any AppAttestService {
        guard let service, service.isSupported else { throw .notSupported }
        return service
    }
}
