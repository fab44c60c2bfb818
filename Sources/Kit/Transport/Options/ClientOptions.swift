/// Optional features of a client, such as cookies, proxies, HSTS and client certificates. Each is off unless it is
/// given, so that by default nothing is remembered.
///
/// ```swift
/// let client = try HTTPClient(options: ClientOptions(cookies: CookieJar(), proxies: .environment(variables)))
/// ```
public struct ClientOptions: Sendable {
    /// Cookies of this client, in memory; `nil` stores and sends none.
    public var cookies: CookieJar?
    /// Hosts that asked for https only; `nil` neither learns nor applies any.
    public var strictTransport: HSTSStore?
    /// Which requests go through a proxy. Default: none, also when the environment names one. On Apple's systems the
    /// system's settings hold for a request that takes none of these.
    public var proxies: ProxyRules
    /// The most connections to one host at a time. Default 16. This and the next limit hold for each set of demands of
    /// App Transport Security on its own: a client whose configuration has no exceptions has one such set.
    public var connectionsPerHost: Int
    /// The most connections in all. Default 128.
    public var connections: Int
    /// Whether HTTP/2 is offered. Default yes.
    public var offersHTTP2: Bool
    /// Whether compressed bodies are asked for and unpacked. Limits count unpacked bytes. Default no.
    ///
    /// A message that is whole but whose compressed content stops early is taken as it is: libcurl does not notice.
    public var acceptsCompressed: Bool
    /// Told about each mismatch of pins, of sets that only report too. Called on the client's own thread; must not
    /// wait.
    public var pinReports: (@Sendable (PinReport) -> Void)?
    /// Whether answers carry ``HTTPResponse/metrics``. Default no.
    public var isMeasured: Bool

    /// The networks this machine is attached to, for the question whether an address is local. Default: asked of the
    /// system.
    public var localLinks: @Sendable () -> LocalLinks

    /// Certificates of our own for servers that ask for one. Default: none.
    public var certificates: [ClientCertificate]

    /// Options from their parts.
    public init(
        cookies: CookieJar? = nil, strictTransport: HSTSStore? = nil, proxies: ProxyRules = .none,
        connectionsPerHost: Int = 16, connections: Int = 128, offersHTTP2: Bool = true, acceptsCompressed: Bool = false,
        pinReports: (@Sendable (PinReport) -> Void)? = nil, isMeasured: Bool = false,
        localLinks: @escaping @Sendable () -> LocalLinks = { .current }, certificates: [ClientCertificate] = []
    ) {
        self.cookies = cookies
        self.strictTransport = strictTransport
        self.proxies = proxies
        self.connectionsPerHost = connectionsPerHost
        self.connections = connections
        self.offersHTTP2 = offersHTTP2
        self.acceptsCompressed = acceptsCompressed
        self.pinReports = pinReports
        self.isMeasured = isMeasured
        self.localLinks = localLinks
        self.certificates = certificates
    }
}
