public import SecurityFramework

/// A certificate of our own for one server (mutual TLS), with its key in the keychain, in the secure element or in memory.
///
/// ```swift
/// var options = ClientOptions()
/// options.certificates = [try ClientCertificate(persistentReference: reference, for: url.origin)]
/// ```
///
/// It is shown to that host and port alone, only inside a handshake whose server was judged and trusted, and only when the
/// server asks. The key signs where it is: its bytes never come here. A key that asks a person before each use does not fit:
/// the client's own thread would wait for the answer.
public struct ClientCertificate: Sendable {
    /// Why there is none.
    public enum Problem: Error, Hashable, Sendable {
        /// A server without TLS asks for no certificate.
        case noTLS(Origin)
        /// The keychain has no identity under the reference, or refuses it: the status as Security has it, for example -25300.
        case notFound(status: Int32)
    }

    /// The only server that it is for.
    public let origin: Origin
    let identity: SecIdentity
    let intermediates: [SecCertificate]

    /// An identity for the server at `origin`.
    ///
    /// - Parameters:
    ///   - identity: Certificate and key.
    ///   - intermediates: What the server needs between the certificate and its root, nearest first.
    ///   - origin: The only server that it is for.
    public init(
        _ identity: SecIdentity, intermediates: [SecCertificate] = [], for origin: Origin
    ) throws(Problem) {
        guard origin.scheme == .https else { throw .noTLS(origin) }
        self.identity = identity
        self.intermediates = intermediates
        self.origin = origin
    }

    /// The identity that the keychain has under a persistent reference (`kSecReturnPersistentRef`).
    public init(
        persistentReference: [UInt8], intermediates: [SecCertificate] = [], for origin: Origin
    ) throws(Problem) {
        let (status, identity) = IdentityBridge.find(persistentReference: persistentReference)
        guard let identity else { throw .notFound(status: status) }
        try self.init(identity, intermediates: intermediates, for: origin)
    }
}
