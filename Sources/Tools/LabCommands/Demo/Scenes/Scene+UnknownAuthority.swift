internal import Pavise
internal import PaviseLab
internal import PaviseTransport

extension Scene {
    static let unknownAuthority = Scene(
        number: 1, title: "Unknown authority",
        attack: "a server shows a certificate of an authority that nobody here trusts",
        control: "trust decided in the handshake; approval bound to host, port, key and failures"
    ) { stage in
        let stranger = try CertificateAuthority(name: "Somebody's Root")
        let server = try stage.passwordServer(try stranger.issue())
        let app = try stage.app()

        let reviewed = try await app.review(server.address())
        guard case .needsApproval(let review) = reviewed.verdict else {
            throw SceneFailure("an unknown authority must be one that a person may approve, saw \(reviewed.verdict)")
        }
        try require(review.failures == [.unknownAuthority], "expected unknownAuthority, saw \(review.failures)")
        try await requireSilence(server, "before the approval")
        do {
            _ = try await stage.account(at: reviewed, as: "early", in: app)
            throw SceneFailure("an account was made at a server that nobody approved")
        } catch let error as PaviseError {
            try require(error.code == .approvalNeeded, "expected approvalNeeded, saw \(error.underlying)")
        }
        try await requireSilence(server, "a sign-in before the approval")

        try await reviewed.approve()
        let account = try await stage.account(at: reviewed, as: "lab", in: app)
        try await requireAnswer(of: account, "after the approval")

        // The same failure with another key is another server.
        try server.use(try stranger.issue())
        server.dropConnections()
        server.forget()
        let error = try await failure(of: account, at: server.address(), "another key under the approval")
        _ = try refusal(in: error, "another key under the approval")
        try require(error.isSecurityEvent, "another key under an approval must be a security event")
        try await requireSilence(server, "another key under the approval")
        return [
            "refused: \(review.failures.map(\.rawValue).joined(separator: ", ")); issuer \(review.summary.issuer), "
                + "SPKI \(review.summary.spki)",
            "approved for \(reviewed.origin) and this key: answered 200",
            "another key under the same approval: refused, 0 bytes sent",
        ]
    }
}
