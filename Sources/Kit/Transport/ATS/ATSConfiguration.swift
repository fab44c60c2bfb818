/// What an app's `NSAppTransportSecurity` dictionary says. `nil` is an absent key, which is not the same as `false`.
///
/// ```swift
/// var configuration = ATSConfiguration()
/// configuration.exceptions["files.example.org"] = ATSException(minimumTLSVersion: .tls11)
/// let decision = ATSDecision(url.origin, isDirect: false, configuration: configuration)
/// ```
public struct ATSConfiguration: Hashable, Sendable {
    /// NSAllowsArbitraryLoads.
    public var arbitraryLoads: Bool?
    /// NSAllowsArbitraryLoadsForMedia.
    public var media: Bool?
    /// NSAllowsArbitraryLoadsInWebContent.
    public var webContent: Bool?
    /// NSAllowsLocalNetworking.
    public var localNetworking: Bool?
    /// NSExceptionDomains: host name, address or address range → entry. Keys are compared byte for byte.
    public var exceptions: [String: ATSException] {
        didSet { table = ATSExceptionTable(exceptions) }
    }
    private(set) var table: ATSExceptionTable

    /// A configuration from its keys.
    public init(
        arbitraryLoads: Bool? = nil, media: Bool? = nil, webContent: Bool? = nil, localNetworking: Bool? = nil,
        exceptions: [String: ATSException] = [:]
    ) {
        self.arbitraryLoads = arbitraryLoads
        self.media = media
        self.webContent = webContent
        self.localNetworking = localNetworking
        self.exceptions = exceptions
        table = ATSExceptionTable(exceptions)
    }

    /// No key at all: an app's Info.plist without an ATS dictionary. Plain http to loopback is then allowed.
    public static let absent = ATSConfiguration()

    /// What Pavise's own client uses: no plain http anywhere, loopback included.
    public static let strict = ATSConfiguration(localNetworking: false)

    /// The entries that Apple's systems add to every app's own: its own servers and its map partner's.
    ///
    /// Off unless asked for: an app of ours has no business with an exception for somebody else's servers.
    public static let builtInExceptions: [String: ATSException] = {
        func entry(_ version: ATSVersion) -> ATSException {
            ATSException(
                includesSubdomains: true, allowsInsecureHTTPLoads: true, requiresForwardSecrecy: false,
                minimumTLSVersion: version)
        }
        return [
            "apple.com": entry(.tls12), "setup.icloud.com": entry(.tls12), "ls.apple.com": entry(.tls10),
            "gs.apple.com": entry(.tls10), "geo.apple.com": entry(.tls10), "is.autonavi.com": entry(.tls10),
            "apple-mapkit.com": entry(.tls10),
        ]
    }()

    /// The same with ``builtInExceptions``; an own entry with the same key stays.
    public var withBuiltInExceptions: ATSConfiguration {
        var copy = self
        copy.exceptions = exceptions.merging(Self.builtInExceptions) { own, _ in own }
        return copy
    }
}
