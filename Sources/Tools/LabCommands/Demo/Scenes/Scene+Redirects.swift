internal import Pavise
internal import PaviseLab
internal import PaviseTransport

extension Scene {
    static let redirects = Scene(
        number: 10, title: "Redirects that steal",
        attack: "the server sends the client, credential and all, to another origin and from https to http",
        control: "redirects are reported, never followed; a credential belongs to one origin"
    ) { stage in
        let thief = try stage.server(try stage.authority.issue())
        let plain = try stage.server(nil)
        let app = try stage.app()
        var evidence: [String] = []
        for status in [301, 302, 303, 307, 308] {
            for (target, concern) in [(thief, RedirectReport.Concern.otherOrigin), (plain, .downgrade)] {
                let server = try stage.passwordServer(try stage.authority.issue()) { request in
                    request.path == "/private" ? .redirect(status, to: target.address("/collect")) : .text("welcome")
                }
                let account = try await stage.account(
                    at: try await app.review(server.address()), as: "\(concern)-\(status)", in: app)
                let response = try await account.send(HTTPRequest("GET", try url(server.address("/private"))))
                try require(response.status == status, "expected the \(status) itself, saw \(response.status)")
                guard let report = response.redirect else { throw SceneFailure("\(status): not reported") }
                try require(report.concerns.contains(concern), "\(status): expected \(concern), saw \(report.concerns)")
                // A caller that follows by hand, with the account's credential, is stopped as well.
                let error = try await failure(of: account, at: target.address("/collect"), "followed by hand")
                try require(error.code == .foreignAddress, "expected foreignAddress, saw \(error.underlying)")
            }
            evidence.append("\(status) to another origin and to http: reported, not followed")
        }
        for (server, name) in [(thief, "the other origin"), (plain, "the http server")] {
            try require(server.counters.connections == 0, "\(name) was contacted")
            try await requireSilence(server, name)
        }
        return evidence + ["both targets saw 0 connections and 0 bytes of the password"]
    }
}
