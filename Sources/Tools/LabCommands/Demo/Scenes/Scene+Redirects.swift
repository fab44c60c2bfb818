internal import PaviseLab
internal import PavisePrimitives
internal import PaviseTransport

extension Scene {
    static let redirects = Scene(
        number: 10, title: "Redirects that steal",
        attack: "the server sends the client, bearer and all, to another origin and from https to http",
        control: "redirects are reported, never followed; a credential belongs to one origin"
    ) { stage in
        let thief = try stage.server(try stage.authority.issue())
        let plain = try stage.server(nil)
        let client = try stage.client()
        let secret = "canary-\(UInt64.random(in: .min ... .max))"
        var evidence: [String] = []
        for status in [301, 302, 303, 307, 308] {
            for (target, concern) in [(thief, RedirectReport.Concern.otherOrigin), (plain, .downgrade)] {
                let server = try stage.server(try stage.authority.issue()) { _ in
                    .redirect(status, to: target.address("/collect"))
                }
                let address = try url(server.address("/private"))
                let bearer = Authorization(
                    scheme: "Bearer", credential: SecretBytes(utf8: secret), origin: address.origin)
                let response = try await client.send(HTTPRequest("GET", address), with: bearer)
                try require(response.status == status, "expected the \(status) itself, saw \(response.status)")
                guard let report = response.redirect else { throw SceneFailure("\(status): not reported") }
                try require(report.concerns.contains(concern), "\(status): expected \(concern), saw \(report.concerns)")
                let arrived = server.requests.first?.field("Authorization")
                try require(arrived == "Bearer \(secret)", "the right server did not get its bearer")
            }
            evidence.append("\(status) to another origin and to http: reported, not followed")
        }
        for (server, name) in [(thief, "the other origin"), (plain, "the http server")] {
            try require(server.counters.connections == 0, "\(name) was contacted")
            try requireSilence(server, name)
        }
        try await refusesForeignCredential(client, thief, secret)
        return evidence + ["both targets saw 0 connections and 0 bytes of the bearer"]
    }

    // A caller that follows by hand, with the old credential, is stopped as well.
    private static func refusesForeignCredential(
        _ client: CurlTransport, _ thief: LabServer, _ secret: String
    ) async throws {
        let foreign = try url("https://127.0.0.1:9/").origin
        let bearer = Authorization(scheme: "Bearer", credential: SecretBytes(utf8: secret), origin: foreign)
        do throws(TransportFailure) {
            _ = try await client.send(HTTPRequest("GET", try url(thief.address())), with: bearer)
        } catch {
            guard case .credentialRefused = error else {
                throw SceneFailure("expected credentialRefused, saw \(error)")
            }
            return try requireSilence(thief, "the other origin")
        }
        throw SceneFailure("a credential crossed origins")
    }
}
