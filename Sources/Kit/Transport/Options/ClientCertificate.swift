public import SecurityFramework

/// A certificate of our own for one server (mutual TLS), with its key in the keychain, in the secure element or in
/// memory.
///
/// ```swift
/// var options = ClientOptions()
/// options.certificates = [try ClientCertificate(persistentReference: reference, for: url.origin)]
/// ```
///
/// It is shown to that host and port alone, only inside a handshake whose server was judged and trusted, and only when
/// the server asks. The key signs where it is: its bytes never come here. A client with a key in the secure element has
/// a network thread of its own, so that others do not wait for the element. A key that asks a person before each use is
/// refused.
public struct ClientCertificate: Sendable {
    /// Why there is none.
    public enum Problem: Error, Hashable, Sendable {
        /// A server without TLS asks for no certificate.
        case noTLS(Origin)
        /// The keychain has no identity under the reference, or refuses it: the status as Security has it, for example
        /// -25300.
        case notFound(status: Int32)
        /// The key asks a person before each use, in the middle of a handshake, whose server does not wait. Use one
        /// without user presence.
        case asksPerson
        /// The app keeps no identity of this name.
        case unknownName(String)
        /// A name is 1 to 64 ASCII letters, digits and `-._`, with no dot or hyphen in front.
        case unusableName(String)
        /// The subject of a request is 1 to 64 characters, none of them a control character.
        case unusableSubject(String)
        /// The file holds no key with its certificate, or cannot be read.
        case unreadableFile
        /// The passphrase of the file is wrong, or the file was changed.
        case wrongPassphrase
        /// No request for a certificate waits under this name.
        case notRequested(String)
        /// The certificate is for another key than the one that the request was for.
        case otherKey
        /// The certificate is not valid at this time.
        case notValid
        /// The key is not in the keychain any more, or not the certificate's. Make the identity anew.
        case keyLost(String)
        /// Another process is changing the identities. Try again.
        case busy
        /// The list of identities is damaged. Nothing of it is used.
        case damaged
        /// A later version of the app wrote the list of identities. Update; nothing was changed.
        case newer
        /// There are as many identities as may be.
        case tooMany(limit: Int)
    }

    /// The only server that it is for.
    public let origin: Origin
    private let shared: SharedIdentity
    var identity: SecIdentity { shared.identity }
    var intermediates: [SecCertificate] { shared.intermediates }

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
        guard IdentityBridge.signing(of: identity) != .asksPerson else { throw .asksPerson }
        shared = SharedIdentity(identity, intermediates: intermediates)
        self.origin = origin
    }

    /// Whether its signature may take its time.
    var isSlow: Bool { IdentityBridge.signing(of: identity) == .elsewhere }

    /// The identity that the keychain has under a persistent reference (`kSecReturnPersistentRef`).
    public init(
        persistentReference: [UInt8], intermediates: [SecCertificate] = [], for origin: Origin
    ) throws(Problem) {
        let (status, identity) = IdentityBridge.find(persistentReference: persistentReference)
        guard let identity else { throw .notFound(status: status) }
        try self.init(identity, intermediates: intermediates, for: origin)
    }
}
