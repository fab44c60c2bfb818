import PaviseCommands
import PavisePrimitives
import PaviseTransport
import Testing

/// `pavise connect --tls` (TR1, Documentation/Controls/Transport.md).
@Suite struct TLSOptionTests {
    @Test("TR1: a profile stays with its connection, in each later client, and no sign-in changes it by the way")
    func kept() async throws {
        let stage = try LockStage()
        stage.server.shows([])
        let answer = HTTPResponse(status: 200, fields: HTTPFields(), body: Array("files".utf8))
        for _ in 0..<2 { stage.server.willAnswer(answer) }
        let words = ["connect", "https://cloud.example", "--name", "work", "--basic", "ada", "--tls", "tr-02102-2"]
        let made = await stage.runWords(words, input: ["canary-password"])
        #expect(made.status == .done, "\(made.messages)")
        let profiles = stage.server.takeProfiles()
        #expect(!profiles.isEmpty && profiles.allSatisfy { $0 == .tr02102 })

        stage.server.willAnswer(answer)
        #expect(await stage.run("fetch", "work", "/").status == .done)
        let later = stage.server.takeProfiles()
        #expect(!later.isEmpty && later.allSatisfy { $0 == .tr02102 })

        let loosened = await stage.runWords(Array(words.dropLast()) + ["ats"], input: ["canary-password"])
        #expect(loosened.status == .failed && loosened.messages.contains("offers “tr-02102-2”"), "\(loosened.messages)")
        #expect(await stage.run("connect", "https://cloud.example", "--tls", "tls13").status == .usage)
    }
}
