#if canImport(Darwin)
internal import Foundation
public import PavisePrimitives

/// The HTTP client of Apple's systems: URLSession, with every server judged by a ``TrustPolicy`` inside the TLS
/// handshake.
///
/// TLS versions and cipher suites come from App Transport Security, that is, from the app's Info.plist; `configuration`
/// can only make them stricter. Chain, pins, approvals and the comparison with what a server showed before are judged
/// here, before the request is sent. Nothing is followed, cached or remembered by the system; cookies and https-only
/// hosts only where ``ClientOptions`` brings them. What URLSession does not let a client do stands in
/// `Documentation/AppleCarrier.md`; one thing is named here: Apple's documentation reserves the `Authorization` field
/// for URLSession itself and promises nothing for a client that sets it, as this one does.
///
/// This type only forwards. The decisions are made by `SessionCarrier`, which the project's tests run on Linux with the
/// callbacks that Apple documents; this file itself is compiled, but has never run on an Apple system.
public final class URLSessionTransport: Carrier, PulledBodyClient {
    private let carrier: SessionCarrier

    /// A client whose servers are judged by `policy`.
    ///
    /// - Parameters:
    ///   - policy: Which servers are trusted.
    ///   - configuration: What is asked of each host beside the app's Info.plist. By default no plain http anywhere.
    ///   - time: The clock for certificates, pins, approvals and cookies.
    ///   - options: Cookies, https-only hosts, client certificates, reports.
    public init(
        policy: TrustPolicy = TrustPolicy(), configuration: ATSConfiguration = .strict, time: TimeSource = .system,
        options: ClientOptions = ClientOptions()
    ) {
        carrier = SessionCarrier(policy: policy, configuration: configuration, time: time, options: options) {
            URLSessionDriver($0, telling: $1)
        }
    }

    /// The same policy and rules with connections of its own, which show `certificates`.
    package func showing(_ certificates: [ClientCertificate]) -> any HTTPClient {
        var options = options
        options.certificates = certificates
        return URLSessionTransport(policy: policy, configuration: gate.configuration, time: time, options: options)
    }

    package var time: TimeSource { carrier.time }
    package var gate: ATSGate { carrier.gate }
    /// What it does beside sending and judging.
    public var options: ClientOptions { carrier.options }
    /// What servers are judged by now.
    public var policy: TrustPolicy { carrier.policy }

    /// Judges by `policy` from now on, with new connections. Requests on their way end under the old one.
    public func use(_ policy: TrustPolicy) { carrier.use(policy) }

    /// Sends `request` without credentials; see ``HTTPClient/send(_:)``.
    public func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        try await carrier.send(request)
    }

    /// Sends `request` with a credential for its own origin; see ``HTTPClient/send(_:with:)``.
    public func send(
        _ request: HTTPRequest, with authorization: borrowing Authorization
    ) async throws(TransportFailure) -> HTTPResponse {
        try await carrier.send(request, with: authorization)
    }

    /// Sends `request` and lends the body piece by piece; see ``HTTPClient/stream(_:with:head:receive:)``.
    public func stream(
        _ request: HTTPRequest, with authorization: borrowing Authorization,
        head: @Sendable (HTTPResponse) throws -> Bool, receive: @Sendable ([UInt8]) throws -> Void
    ) async throws(TransportFailure) -> HTTPResponse {
        try await carrier.stream(request, with: authorization, head: head, receive: receive)
    }

    /// The same without credentials.
    public func stream(
        _ request: HTTPRequest, head: @Sendable (HTTPResponse) throws -> Bool,
        receive: @Sendable ([UInt8]) throws -> Void
    ) async throws(TransportFailure) -> HTTPResponse {
        try await carrier.stream(request, carrying: .none, head: head, receive: receive)
    }

    /// Sends `request` and returns as soon as the head is there; the body is read from the stream.
    public func open(_ request: HTTPRequest) async throws(TransportFailure) -> (HTTPResponse, BodyStream) {
        try await carrier.open(request, carrying: .none)
    }

    /// The same with a credential for the request's origin.
    public func open(
        _ request: HTTPRequest, with authorization: borrowing Authorization
    ) async throws(TransportFailure) -> (HTTPResponse, BodyStream) {
        try await carrier.open(request, carrying: try lines(authorization, for: request))
    }

    /// Forgets the cookies of these servers in ``ClientOptions/cookies``.
    public func forgetCookies(of origins: Set<Origin>) { carrier.forgetCookies(of: origins) }

    /// Makes the handshake with `origin` and nothing more: no byte of a request is sent, trusted or not.
    public func inspect(
        _ origin: Origin, limits: HTTPRequest.Limits = .init()
    ) async throws(TransportFailure) -> ServerInspection {
        try await carrier.inspect(origin, limits: limits)
    }

    package func exchange(
        _ request: HTTPRequest, carrying lines: SecretFields
    ) async throws(TransportFailure) -> HTTPResponse { try await carrier.exchange(request, carrying: lines) }

    package func open(
        _ request: HTTPRequest, carrying lines: SecretFields
    ) async throws(TransportFailure) -> (HTTPResponse, BodyStream) {
        try await carrier.open(request, carrying: lines)
    }
}

extension URLSessionTransport {
    /// Sends `request` and follows redirects as `policy` says. Every hop is decided anew by App Transport Security,
    /// trust and pins; before another origin gets a byte, `consent` is asked with what a handshake showed. Without a
    /// closure the answer is no. The request's total time holds for all hops together.
    public func send(
        _ request: HTTPRequest, following policy: RedirectPolicy, consent: RedirectConsent? = nil
    ) async throws(TransportFailure) -> FollowedResponse {
        try await follow(request, carrying: .none, policy, consent)
    }

    /// The same with a credential for the first origin. It goes along within that origin only, and never again once a
    /// redirect has left it.
    public func send(
        _ request: HTTPRequest, with authorization: borrowing Authorization, following policy: RedirectPolicy,
        consent: RedirectConsent? = nil
    ) async throws(TransportFailure) -> FollowedResponse {
        try await follow(request, carrying: try lines(authorization, for: request), policy, consent)
    }

    /// Downloads into a file, and goes on where an earlier try ended, by `Range` and `If-Range` with the strong `ETag`
    /// of then.
    ///
    /// The bytes go to `path` with `.partial` behind it, and get their name when all of them are there and on the disk.
    ///
    /// - Parameters:
    ///   - request: A GET. Redirects are an answer, not followed.
    ///   - path: Where the file is to be.
    ///   - progress: Called for each piece.
    /// - Throws: ``TransportFailure``; what came so far stays for the next try. ``TransportFailure/receiver(_:)`` when
    ///   the file cannot be written, or another process is writing it.
    public func download(
        _ request: HTTPRequest, to path: String, progress: @Sendable (DownloadProgress) -> Void = { _ in }
    ) async throws(TransportFailure) -> DownloadOutcome {
        try await download(request, carrying: .none, to: path, progress)
    }

    /// The same with a credential for the request's origin.
    public func download(
        _ request: HTTPRequest, with authorization: borrowing Authorization, to path: String,
        progress: @Sendable (DownloadProgress) -> Void = { _ in }
    ) async throws(TransportFailure) -> DownloadOutcome {
        try await download(request, carrying: try lines(authorization, for: request), to: path, progress)
    }
}
#endif
