internal import PaviseCrypto

/// How the lab's authority behaves when nothing is broken on purpose.
public struct AuthorityConfiguration: Sendable {
    /// What happens to a refresh token when it is used.
    public enum Rotation: Hashable, Sendable {
        /// It stays valid; the answer repeats it or leaves it out.
        case none(repeatsToken: Bool)
        /// It is replaced; the old one used again revokes the whole family (RFC 9700 §4.14.2).
        case strict
        /// It is replaced; for so many seconds the old one gets the same tokens again, with the time that is left to
        /// them, as long as nobody has used the new one; else as `strict`. Where the access token is over, or the
        /// request names other servers, another one comes beside the same refresh token.
        case grace(seconds: Int64)
        /// It is replaced; the old one is refused, and nothing is revoked.
        case refusing
    }

    /// The form of access tokens.
    public enum AccessTokenForm: Hashable, Sendable {
        /// Random text.
        case opaque
        /// A signed JWT (RFC 9068).
        case jwt
    }

    /// What is demanded of the nonces in proofs of possession (RFC 9449 §8).
    public enum ProofNonces: Hashable, Sendable {
        /// None is wanted.
        case none
        /// One, which stays the same.
        case kept
        /// Each answer brings another one.
        case changing
        /// Whatever is sent, another one is wanted.
        case neverRight
    }

    /// Whether clients may register (RFC 7591), and which.
    public enum Registration: Hashable, Sendable {
        /// No endpoint.
        case none
        /// As they ask.
        case asAsked
        /// Every client gets a secret, whatever it asked for.
        case withSecret
        /// A client that asks for no secret is refused.
        case onlyWithSecret

        var givesSecrets: Bool { self == .withSecret || self == .onlyWithSecret }
    }

    /// Which metadata document names the endpoints for revocation, pushed requests, devices and registration.
    public enum FurtherEndpoints: Hashable, Sendable {
        /// Both do.
        case inBoth
        /// Only that of OAuth (RFC 8414), as one real server does.
        case inMetadata
        /// Only that of OpenID Connect Discovery.
        case inDiscovery

        func areNamed(in document: AuthorityEndpoint) -> Bool {
            switch self {
            case .inBoth: true
            case .inMetadata: document == .metadata
            case .inDiscovery: document == .discovery
            }
        }
    }

    /// When the keys that sign are replaced (OpenID Connect Core §10.1.1).
    public struct KeyRotation: Hashable, Sendable {
        /// Seconds that a key signs.
        public var every: Int64
        /// Seconds that a key is published before it signs: at least as long as clients keep the set without asking.
        public var ahead: Int64
        /// Seconds that a key stays published after it has signed. No id token and no signed access token is good for
        /// longer, so that none outlives its key.
        public var overlap: Int64

        /// A rotation.
        ///
        /// - Parameters:
        ///   - every: At least 1.
        ///   - ahead: At most `every`; half of it unless given.
        ///   - overlap: Not less than 0.
        public init(every: Int64, ahead: Int64? = nil, overlap: Int64) {
            self.every = max(1, every)
            self.ahead = min(max(0, ahead ?? every / 2), self.every)
            self.overlap = max(0, overlap)
        }
    }

