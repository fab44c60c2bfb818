import PaviseLab
import PavisePrimitives
import PaviseTransport

/// The carrier of Apple's systems over a stand-in URLSession, with servers that an authority of its own has issued.
struct CarrierLab {
    static let home = "https://home.example"
    let authority: CertificateAuthority
    let identity: ServerIdentity
    let network = StandInNetwork()
    let client: HTTPClient

    init(
        policy: TrustPolicy = TrustPolicy(), configuration: ATSConfiguration = .strict,
        options: ClientOptions = ClientOptions(),
        sleep: @escaping @Sendable (Duration) async -> Void = { try? await Task.sleep(for: $0) },
        server: StandInServer = StandInServer()
    ) throws {
        authority = try CertificateAuthority()
        identity = try authority.issue(LeafProfile(names: ["home.example"], addresses: []))
        var policy = policy
        policy.anchors = .only([authority.anchor])
        client = try HTTPClient(policy: policy, configuration: configuration, options: options) {
            [network] (policy, time, options) throws(TransportFailure) in
            SessionCarrier(policy: policy, time: time, options: options, sleep: sleep) { settings, events in
                network.session(settings, telling: events)
            }
        }
        serve(Self.home, identity, server)
    }

    /// Serves `origin` with the certificate of `identity`.
    func serve(_ origin: String, _ identity: ServerIdentity, _ server: StandInServer = StandInServer()) {
        var server = server
        server.certificates = identity.chain
        network.serve("\(try! WebURL(origin).origin)", server)
    }

    /// Serves `origin` with a certificate that names nobody of this authority.
    func serveStranger(_ origin: String) throws -> ServerIdentity {
        let host = try WebURL(origin).origin.host
        let stranger = try CertificateAuthority().issue(LeafProfile(names: [host], addresses: []))
        serve(origin, stranger)
        return stranger
    }

    func request(_ path: String = "/", at origin: String = home) throws -> HTTPRequest {
        HTTPRequest("GET", try WebURL(origin + path))
    }
}
