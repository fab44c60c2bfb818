internal import PaviseLab
internal import PaviseTransport

extension Scene {
    static let plainHTTP = Scene(
        number: 11, title: "Plain http",
        attack: "an address begins with http, on a network that anybody can read",
        control: "App Transport Security, decided before a connection is made"
    ) { stage in
        let server = try stage.server(nil)
        let seen = try await failure(of: try stage.client(), server.address(), "plain http")
        guard case .refusedByATS(let refusal) = seen else {
            throw SceneFailure("expected a refusal by ATS, saw \(seen)")
        }
        try require(server.counters.connections == 0, "the server was contacted")
        return ["refused: \(refusal.description)", "the server saw 0 connections"]
    }
}
