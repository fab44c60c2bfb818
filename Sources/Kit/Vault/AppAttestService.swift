/// Why App Attest gave nothing.
public enum AppAttestRefusal: Error, Hashable, Sendable {
    /// This device or system has none.
    case notSupported
    /// The key is gone, or was never attested: make another one and enrol it.
    case keyLost
    /// Apple's server did not answer. Try again later with the same key.
    case serverUnavailable
    /// The system failed, with the number of its `DCError`.
    case failed(code: Int)
}

/// What makes and uses the keys: the system, or a test's own.
package protocol AppAttestService: Sendable {
    /// Whether there are any.
    var isSupported: Bool { get }
    /// Makes a key, and gives its name.
    func makeKey() async throws(AppAttestRefusal) -> String
    /// - Parameter hash: SHA-256 of the challenge.
    func attestation(of id: String, _ hash: [UInt8]) async throws(AppAttestRefusal) -> [UInt8]
    /// - Parameter hash: SHA-256 of what is signed.
    func assertion(by id: String, _ hash: [UInt8]) async throws(AppAttestRefusal) -> [UInt8]
}