    /// The path of the issuer, empty or beginning with `/`.
    public var issuerPath = ""
    /// The host in the issuer: a name or address that leads to loopback and stands in the certificate.
    public var host = "127.0.0.1"
    /// Endpoints that the metadata names at `localhost`: another server, as far as clients know.
    public var elsewhere: Set<AuthorityEndpoint> = []
    /// The one client.
    public var clientID = "pavise-lab"
    /// The client's secret; `nil` makes it a public client.
    public var clientSecret: String?
    /// How the client may show its secret; `nil` leaves the member out of the metadata and takes HTTP Basic.
    public var clientAuthentication: [String]? = ["client_secret_basic"]
    /// A DNS name that the client's certificate has to have, and which authenticates the client in the place of a
    /// secret (RFC 8705 §2.1); needs the second server of
    /// ``LabAuthority/start(_:people:configuration:clock:tls:port:)``.
    public var clientCertificateName: String?
    /// Whether tokens are bound to the certificate that the client showed (RFC 8705 §3).
    public var bindsTokensToCertificates = false
    /// Redirect addresses that are accepted beside every loopback address (RFC 8252 §7.3).
    public var redirects: [String] = []
    /// Names and passwords of people.
    public var users = ["alice": "wonderland"]
    /// All scopes that exist.
    public var scopes = ["openid", "profile", "offline_access", "api"]
    /// What is granted whatever was asked for; `nil` grants what was asked for.
    public var grantedScope: String?
    /// Seconds.
    public var codeLifetime: Int64 = 60
    /// Seconds.
    public var accessTokenLifetime: Int64 = 300
    /// Seconds.
    public var refreshTokenLifetime: Int64 = 1_209_600
    /// Ends a session that was not used for so many seconds: no refresh, and no call with one of its access tokens.
    /// `nil` for no limit.
    public var idleTime: Int64?
    /// Ends a session so many seconds after its sign-in, however much it is used; no token of it lives longer. `nil`
    /// for no limit.
    public var maximumSession: Int64?
    /// Whether the whole session ends with an access token that is revoked, as RFC 7009 §2.1 allows. A refresh token
    /// that is revoked always ends it.
    public var endsSessionWithAccessToken = false
    /// When the keys that sign are replaced; `nil` keeps the first one until ``LabAuthority/rotateKeys(keepsOld:)``.
    public var keyRotation: KeyRotation?
    /// Another number signs with a new key from the next request on. The keys of before stay published unless
    /// ``withdrawsKeys`` says that they go.
    public var keyTurn: Int64 = 0
    /// Whether a new ``keyTurn`` takes back the keys of before, as after a theft.
    public var withdrawsKeys = false
    /// What happens to a refresh token when it is used.
    public var rotation = Rotation.strict
    /// The form of access tokens.
    public var accessTokenForm = AccessTokenForm.opaque
    /// How the answer spells its token type.
    public var tokenType = "Bearer"
    /// Whether an answer says `expires_in`.
    public var tellsLifetime = true
    /// Stands in every token and code, so that a search for it finds each of them.
    public var canary = "canary"
    /// The challenge methods in the metadata; empty leaves the member out.
    public var challengeMethods = ["S256"]
    /// Whether the verifier is checked. `false` is the downgrade of RFC 9700 §4.8.2.
    public var checksVerifier = true
    /// Whether the authorization answer names the issuer (RFC 9207).
    public var namesIssuer = true
    /// Which metadata document names the endpoints that not every authority has.
    public var furtherEndpoints = FurtherEndpoints.inBoth
    /// Whether the metadata has two slashes before each endpoint's name, as one real server does.
    public var doublesSlashes = false
    /// Whether a refresh also gives a new id token.
    public var refreshesIDToken = true
    /// Whether keys and id tokens carry a key identifier.
    public var namesKeys = true
    /// Whether the id token's audience is an array of one.
    public var audienceIsArray = false

    /// Whether the metadata names an endpoint for pushed requests (RFC 9126).
    public var offersPushedRequests = true
    /// Whether the metadata names an endpoint for devices without a browser (RFC 8628).
    public var offersDevices = true
    /// Seconds between two questions of a device.
    public var deviceInterval: Int64 = 5
    /// Whether clients may register, and which.
    public var registration = Registration.asAsked
    /// Whether a registered client can be deleted (RFC 7592).
    public var managesClients = true
    /// Whether the metadata names the page that ends a session.
    public var offersLogout = true
    /// How the metadata says that id tokens are signed. The lab itself signs them with RS256.
    public var tokenAlgorithms = ["RS256"]
    /// Whether id tokens name the session (`sid`).
    public var namesSessions = true
    /// Whether only pushed requests are taken.
    public var demandsPushedRequests = false
    /// Whether tokens are bound to a key that each request proves (RFC 9449). Set ``tokenType`` to `DPoP` as well: an
    /// authority that says `Bearer` all the same is a misbehaviour to test.
    public var demandsProof = false
    /// Whether tokens are bound where a token request brings a proof, and are bearer tokens where it brings none; the
    /// answer's type says which, whatever ``tokenType`` says.
    public var offersProof = false
    /// What is demanded of the nonces in proofs.
    public var proofNonces = ProofNonces.none
    /// Whether a sign-in has to come from an attested device: its pushed request, and the request for its first tokens.
    public var demandsAttestation = false
    /// Certificates (DER) of TPM makers whose devices can be enrolled: roots, and authorities below them.
    public var deviceMakers: [[UInt8]] = []
    /// Apps whose installations can be enrolled with Apple's App Attest.
    public var attestedApps: [AttestedApp] = []
    /// What may vouch for the device of a sign-in where ``demandsAttestation`` is set: either, or one of both alone.
    public var takesAttestations = Set(AttestationKind.allCases)
    /// By how many seconds a proof may be dated later than the authority's own clock. With -1 the authority is one
    /// whose clock is a moment behind and that takes nothing from the future.
    public var proofLead: Int64 = 300
    /// The servers that tokens may be for (RFC 8707): a request for another one is refused, and signed access tokens
    /// name those that were asked for (`aud`).
    public var resources: [String] = []

    /// Whether the metadata names the endpoints for attestations.
    var judgesDevices: Bool { !deviceMakers.isEmpty || !attestedApps.isEmpty }

    /// Whether each scope that is asked for exists.
    func knows(_ scope: String) -> Bool { scope.split(separator: " ").allSatisfy { scopes.contains(String($0)) } }

    /// Whether the metadata lists the algorithms of proofs.
    var bindsTokens: Bool { demandsProof || offersProof }

    /// The defaults: a public client, strict rotation, opaque tokens.
    public init() {}

    /// The certificates (DER) in a text of PEM; none where one of them is unreadable.
    package static func certificates(inPEM text: [UInt8]) -> [[UInt8]] {
        PEM.blocks("CERTIFICATE", in: text) ?? []
    }
}
