/// Servers that send clients elsewhere, to see whether a credential goes along.
///
/// ```swift
/// let trap = try Redirector.trap(authority)
/// let server = try LabServer.start(identity) { Redirector.answer(to: trap, $0) }
/// // a client that asks for /redirect/307 must not reach the trap
/// print(server.address("/redirect/307"), Redirector.credentials(seenBy: trap))       // []
/// ```
public enum Redirector {
    /// The statuses that name another address (RFC 9110 §15.4).
    public static let statuses = [301, 302, 303, 307, 308]

    /// Redirects `/redirect/STATUS` to the same path on `target`; any other path is answered plainly.
    public static func answer(to target: LabServer, _ request: LabRequest) -> LabResponse {
        answer(to: target.address(""), request)
    }

    /// Redirects `/redirect/STATUS` to the same path below `target`, an address without a slash at its end.
    public static func answer(to target: String, _ request: LabRequest) -> LabResponse {
        let parts = request.path.split(separator: "/")
        guard parts.count == 2, parts[0] == "redirect", let status = Int(parts[1]), statuses.contains(status) else {
            return .text("arrived")
        }
        return .redirect(status, to: target + request.target)
    }

    /// A server of its own origin that no credential may reach. Without an authority it speaks plain http.
    public static func trap(_ authority: CertificateAuthority?) throws(LabFailure) -> LabServer {
        try LabServer.start(try authority?.issue()) { _ in .text("trapped") }
    }

    /// The values of all `Authorization` and `Cookie` fields that arrived at `server`.
    public static func credentials(seenBy server: LabServer) -> [String] {
        server.requests.flatMap { request in
            request.fields.filter { ["authorization", "cookie"].contains($0.name.lowercased()) }.map(\.value)
        }
    }
}
