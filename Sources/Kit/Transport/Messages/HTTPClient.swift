/// Sends requests. One implementation for each platform; a test gives its own.
public protocol HTTPClient: Sendable {
    /// Sends `request` without credentials and collects the whole answer.
    ///
    /// Never follows a redirect, never uses a cache, never stores a cookie.
    func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse

    /// Sends `request` with a credential for its own origin.
    ///
    /// - Throws: ``TransportFailure/credentialRefused(_:)`` before anything is sent, when the origin differs or is not
    ///   https.
    func send(_ request: HTTPRequest, with authorization: borrowing Authorization) async throws(TransportFailure)
        -> HTTPResponse

    /// Sends `request` and lends the body to `receive` piece by piece as it arrives; a 10 GB answer needs no 10 GB.
    ///
    /// - Parameters:
    ///   - head: Called once, before the first piece, with the answer's head; returning `false` stops the transfer
    ///     (for example at a 401, whose body nobody wants).
    ///   - receive: Called for each piece in order.
    ///   - request: What to send.
    ///   - authorization: The credential, bound to its origin.
    /// - Returns: The head again, with an empty body.
    func stream(
        _ request: HTTPRequest, with authorization: borrowing Authorization,
        head: @Sendable (HTTPResponse) throws -> Bool, receive: @Sendable ([UInt8]) throws -> Void
    ) async throws(TransportFailure) -> HTTPResponse

    /// Forgets the cookies that these servers have set: nobody is signed in there any more (session SR17).
    func forgetCookies(of origins: Set<Origin>)
}

extension HTTPClient {
    /// Nothing: for a client that keeps no cookies.
    public func forgetCookies(of origins: Set<Origin>) {}
}
