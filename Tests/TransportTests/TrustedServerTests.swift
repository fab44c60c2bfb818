import PaviseLab
import PaviseTransport
import Testing

@Suite struct `A server with a valid certificate` {
    @Test func `answers, and the connection's facts are known`() async throws {
        let lab = try TestLab()
        let answer = try await lab.get()
        #expect(answer.status == 200)
        #expect(String(decoding: answer.body, as: UTF8.self) == "hello")
        #expect(answer.connection.tlsVersion == "TLSv1.3")
        #expect(answer.connection.httpVersion == "1.1")
        #expect(answer.connection.leafSPKI == lab.identity.pin)
        #expect(answer.redirect == nil)
    }
}
