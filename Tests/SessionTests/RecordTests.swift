import PavisePrimitives
import PaviseTransport
import PaviseVault
import Testing

@testable import PaviseSession

/// The record's bytes: whole, or damage; never a guess, never a trap.
@Suite struct RecordTests {
    private let thumbprint = String(repeating: "k", count: 43)

    private func record(
        binding: String? = nil, _ authentication: ClientAuthentication? = nil
    ) throws -> SessionRecord {
        let now = ClockReading(wall: 1_900_000_000_000, continuous: 5_000, boot: "b")
        let server = TokenServer(
            issuer: "https://id.example", clientID: "app", tokenEndpoint: try WebURL("https://id.example//token"),
            authentication: authentication)
        let grant = TokenGrant(
            accessToken: SharedSecretBytes("canary-at"), refreshToken: SharedSecretBytes("canary-rt"), lifetime: 60,
            scopes: ["a", "b"])
        return SessionRecord(
            beginning: grant, server: server, resource: Origin(scheme: .https, host: "::1", port: 8443),
            identity: .init(issuer: "https://id.example", subject: "ann"), scopes: [],
            binding: binding, after: TokenVersion(epoch: 3, generation: 9), at: now
        ).journaling(owner: 7, at: now).rejectedOnce(at: now)
    }

    @Test func `a record survives its bytes`() throws {
        let one = try record()
        let other = try SessionRecord(decoding: one.encoded())
        #expect(other.encoded() == one.encoded())
        #expect(other.stamp == TokenVersion(epoch: 4, generation: 10))
        #expect(other.refresh?.text == "canary-rt")
        #expect(other.pending?.owner == 7)
        #expect(other.resource == one.resource)
        #expect(other.server.tokenEndpoint.description == "https://id.example//token")
    }

    @Test(arguments: ClientAuthentication.Method.allCases, [false, true])
    func `a client secret is part of the record, which ends with it`(
        _ method: ClientAuthentication.Method, _ isBound: Bool
    ) throws {
        let secret = ClientAuthentication(method, secret: SharedSecretBytes("canary-cs"))
        let one = try record(binding: isBound ? thumbprint : nil, secret)
        let bytes = one.encoded()
        #expect(bytes.first == 3)
        let other = try SessionRecord(decoding: bytes)
        #expect(other.server == one.server && other.binding == one.binding && other.encoded() == bytes)
        for count in 0..<bytes.count {
            #expect(throws: VaultFailure.corrupt(.content)) { try SessionRecord(decoding: Array(bytes.prefix(count))) }
        }
        for ending in [SessionRecord.Ending.signedOut, .relogin(.expired)] {
            let ended = one.ended(ending, at: ClockReading(wall: 0, continuous: 9_000, boot: "b"))
            #expect(!String(decoding: ended.encoded(), as: UTF8.self).contains("canary"))
        }
    }

