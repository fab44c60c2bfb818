public import PavisePrimitives
public import PaviseSession
package import PaviseTransport

/// How somebody signs in, where the usual way does not fit.
///
/// ```swift
/// var options = SignInOptions()
/// options.issuer = "https://login.example.org"
/// options.scopes = ["openid", "files.read"]
/// let account = try await security.connect(server, as: "work", clientID: "diary", options: options)
/// ```
public struct SignInOptions: Sendable {
    /// The authority, an https address; `nil` where the server is its own.
    public var issuer: String?
    /// The person's address, `anna@example.org`, where nobody knows the authority: the server of its host is asked for
    /// it (WebFinger, RFC 7033). An authority of another origin than the server is one of ``ReviewedServer/others``, by
    /// the purpose `issuer`, and gets nothing before the person agreed. Not used where ``issuer`` is set, nor for an
    /// account that is there already.
    public var account: String?
    /// What is asked for at the authority.
    public var scopes = ["openid"]
    /// The port on 127.0.0.1 where the browser comes back; 0 takes a free one.
    public var redirectPort: UInt16 = 0
    /// Shows the sign-in page: the system's browser unless another is given.
    public var browser: any Browser = SystemBrowser()
    /// For an app to which the system delivers the answer; `nil` listens on loopback.
    public var receiver: RedirectReceiver?
    /// Whether the tokens are bound to a key of this device (RFC 9449).
    public var binding = DPoPPolicy.automatic
    /// For an authority that demands a confidential client.
    public var clientSecret: SharedSecretBytes?
    /// The client identity that the server and its authority are shown where they ask for a certificate; see
    /// ``AppSecurity/importIdentity(_:passphrase:as:)``. `nil` keeps what the account has. An authority that takes
    /// client certificates is asked at the addresses that it names for them, and may bind the tokens to the certificate
    /// (RFC 8705).
    public var identity: String?
    /// Whether a client is registered for this account alone (RFC 7591).
    public var registersClient = false
    /// Whether a way to sign in may be used that is weaker than one which the server offered before. Ask a person
    /// first.
    public var acceptsWeakerMethod = false
    /// Shows an address and a code instead of opening a browser (RFC 8628); `nil` uses the browser.
    public var showCode: (@Sendable (DevicePrompt) async -> Void)?

    /// Whether the account signs in again by itself, once, where its server wants a stronger or more recent sign-in for
    /// a request (RFC 9470). Without it such a request ends with ``PaviseError/Code/strongerSignInNeeded``.
    public var answersStepUp = true

    /// What the client of this account offers in handshakes, for the program; an app sets `SecurityConfiguration.tls`.
    package var tls: TrustPolicy.TLSProfile?

    /// Whether ``issuer`` is only the word of an account's server.
    var isIssuerFound = false

    /// A refresh token of another library, which takes the place of a sign-in.
    var adopted: SharedSecretBytes?

    /// The usual way.
    public init() {}
}
