internal import PaviseLab

extension Scene {
    static let canaries = Scene(
        number: 3, title: "A copy of every file",
        attack: "a thief copies all files of a signed-in session and searches them",
        control: "tokens sealed with an enclave key, in an encrypted item, on encrypted pages"
    ) { stage in
        let oauth = try stage.oauth()
        let account = try await stage.signedIn(at: oauth)
        oauth.expireAccessTokens()
        try await requireAnswer(of: account, "after a refresh")
        let canaries = stage.canaries(of: oauth)
        try require(canaries.count >= 5, "expected a code and two pairs of tokens, saw \(canaries.count)")

        try stage.requireSearchFinds(canaries[0])
        let report = try stage.requireNoCanary(canaries, "after signing in and refreshing")
        return [
            "searched \(report.files) files, \(report.bytes) bytes, for \(canaries.count) codes and tokens",
            "in clear, reversed, as UTF-16, hexadecimal and base64: none found",
        ]
    }
}
