internal import Pavise
internal import PaviseLab

extension Scene {
    static let rotation = Scene(
        number: 5, title: "Rotation with reuse detection",
        attack: "the authority rotates refresh tokens and kills the whole family when one comes twice",
        control: "compare, refresh and store under one lock, shared by every session object on the device"
    ) { stage in
        let oauth = try stage.oauth()
        // Three session objects over one stored session, as an app and its extensions have.
        let first = try await stage.signedIn(at: oauth)
        let others = [try stage.app(), try stage.app()]
        let all = [first] + (try others.map { try $0.account("lab") })
        for round in 1...5 {
            oauth.expireAccessTokens()
            let answered = await withTaskGroup(of: Int.self) { group in
                for account in all { group.addTask { await callers(40, of: account) } }
                return await group.reduce(0, +)
            }
            try require(answered == 120, "round \(round): expected 120 answers, saw \(answered)")
            try require(oauth.counters.refreshes == round, "round \(round): saw \(oauth.counters.refreshes) refreshes")
        }
        let counters = oauth.counters
        try require(counters.reuseDetections == 0, "\(counters.reuseDetections) refresh tokens were spent twice")
        try require(counters.revokedFamilies == 0, "the authority ended the session")
        return ["3 session objects, 5 expiries, 600 requests: \(counters.rotations) rotations, 0 tokens spent twice"]
    }
}
