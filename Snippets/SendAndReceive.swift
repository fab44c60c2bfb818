// Requests with a client of one's own: bodies, files, certificates, proxies, redirects.
import Pavise
import PaviseTransport

/// The parts of a form, a file among them.
func form(_ bytes: [UInt8], to url: WebURL) throws -> HTTPRequest {
    var form = try MultipartForm()
    form.append(name: "title", value: "Report")
    form.append(name: "file", fileName: "report.pdf", contentType: "application/pdf", bytes: bytes)
    let request = form.request(url: url)
    return request
}

/// A file that is read while it is sent.
func upload(to url: WebURL) throws -> HTTPRequest {
    var request = HTTPRequest("PUT", url)
    request.upload = try UploadFile(path: "report.pdf")
    return request
}

/// Who we are to a server that asks for a certificate.
func options(_ reference: [UInt8], for url: WebURL) throws -> ClientOptions {
    var options = ClientOptions()
    options.certificates = [try ClientCertificate(persistentReference: reference, for: url.origin)]
    return options
}

/// Pins of a server, the second one for the day when the first key is lost.
func pins(_ current: Pin, _ backup: Pin) throws -> PinSet {
    let pins = try PinSet(hosts: ["cloud.example.org"], leaf: [current, backup])
    return pins
}

/// The pins that an app's Info.plist declares.
func policy(of bytes: [UInt8]) throws -> TrustPolicy {
    var policy = TrustPolicy()
    policy.pinnedDomains = try PinnedDomains(infoPlist: bytes)
    return policy
}

/// The profile of BSI TR-02102-2.
func strictPolicy() -> TrustPolicy {
    var policy = TrustPolicy()
    policy.tls = .tr02102
    return policy
}

/// What App Transport Security says about an address.
func isAllowed(_ url: WebURL) -> ATSDecision {
    var configuration = ATSConfiguration()
    configuration.exceptions["files.example.org"] = ATSException(minimumTLSVersion: .tls11)
    let decision = ATSDecision(url.origin, isDirect: false, configuration: configuration)
    return decision
}

/// The rules of the program's own Info.plist.
func rules() throws -> ATSConfiguration {
    let bytes = try InfoPropertyList.ofThisProgram() ?? []
    let configuration = bytes.isEmpty ? .strict : try ATSConfiguration(infoPlist: bytes)
    return configuration
}

/// The proxies of an environment.
func proxies() -> ProxyRules {
    let rules = ProxyRules.environment([
        "https_proxy": "http://proxy.example:3128", "no_proxy": "localhost,.intern.example",
    ])
    return rules
}

#if os(Linux)
/// A client with cookies and proxies.
func client(_ variables: [String: String]) throws -> HTTPClient {
    let client = try HTTPClient(options: ClientOptions(cookies: CookieJar(), proxies: .environment(variables)))
    return client
}

/// Follows redirects within one origin.
func follow(_ request: HTTPRequest, with client: HTTPClient) async throws {
    let outcome = try await client.send(request, following: .sameOrigin)
    for hop in outcome.hops { print(hop.status, hop.from, hop.to ?? "nowhere") }
}

/// Asks a person before another server gets the request.
func follow(
    _ request: HTTPRequest, with client: HTTPClient,
    askThePerson: @escaping @Sendable (WebURL?, CertificateSummary?) async -> Bool
) async throws -> FollowedResponse {
    let outcome = try await client.send(request, following: .withConsent) { hop, target in
        await askThePerson(hop.to, target.summary)
    }
    return outcome
}

/// Downloads, and goes on where an earlier try ended.
func download(_ url: WebURL, with client: HTTPClient) async throws -> DownloadOutcome {
    let outcome = try await client.download(HTTPRequest("GET", url), to: "report.pdf") { print($0.received) }
    return outcome
}
#endif

print(isAllowed(try WebURL("https://files.example.org/")))
