package import PavisePrimitives
package import PaviseSession
package import PaviseStorage
package import PaviseTransport

/// Whoever is asked on the way of a sign-in: an app through its options, a person at a terminal. What they do not agree
/// to they throw.
package protocol ConnectPrompts: Sendable {
    /// Looks at a server before anything is sent to it.
    ///
    /// - Parameter purposes: What the sign-in comes to it for; see ``ReviewedServer/Hop``.
    func judge(_ origin: Origin, for purposes: [String]) async throws
    /// The way to sign in is weaker than what the server offered before.
    func accept(_ weaker: WeakerSignIn) async throws
    /// The authority's metadata names servers that neither the person nor the app has named. Each was judged.
    func accept(_ servers: [NamedServer]) async throws
    /// The password; asked for once the server was judged.
    func password() async throws -> SharedSecretBytes
    /// The secret of a confidential client; asked for once every server of the sign-in was judged.
    func clientSecret() async throws -> SharedSecretBytes?
    /// Runs the sign-in itself, which waits for a person.
    func signingIn(
        _ body: @escaping @Sendable () async throws -> SignIn.Success
    ) async throws -> SignIn.Success
}

/// A server that only an authority's metadata names: how a sign-in comes to it.
package struct NamedServer: Hashable, Sendable {
    /// Where.
    package let origin: Origin
    /// What the metadata names it for, for example `token_endpoint`.
    package let purposes: [String]
    /// What it showed in its handshake.
    package let certificate: CertificateSummary?
}

/// A way to sign in that is weaker than another one that the server offered before, or does not answer about
/// (connections C15).
package struct WeakerSignIn: Hashable, Sendable {
    /// Where.
    package let origin: Origin
    /// The way that is there now.
    package let method: ConnectionDescriptor.Method
    /// The better one.
    package let better: ConnectionDescriptor.Method
}

/// Why a connection did not come about, where no other type says it.
package enum ConnectRefusal: Error, Hashable, Sendable {
    /// The address is no https address, and only those are connected to.
    case withoutTLS
    /// The address cannot be used.
    case address(String)
    /// A certificate is refused, and nobody may approve it.
    case certificate(CertificateRefusal, Origin)
    /// A certificate needs a person's word.
    case approvalNeeded(Origin)
    /// The method is weaker than one that the server offered before; whether an administrator lets nobody accept that.
    case weakerMethod(WeakerSignIn, isManaged: Bool)
    /// The server asks for a password and offers nothing better.
    case onlyPassword(Origin)
    /// An administrator allows OpenID Connect alone, and the server or the scopes do not fit.
    case withoutOpenID(Origin, asksForIt: Bool)
    /// There is a connection of this name to another server, or with another method.
    case nameTaken(ConnectionDescriptor)
    /// There is a connection of this name that signs in at another authority.
    case otherIssuer(ConnectionDescriptor)
    /// There is a connection of this name whose client offers something else in handshakes.
    case otherProfile(ConnectionDescriptor)
    /// Servers that only the metadata names need a word, once for each list of them.
    case strangers([NamedServer])
}
