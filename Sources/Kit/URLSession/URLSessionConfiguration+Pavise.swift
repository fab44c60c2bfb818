internal import Foundation
public import PaviseTransport

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

extension URLSessionConfiguration {
    /// A configuration for `URLSession` whose requests go through Pavise: App Transport Security, trust, pins and the
    /// redirect policy hold for code that knows nothing of them.
    ///
    /// ```swift
    /// let session = URLSession(configuration: try .pavise(policy: TrustPolicy(pins: [pins])))
    /// let (data, response) = try await session.data(for: request)
    ///     // URLError with Apple's codes when it is refused
    /// ```
    ///
    /// Delegates that pin are asked about the server of each new connection, inside its handshake, with
    /// `NSURLAuthenticationMethodServerTrust`, before any byte of the request leaves. They may refuse everything, and
    /// accept what is refused only where `transportSecurity` lets an app do so. One that never answers ends with the
    /// request's time-out.
    ///
    /// Data tasks and upload tasks work, with completion handlers, with a delegate and with `async`. What Foundation on
    /// Linux does not hand to a protocol of an app's own stays behind:
    /// - A download task ends with `URLError.unsupportedURL`; use `HTTPClient` and its download.
    /// - No delegate is asked about a redirect or a password: `redirects` decides, and a 401 is an answer like any
    ///   other. Its `WWW-Authenticate` field arrives as `X-Pavise-WWW-Authenticate`, because Foundation would answer
    ///   the challenge itself, over a connection that nobody judges.
    /// - Caches and the cookie storage of the configuration are not used; `ClientOptions.cookies` are. A request that
    ///   may not be loaded (`returnCacheDataDontLoad`) ends with `URLError.resourceUnavailable`.
    ///
    /// - Parameters:
    ///   - policy: Which servers are trusted.
    ///   - transportSecurity: What App Transport Security asks of each host; by default no plain http anywhere, TLS 1.2
    ///     and forward secrecy. Exceptions and raised floors hold on the connections themselves.
    ///   - redirects: How far redirects are followed. By default within the origin, without a question.
    ///   - options: Cookies, proxies, limits for connections.
    /// - Throws: `TransportFailure.network` when the system gives no thread or descriptor.
    public static func pavise(
        policy: TrustPolicy = TrustPolicy(), transportSecurity: ATSConfiguration = .strict,
        redirects: RedirectPolicy = .sameOrigin, options: ClientOptions = ClientOptions()
    ) throws(TransportFailure) -> URLSessionConfiguration {
        pavise(
            try HTTPClient(policy: policy, configuration: transportSecurity, options: options), redirects: redirects)
    }

    /// The same with a client that is there already: its pool of connections is shared, and `HTTPClient.use(_:)`
    /// changes the policy of running sessions too.
    ///
    /// - Parameters:
    ///   - client: What sends. It lives until the process ends, as Foundation never tells when a configuration is not
    ///     used any more: make one client, not one for each request.
    ///   - redirects: How far redirects are followed.
    ///   - consent: Asked before a redirect to another origin is followed, under `RedirectPolicy.withConsent`.
    public static func pavise(
        _ client: HTTPClient, redirects: RedirectPolicy = .sameOrigin, consent: HTTPClient.RedirectConsent? = nil
    ) -> URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        let bound = BoundClient(client: client, redirects: redirects, consent: consent)
        configuration.protocolClasses = [ProtocolClassRegistry.shared.add(bound)]
        configuration.urlCache = nil
        configuration.urlCredentialStorage = nil
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        return configuration
    }
}
