import Foundation
import Strict
import Testing

@Suite struct StrictSuite {
    @Test func aTokenIsStoredAndReplaced() async throws {
        let store = TokenStore(service: "org.example.strict")
        try await store.store(Data("one".utf8), as: "token")
        try await store.store(Data("two".utf8), as: "token")
        #expect(try await store.token("token") == Data("two".utf8))
        await store.remove("token")
        #expect(try await store.token("token") == nil)
    }

    @Test func aKeySignsInAnotherTask() async throws {
        #expect(try await SigningKey().sign(Data("x".utf8)).isEmpty == false)
    }
}
