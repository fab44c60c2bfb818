internal import PavisePrimitives
package import PaviseTransport

/// A person's address, `anna@example.org`, by which the server of its host is asked for the authority (RFC 7033; OpenID
/// Connect Discovery 1.0 §2).
package struct AccountAddress: Hashable, Sendable {
    /// As it was given.
    package let text: String
    /// The server of the host, port 443 unless the address names another one.
    package let host: WebURL

    /// Reads `name@host` or `name@host:port`.
    ///
    /// - Returns: `nil` for anything else: letters, digits and `.-_~!$&'()*+,;=` stand before the `@`, at most 64.
    package init?(_ text: String) {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, (1...64).contains(parts[0].utf8.count), !parts[1].isEmpty,
            parts[0].utf8.allSatisfy(Self.mayStandBefore), parts[1].utf8.allSatisfy(Self.mayStandBehind),
            let host = try? WebURL("https://\(parts[1])/"), host.path == "/", host.query == nil
        else { return nil }
        self.text = text
        self.host = host
    }

    private static func mayStandBefore(_ byte: UInt8) -> Bool {
        isLetterOrDigit(byte) || ".-_~!$&'()*+,;=".utf8.contains(byte)
    }

    private static func mayStandBehind(_ byte: UInt8) -> Bool { isLetterOrDigit(byte) || ".-:".utf8.contains(byte) }

    fileprivate static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }

    /// The question. Everything but letters, digits and `.-_~` is written in per cent (RFC 3986 §2.1).
    fileprivate var question: WebURL? {
        let resource = "acct:\(text)".utf8.map { byte in
            let isPlain = Self.isLetterOrDigit(byte) || ".-_~".utf8.contains(byte)
            return isPlain ? String(UnicodeScalar(byte)) : "%" + Hex.encode([byte]).uppercased()
        }.joined()
        return try? WebURL("\(host.origin)/.well-known/webfinger?resource=\(resource)&rel=\(WebFinger.encodedRelation)")
    }
}

/// Asks the server of an address who signs its people in.
package struct WebFinger: Sendable {
    private static let relation = "http://openid.net/specs/connect/1.0/issuer"
    fileprivate static let encodedRelation = "http%3A%2F%2Fopenid.net%2Fspecs%2Fconnect%2F1.0%2Fissuer"
    private let client: HTTPClient

    /// Asks through `client`, which judges the server.
    package init(client: HTTPClient) { self.client = client }

    /// The authority that the server names. It is only a word of that server: whoever goes on to it asks a person
    /// first.
    ///
    /// - Throws: ``DiscoveryFailure``: no such address there, a redirect, an answer about somebody else, no authority
    ///   or several, one without https.
    package func issuer(of address: AccountAddress) async throws(DiscoveryFailure) -> String {
        guard let question = address.question else { throw .unusableIssuer }
        let response: HTTPResponse
        do throws(TransportFailure) { response = try await client.send(.json(question)) } catch {
            throw .transport(error)
        }
        if let redirect = response.redirect { throw .redirected(redirect) }
        guard response.status == 200 else { throw .notFound(status: response.status) }
        guard let answer = response.jsonObject else { throw .notMetadata }
        // RFC 7033 §4.4.1: the subject may be left out; another one is somebody else's answer.
        if let subject = answer["subject"], subject.string != "acct:\(address.text)" { throw .notMetadata }
        let links = (answer["links"]?.array ?? []).filter { $0["rel"]?.string == Self.relation }
        let issuers = Set(links.map { $0["href"]?.string })
        guard let found = issuers.first, let issuer = found else { throw .missing("issuer") }
        guard issuers.count == 1 else { throw .notMetadata }
        guard let url = try? WebURL(issuer), url.query == nil, url.fragment == nil else { throw .unusable("issuer") }
        guard url.origin.scheme == .https else { throw .withoutTLS("issuer") }
        return issuer
    }
}
