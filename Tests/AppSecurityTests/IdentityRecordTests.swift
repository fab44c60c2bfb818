import PaviseTransport
import Testing

@testable import Pavise

/// The record of identities, without keychain and clock.
@Suite struct `The record of identities` {
    private func key(_ number: Int, _ chain: [[UInt8]] = []) -> IdentityRecord.Key {
        IdentityRecord.Key(tag: "org.pavise.identity.\(number)", isInElement: true, chain: chain)
    }

    @Test func `knows each key from before it is made until after it is destroyed`() throws {
        var record = IdentityRecord()
        try record.reserve(key(1), for: "a")
        #expect(record.due(at: 0) == [key(1)])
        record.request(key(1), as: "a")
        #expect(record.due(at: 0) == [])
        try record.complete("a", with: [[1]], at: 1000)
        #expect(record["a"]?.current == key(1, [[1]]))
        try record.reserve(key(2), for: "a")
        record.request(key(2), as: "a")
        #expect(record["a"]?.current == key(1, [[1]]))
        try record.complete("a", with: [[2]], at: 2000)
        #expect(record.due(at: 2000 + IdentityRecord.grace - 1) == [])
        #expect(record.due(at: 2000 + IdentityRecord.grace) == [key(1, [[1]])])
        record.forget(key(1))
        record.remove("a")
        #expect(record.entries == [] && record.due(at: 0) == [key(2, [[2]])])
        #expect(throws: ClientCertificate.Problem.notRequested("a")) { try record.complete("a", with: [], at: 0) }
    }

    @Test func `holds sixteen`() throws {
        var record = IdentityRecord()
        for number in 0..<16 {
            try record.reserve(key(number), for: "n\(number)")
            record.put(key(number, [[1]]), as: "n\(number)", at: 0)
        }
        #expect(throws: ClientCertificate.Problem.tooMany(limit: 16)) { try record.reserve(key(99), for: "more") }
        try record.reserve(key(99), for: "n3")
    }

    @Test func `can be read however often a key is replaced in a day: the oldest goes before its day is over`() throws {
        var record = IdentityRecord()
        for number in 0..<200 {
            record.put(key(number, [[1], [2]]), as: "a", at: 1000)
            for old in record.due(at: 1000) { record.forget(old) }
        }
        #expect(try IdentityRecord(decoding: record.encoded) == record)
        #expect(record.retired.count == IdentityRecord.retiredLimit)
        #expect(record.retired.last?.key == key(198, [[1]]))
    }

    @Test func `is read as it was written, and nothing else is`() throws {
        var record = IdentityRecord()
        record.put(key(1, [[1, 2], [3]]), as: "a", at: 5)
        record.request(key(2), as: "a")
        try record.reserve(key(3), for: "b")
        #expect(try IdentityRecord(decoding: record.encoded) == record)
        let text = String(decoding: record.encoded, as: UTF8.self)
        let hostile = [
            "", "{}", "[]", text.replacing("\"version\":1", with: "\"version\":0"),
            text.replacing("org.pavise.identity.1", with: "org.example.key"),
            text.replacing("\"name\":\"a\"", with: "\"name\":\"../a\""),
            text.replacing("\"element\":true", with: "\"element\":1"),
            text.replacing("AQI=", with: "?"), String(text.dropLast()),
            "{\"version\":1,\"identities\":[{\"name\":\"a\"}],\"retired\":[]}",
        ]
        for text in hostile {
            #expect(throws: ClientCertificate.Problem.damaged, "\(text)") {
                try IdentityRecord(decoding: Array(text.utf8))
            }
        }
        let newer = text.replacing("\"version\":1", with: "\"version\":2")
        #expect(throws: ClientCertificate.Problem.newer) { try IdentityRecord(decoding: Array(newer.utf8)) }
    }
}
