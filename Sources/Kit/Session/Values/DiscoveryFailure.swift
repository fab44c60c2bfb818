public import PaviseTransport

/// Why the metadata of an authorization server was not found or was refused.
public enum DiscoveryFailure: Error, Hashable, Sendable {
    /// The issuer is no https address without query and fragment.
    case unusableIssuer
    /// No metadata document is there. The status of the last place asked.
    case notFound(status: Int)
    /// The answer is no metadata: HTML, too large, doubled members, not JSON.
    case notMetadata
    /// The document speaks for another issuer, which is named here.
    case otherIssuer(String)
    /// A required member is missing.
    case missing(String)
    /// A member is no address.
    case unusable(String)
    /// An endpoint is not https.
    case withoutTLS(String)
    /// An endpoint, by its name in the metadata, is at the authority of another connection: neither gets what is the
    /// other's (oauth A7). Remove the connection that is wrong.
    case otherAuthority(String)
    /// Endpoints are at servers that only the metadata names, and that nobody agreed to when the account was connected.
    /// Nothing was sent there. Connect the account again, and show them to the person.
    case otherServers([Origin])
    /// The server sends elsewhere. Metadata is never fetched through a redirect (oauth T2).
    case redirected(RedirectReport)
    /// No answer.
    case transport(TransportFailure)
}
