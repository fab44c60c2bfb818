internal import PaviseLab
internal import PavisePrimitives
internal import PaviseTransport

extension Scene {
    static let unknownAuthority = Scene(
        number: 1, title: "Unknown authority",
        attack: "a server shows a certificate of an authority that nobody here trusts",
        control: "trust decided in the handshake; approval bound to host, port, key and failures"
    ) { stage in
        let stranger = try CertificateAuthority(name: "Somebody's Root")
        let server = try stage.server(try stranger.issue())
        let origin = try url(server.address()).origin
        let client = try stage.client()

        let refused = try await refusal(of: client, server.address(), "an unknown authority")
        try require(refused.failures == [.unknownAuthority], "expected unknownAuthority, saw \(refused.failures)")
        try require(refused.canBeApproved, "an unknown authority must be one that a person may approve")
        guard let summary = refused.summary else { throw SceneFailure("there was no summary to judge") }
        try requireSilence(server, "before the approval")

        let now = TimeSource.system.wallSeconds
        guard let approval = CertificateApproval(of: refused, origin: origin, at: now) else {
            throw SceneFailure("the approval was not made")
        }
        let approved = try stage.client(approvals: [approval])
        let response = try await approved.send(HTTPRequest("GET", try url(server.address())))
        try require(response.status == 200, "expected 200 after the approval, saw \(response.status)")

        // The same failure with another key is another server.
        try server.use(try stranger.issue())
        server.dropConnections()
        server.forget()
        _ = try await refusal(
            of: try stage.client(approvals: [approval]), server.address(), "another key under the approval")
        try requireSilence(server, "another key under the approval")
        return [
            """
            refused: \(refused.failures.map(\.rawValue).joined(separator: ", ")); issuer \(summary.issuer), SPKI \
            \(summary.spki)
            """,
            "approved for \(origin) and this key: answered 200",
            "another key under the same approval: refused, 0 bytes sent",
        ]
    }
}