    @Test func `a record without a secret has the bytes that it always had, and another number is damage`() throws {
        let bytes = try record().encoded()
        #expect(bytes.first == 1)
        let old = try SessionRecord(decoding: bytes)
        #expect(old.server.authentication == nil && old.refresh?.text == "canary-rt")
        for version in [UInt8(0), 4] {
            #expect(throws: VaultFailure.corrupt(.content)) {
                try SessionRecord(decoding: [version] + bytes.dropFirst())
            }
        }
    }

    @Test(arguments: [false, true], [nil, ClientAuthentication.Method.basic])
    func `S6: the time without a refresh is part of the record once a boot lies in it`(
        _ isBound: Bool, _ method: ClientAuthentication.Method?
    ) throws {
        let secret = method.map { ClientAuthentication($0, secret: SharedSecretBytes("canary-cs")) }
        let one = try record(binding: isBound ? thumbprint : nil, secret)
        #expect(one.idle == nil)
        // Set back by 60 years, and running for nine seconds.
        let aged = one.aged(to: ClockReading(wall: 7, continuous: 9_000, boot: "c"))
        let bytes = aged.encoded()
        #expect(bytes.first == 4 && aged.idle == 9_000 && aged.aged.wall == one.aged.wall + 9_000)
        let read = try SessionRecord(decoding: bytes)
        #expect(read.idle == 9_000 && read.binding == one.binding && read.server == one.server)
        #expect(read.encoded() == bytes)
        for count in 0..<bytes.count {
            #expect(throws: VaultFailure.corrupt(.content)) { try SessionRecord(decoding: Array(bytes.prefix(count))) }
        }
        // It is the last number, and below zero it would give more time than there is.
        #expect(throws: VaultFailure.corrupt(.content)) {
            try SessionRecord(decoding: bytes.dropLast(8) + [0x80] + bytes.suffix(7))
        }
        let renewed = read.renewed(
            by: TokenGrant(accessToken: SharedSecretBytes("at"), refreshToken: nil, lifetime: 60),
            at: ClockReading(wall: 8, continuous: 10_000, boot: "c"))
        #expect(renewed.idle == nil && renewed.encoded().first != 4)
    }

    @Test func `a record of bearer tokens has the form that the first version wrote`() throws {
        let bytes = try record().encoded()
        #expect(bytes.first == 1)
        #expect(try SessionRecord(decoding: bytes).binding == nil)
    }

    @Test func `a bound record keeps its key's thumbprint, and is no record for who does not know the form`() throws {
        let bytes = try record(binding: thumbprint).encoded()
        #expect(bytes.first == 2)
        let read = try SessionRecord(decoding: bytes)
        #expect(read.binding == thumbprint && read.encoded() == bytes)
        // A bound record that calls itself a bearer record, the other way round, and one without its thumbprint.
        #expect(throws: VaultFailure.corrupt(.content)) { try SessionRecord(decoding: [1] + bytes.dropFirst()) }
        let bearer = try record().encoded()
        #expect(throws: VaultFailure.corrupt(.content)) { try SessionRecord(decoding: [2] + bearer.dropFirst()) }
        #expect(throws: VaultFailure.corrupt(.content)) { try SessionRecord(decoding: record(binding: "").encoded()) }
        #expect(throws: VaultFailure.corrupt(.content)) {
            try SessionRecord(decoding: record(binding: "short").encoded())
        }
        #expect(throws: VaultFailure.corrupt(.content)) { try SessionRecord(decoding: [3] + bytes.dropFirst()) }
    }

    @Test(arguments: [false, true])
    func `every cut is damage`(_ isBound: Bool) throws {
        let bytes = try record(binding: isBound ? thumbprint : nil).encoded()
        for count in 0..<bytes.count {
            #expect(throws: VaultFailure.corrupt(.content)) { try SessionRecord(decoding: Array(bytes.prefix(count))) }
        }
        #expect(throws: VaultFailure.corrupt(.content)) { try SessionRecord(decoding: bytes + [0]) }
    }

    @Test func `any changed byte is damage or another record, never the same one`() throws {
        let bytes = try record().encoded()
        var (damaged, others) = (0, 0)
        for index in bytes.indices {
            for bit in [UInt8(1), 0x80, 0xFF] {
                var changed = bytes
                changed[index] ^= bit
                do throws(VaultFailure) {
                    let other = try SessionRecord(decoding: changed)
                    others += 1
                    // What was changed is read as it stands: it is neither left out nor mended.
                    #expect(other.encoded() == changed, "byte \(index), bits \(bit)")
                } catch {
                    damaged += 1
                    // Another number of the form may be a later one.
                    let isNewer = index == 0 && error == .newer
                    #expect(isNewer || error == .corrupt(.content), "byte \(index), bits \(bit)")
                }
            }
        }
        #expect(damaged > 100 && others > 100)
    }

    @Test func `an ended record holds no token`() throws {
        for ending in [SessionRecord.Ending.signedOut] + ReloginReason.allCases.map({ .relogin($0) }) {
            let ended = try record().ended(ending, at: ClockReading(wall: 0, continuous: 9_000, boot: "b"))
            let text = String(decoding: ended.encoded(), as: UTF8.self)
            #expect(!text.contains("canary"))
            #expect(try SessionRecord(decoding: ended.encoded()).ending == ending)
        }
    }
}
