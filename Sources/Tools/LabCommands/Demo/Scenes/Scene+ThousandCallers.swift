internal import Pavise
internal import PaviseLab
internal import PaviseTransport

extension Scene {
    static let thousandCallers = Scene(
        number: 4, title: "A thousand callers meet an expired token",
        attack: "the access token expires while 1,000 requests are on their way",
        control: "one refresh, joined inside the critical section by the token's generation"
    ) { stage in
        let oauth = try stage.oauth()
        let account = try await stage.signedIn(at: oauth)
        oauth.expireAccessTokens()
        let answered = await callers(1000, of: account)
        let counters = oauth.counters
        try require(answered == 1000, "expected 1,000 answers, saw \(answered)")
        try require(counters.refreshes == 1, "expected 1 refresh, saw \(counters.refreshes)")
        try require(counters.reuseDetections == 0, "a refresh token was spent twice")
        return ["1,000 callers, 1 refresh, \(answered) answers of 200, \(counters.refusedCalls) of them after a 401"]
    }

    /// Sends `count` requests at once and tells how many were answered 200.
    static func callers(_ count: Int, of account: Account) async -> Int {
        await withTaskGroup(of: Bool.self) { group in
            for number in 0..<count {
                group.addTask {
                    guard let url = try? account.connection.url("/api/\(number)") else { return false }
                    return (try? await account.send(HTTPRequest("GET", url)))?.status == 200
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
    }
}
