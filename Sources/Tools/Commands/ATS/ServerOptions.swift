internal import PaviseArguments
internal import PaviseCrypto
internal import PavisePrimitives
internal import PaviseTransport
internal import SecurityFramework

/// The options of commands that look at a server without using it: whom to trust, and where to connect.
enum ServerOptions {
    static let anchors = Option(
        "anchors", value: "FILE", help: "Trust these certificates (PEM) and no others; this machine's unless given.")
    static let connect = Option(
        "connect", value: "HOST:PORT",
        help: "Connect there, whatever the address says; names are still compared with it.",
        parse: place)

    /// The certificates of `--anchors`; `nil` where it was not given.
    static func certificates(_ invocation: Invocation) throws(CommandFailure) -> [[UInt8]]? {
        guard let path = invocation[anchors] else { return nil }
        let bytes: [UInt8]
        do throws(SystemFailure) {
            bytes = try InputFile.read(path, limit: 8 << 20)
        } catch {
            throw CommandFailure(.usage, "The file “\(Printable.text(path))” cannot be read: \(error.words)")
        }
        let certificates = PEM.blocks("CERTIFICATE", in: bytes) ?? []
        guard TrustAnchors.only(certificates).count > 0 else {
            throw CommandFailure(.usage, "The file “\(Printable.text(path))” holds no certificate in PEM form.")
        }
        return certificates
    }

    /// Whom to trust: the certificates of `--anchors`, or this machine's.
    static func trust(
        _ invocation: Invocation, _ environment: Environment
    ) throws -> @Sendable () -> TrustAnchors {
        guard let certificates = try certificates(invocation) else { return try environment.systemAnchors() }
        let anchors = TrustAnchors.only(certificates)
        return { anchors }
    }

    private static func place(_ text: String) throws(Parameter.Invalid) -> ServerProbe.Endpoint {
        guard let url = try? WebURL("https://\(text)"), url.path == "/", url.query == nil, text.contains(":") else {
            throw Parameter.Invalid("takes a host and a port, such as 127.0.0.1:8443")
        }
        return ServerProbe.Endpoint(host: url.origin.host, port: url.origin.port)
    }
}
