import PavisePrimitives
import PaviseTransport
import PaviseVault
import Testing

@testable import PaviseSession

/// The record's bytes: whole, or damage; never a guess, never a trap.
@Suite struct RecordTests {
    private func record() throws -> SessionRecord {
        let now = Moment(wall: 1_900_000_000_000, boot: 5_000, epoch: "b")
        let server = TokenServer(
            issuer: "https://id.example", clientID: "app", tokenEndpoint: try WebURL("https://id.example//token"))
        let grant = TokenGrant(
            accessToken: SharedSecret("canary-at"), refreshToken: SharedSecret("canary-rt"), lifetime: 60,
            scopes: ["a", "b"])
        return SessionRecord(
            beginning: grant, server: server, resource: Origin(scheme: .https, host: "::1", port: 8443),
            identity: .init(issuer: "https://id.example", subject: "ann"), scopes: [],
            after: Stamp(epoch: 3, generation: 9), at: now
        ).journaling(owner: 7, at: now).rejectedOnce(at: now)
    }

    @Test func `a record survives its bytes`() throws {
        let one = try record()
        let other = try SessionRecord(decoding: one.encoded())
        #expect(other.encoded() == one.encoded())
        #expect(other.stamp == Stamp(epoch: 4, generation: 10))
        #expect(other.refresh?.text == "canary-rt")
        #expect(other.pending?.owner == 7)
        #expect(other.resource == one.resource)
        #expect(other.server.tokenEndpoint.description == "https://id.example//token")
    }

    @Test func `every cut is damage`() throws {
        let bytes = try record().encoded()
        for count in 0..<bytes.count {
            #expect(throws: VaultFailure.corrupt(.content)) { try SessionRecord(decoding: Array(bytes.prefix(count))) }
        }
        #expect(throws: VaultFailure.corrupt(.content)) { try SessionRecord(decoding: bytes + [0]) }
    }

    @Test func `any changed byte is damage or another record, never a trap`() throws {
        let bytes = try record().encoded()
        for index in bytes.indices {
            for bit in [UInt8(1), 0x80, 0xFF] {
                var changed = bytes
                changed[index] ^= bit
                _ = try? SessionRecord(decoding: changed)
            }
        }
    }

    @Test func `an ended record holds no token`() throws {
        for ending in [SessionRecord.Ending.signedOut] + ReloginReason.allCases.map({ .relogin($0) }) {
            let ended = try record().ended(ending, at: Moment(wall: 0, boot: 9_000, epoch: "b"))
            let text = String(decoding: ended.encoded(), as: UTF8.self)
            #expect(!text.contains("canary"))
            #expect(try SessionRecord(decoding: ended.encoded()).ending == ending)
        }
    }
}
