import Foundation
import PavisePrimitives
import Testing

@Suite struct `Decoding a JSON value` {
    private enum Mood: String, Codable { case calm, cross }

    private struct Part: Codable, Equatable {
        var number: UInt8
        var mood: Mood?
    }

    private enum Choice: Codable, Equatable {
        case none
        case several(parts: [Part], isLast: Bool)
    }

    private struct Whole: Codable, Equatable {
        var name: String
        var count: Int64
        var share: Double
        var parts: [Part]
        var sets: [[Int]]
        var choice: Choice
        var remark: String?
    }

    private let whole = Whole(
        name: "täglich", count: .min, share: 0.25,
        parts: [Part(number: 255, mood: .cross), Part(number: 0, mood: nil)], sets: [[], [1, -2]],
        choice: .several(parts: [Part(number: 7, mood: .calm)], isLast: true), remark: nil)

    private func decode<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> Value {
        try JSONValue.parse(Array(text.utf8), limit: 4096).decoded(as: type)
    }

    @Test func `gives back what Foundation encoded`() throws {
        let text = String(decoding: try JSONEncoder().encode(whole), as: UTF8.self)
        #expect(try decode(Whole.self, text) == whole)
        #expect(try decode([Choice].self, #"[{"none":{}}]"#) == [.none])
    }

    @Test func `takes a member that is null for one that is not there, where it may be absent`() throws {
        #expect(try decode(Part.self, #"{"number":1,"mood":null}"#) == Part(number: 1, mood: nil))
    }

    @Test(arguments: [
        "{}", "[]", "1", "null", #"{"number":null}"#, #"{"number":"1"}"#, #"{"number":256}"#, #"{"number":-1}"#,
        #"{"number":1.5}"#, #"{"number":1e2}"#, #"{"number":true}"#, #"{"number":[1]}"#, #"{"number":1,"mood":"glad"}"#,
        #"{"number":1,"mood":{}}"#,
    ])
    func `refuses what is missing or of another kind`(text: String) {
        #expect(throws: DecodingError.self) { try decode(Part.self, text) }
    }

    @Test(arguments: ["1e999", "-1e999", "1e309"])
    func `refuses a number beyond the greatest one, as Foundation does, and makes no infinity of it`(text: String) {
        let bytes = Data("[\(text)]".utf8)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode([Double].self, from: bytes) }
        #expect(throws: DecodingError.self) { try decode([Double].self, "[\(text)]") }
        #expect(throws: DecodingError.self) { try decode([Float].self, "[\(text)]") }
    }

    @Test func `refuses a number that only a wider type has`() throws {
        #expect(try decode([Double].self, "[1e39, 0.5, -3, 1e-400]") == [1e39, 0.5, -3, 0])
        #expect(throws: DecodingError.self) { try decode([Float].self, "[1e39]") }
        #expect(try decode([Float].self, "[0.5, -3]") == [0.5, -3])
    }
}
