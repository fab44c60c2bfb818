internal import PavisePrimitives
public import PaviseTransport

/// Finds an authority's metadata.
public struct Discovery: Sendable {
    private let client: HTTPClient

    /// Discovery through `client`.
    public init(client: HTTPClient) { self.client = client }

    /// Asks for the OpenID Connect document, then for the OAuth one.
    ///
    /// Some authorities name an endpoint only in the second. It is read as well where the first lacks one, by the same
    /// rules, and may add endpoints for revocation, pushed requests, devices and registration, at the issuer's or the
    /// token endpoint's origin; it changes nothing. That it is missing, broken or another's is no failure; a
    /// certificate that is refused there is one.
    ///
    /// - Parameter issuer: The issuer identifier, exactly as configured. The document must repeat it letter for letter.
    public func find(issuer: String) async throws(DiscoveryFailure) -> AuthorizationServer {
        guard let url = try? WebURL(issuer), url.origin.scheme == .https, url.query == nil, url.fragment == nil else {
            throw .unusableIssuer
        }
        var last = DiscoveryFailure.notFound(status: 404)
        let places = Self.places(of: url)
        for place in places {
            do throws(DiscoveryFailure) {
                let server = try AuthorizationServer(try await document(at: place), issuer: issuer)
                // When the first place has none, the second document is the only one.
                guard place == places.first, let other = places.last, server.lacksEndpoints else { return server }
                return try await completed(server, at: other)
            } catch {
                switch error {
                case .notMetadata: last = error
                case .notFound: if last != .notMetadata { last = error }
                default: throw error
                }
            }
        }
        throw last
    }

    /// The two addresses (OpenID Connect Discovery §4, RFC 8414 §3.1).
    static func places(of issuer: WebURL) -> [WebURL] {
        let path = issuer.path.hasSuffix("/") ? String(issuer.path.dropLast()) : issuer.path
        return ["\(path)/.well-known/openid-configuration", "/.well-known/oauth-authorization-server\(path)"]
            .compactMap { try? issuer.replacing(path: $0) }
    }

    // Nobody should wait long for a document that is not needed.
    private func completed(
        _ server: AuthorizationServer, at place: WebURL
    ) async throws(DiscoveryFailure) -> AuthorizationServer {
        do throws(DiscoveryFailure) {
            let document = try await document(at: place, within: .seconds(10))
            return server.completed(by: try AuthorizationServer(document, issuer: server.issuer))
        } catch {
            if case .transport(let failure) = error, DegradedReason(failure) == .trust { throw error }
            return server
        }
    }

    private func document(
        at url: WebURL, within limit: Duration = .seconds(30)
    ) async throws(DiscoveryFailure) -> JSONValue {
        let response: HTTPResponse
        do throws(TransportFailure) {
            response = try await client.send(.json(url, within: limit))
        } catch {
            throw .transport(error)
        }
        if let redirect = response.redirect { throw .redirected(redirect) }
        guard response.status == 200 else { throw .notFound(status: response.status) }
        guard let value = response.jsonObject else { throw .notMetadata }
        return value
    }
}

extension HTTPRequest {
    /// A GET for a small JSON document.
    static func json(_ url: WebURL, within limit: Duration = .seconds(30)) -> HTTPRequest {
        var fields = HTTPFields()
        fields.append("Accept", "application/json")
        let limits = Limits(idle: limit, total: limit, body: TokenResponse.bodyLimit)
        return HTTPRequest("GET", url, fields: fields, limits: limits)
    }
}

extension HTTPResponse {
    /// The body as an object, when it says and is JSON within bounds: 64 KiB, depth 16, no doubled members (oauth T3,
    /// T5).
    var jsonObject: JSONValue? {
        secretBody == nil ? parted(hiding: [])?.value : partedObject?.value
    }

    /// The same, with what is secret in an authority's answer in memory of its own, and never a text.
    var partedObject: JSONValue.Parted? { parted(hiding: Self.secretMembers) }

    private static let secretMembers: Set<String> = [
        "access_token", "refresh_token", "id_token", "device_code", "client_secret", "registration_access_token",
    ]

    private func parted(hiding names: Set<String>) -> JSONValue.Parted? {
        let types = fields.all("Content-Type")
        guard types.count == 1, MediaType.isJSON(types[0]) else { return nil }
        var bytes = body
        defer { if secretBody != nil { Wipe.bytes(&bytes) } }
        guard let found = try? JSONValue.parse(bytes, hiding: names, limit: TokenResponse.bodyLimit),
            found.value.members != nil
        else { return nil }
        return found
    }
}
