internal import PavisePrimitives
package import PaviseTransport

/// A form for an authority's endpoint, with which the client says who it is (RFC 6749 §2.3, §3.2.1).
///
/// A public client writes its name into the form. A confidential one shows its secret in exactly one place, and only to
/// the origin of `url`.
package struct ClientForm: Sendable {
    /// The request, without a credential of HTTP Basic.
    private(set) var request: HTTPRequest
    /// The client's name and secret, where they stand beside the form.
    let password: ShownCredential?

    /// - Parameters:
    ///   - pairs: The parameters without the client's secret; where they name the client already, that stays.
    ///   - limit: How long the answer may take.
    package init(
        _ url: WebURL, _ pairs: [(String, FormValue)], as clientID: String, _ authentication: ClientAuthentication?,
        within limit: Duration = .seconds(30)
    ) {
        let named = Set(pairs.map(\.0))
        let pairs = pairs + TokenForm.client(clientID, authentication).filter { !named.contains($0.0) }
        let secret = authentication?.method == .basic ? authentication?.basicCredential(of: clientID) : nil
        password = secret.map { ShownCredential(basic: $0, for: url.origin) }
        request = .form(url, pairs, within: limit)
    }

    /// Asked immediately before the form is sent; `false` sends nothing.
    var mayLeave: (@Sendable () -> Bool)? {
        get { request.mayLeave }
        set { request.mayLeave = newValue }
    }

    /// The same form with more header fields.
    func with(_ fields: [(String, String)]) -> ClientForm {
        var copy = self
        for (name, value) in fields { copy.request.fields.append(name, value) }
        return copy
    }

    /// Sends the form. No redirect is followed.
    package func send(through client: HTTPClient) async throws(TransportFailure) -> HTTPResponse {
        guard let password else { return try await client.send(request) }
        return try await client.send(request, with: password.authorization(isBound: false))
    }
}

extension HTTPRequest {
    /// A form that is posted for a small JSON document.
    static func form(_ url: WebURL, _ pairs: [(String, FormValue)], within limit: Duration = .seconds(30))
        -> HTTPRequest
    {
        var fields = HTTPFields()
        fields.append("Content-Type", "application/x-www-form-urlencoded")
        fields.append("Accept", "application/json")
        var request = HTTPRequest(
            "POST", url, fields: fields, secretBody: FormValue.encode(pairs),
            limits: HTTPRequest.Limits(idle: limit, total: limit, body: TokenResponse.bodyLimit))
        request.isAnswerSecret = true
        return request
    }
}
