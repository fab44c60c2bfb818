internal import Pavise
internal import PaviseLab

extension Scene {
    static let plainHTTP = Scene(
        number: 11, title: "Plain http",
        attack: "an address begins with http, on a network that anybody can read",
        control: "App Transport Security, decided before a connection is made; a credential belongs to one origin"
    ) { stage in
        let (app, server) = (try stage.app(), try stage.server(nil))
        let words: String
        do throws(PaviseError) {
            _ = try await app.review(server.address())
            throw PaviseError(SceneFailure("a server without TLS was looked at"))
        } catch {
            try require(error.code == .unsafeConnection, "expected unsafeConnection, saw \(error.underlying)")
            words = error.message(in: .english)
        }
        let secure = try stage.passwordServer(try stage.authority.issue())
        let account = try await stage.account(at: try await app.review(secure.address()), as: "lab", in: app)
        let error = try await failure(of: account, at: server.address(), "a request over http")
        try require(error.code == .foreignAddress, "expected foreignAddress, saw \(error.underlying)")
        try require(server.counters.connections == 0, "the server was contacted")
        return ["refused: \(words)", "an account's request to it: refused", "the server saw 0 connections"]
    }
}
