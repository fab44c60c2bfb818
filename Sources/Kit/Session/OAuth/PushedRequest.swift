internal import PavisePrimitives
internal import PaviseTransport

/// Hands an authorization request to the authority before the browser opens (RFC 9126), so that nobody between can read
/// or change it.
struct PushedRequest: Sendable {
    let client: HTTPClient
    let attester: (any ClientAttester)?

    /// Pushes the request of `attempt` and gives the address for the browser, which names it and nothing else.
    func address(
        for attempt: AuthorizationAttempt, at server: AuthorizationServer, clientID: String,
        _ authentication: ClientAuthentication?
    ) async throws(SignInFailure) -> WebURL {
        guard let endpoint = server.pushedRequestEndpoint else { throw .withoutPushing }
        let response: HTTPResponse
        do throws(TransportFailure) {
            let form = ClientForm(
                endpoint, attempt.parameters.map { ($0, .text($1)) }, as: clientID, authentication)
            let source = AttestationSource(attester: attester, issuer: server.issuer, clientID: clientID)
            response = try await form.attested(by: source, through: client) {
                (form) async throws(TransportFailure) in try await form.send(through: client)
            }
        } catch {
            throw SignInFailure(error)
        }
        guard response.redirect == nil, let document = response.jsonObject else { throw .unavailable(.server) }
        guard response.status == 201 else { throw response.failure(document) }
        guard let name = document["request_uri"]?.string, (1...1024).contains(name.utf8.count),
            name.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), (document["expires_in"]?.integer ?? 0) > 0
        else { throw .unavailable(.server) }
        return server.authorizationEndpoint.appending(query: [("client_id", clientID), ("request_uri", name)])
    }
}

extension HTTPResponse {
    /// What an answer means that does not bring what was asked for: the authority's own no. Too many requests, or a
    /// fault of the server's own, is no word about this client; it cannot say now.
    func failure(_ document: JSONValue) -> SignInFailure {
        guard (300..<500).contains(status), ![408, 425, 429].contains(status) else { return .unavailable(.server) }
        return .refused(code: document.errorCode)
    }
}

extension JSONValue {
    /// The error code of RFC 6749 §5.2, fit to be shown to a person: short, visible ASCII.
    var errorCode: String {
        String(
            decoding: (self["error"]?.string ?? "").utf8.prefix(64).filter { (0x21...0x7E).contains($0) }, as: UTF8.self
        )
    }
}
