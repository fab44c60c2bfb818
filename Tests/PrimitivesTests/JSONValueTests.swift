import PavisePrimitives
import Testing

@Suite struct JSONValueTests {
    @Test(arguments: [
        #"{"a":1,"b":[true,false,null],"c":{"d":"e"}}"#, #""\u00e9\ud83d\ude00""#, "-0.5e+10", "0", "[]", "{}",
        " [ 1 , 2 ] ",
    ])
    func `valid text is read`(_ text: String) {
        #expect(throws: Never.self) { try JSONValue.parse(Array(text.utf8)) }
    }

    @Test(arguments: [
        "", " ", "{", "[1,]", "{\"a\":1,}", "{a:1}", "01", "1.", ".5", "+1", "1e", "nul", "tru", "'a'", "\"\n\"",
        "\"\\x\"",
        "\"\\u12\"", "\"\\ud800\"", "\"\\udc00\"", "\"\\ud800\\u0041\"", "1 2", "\u{FEFF}{}", "[1 2]", "{\"a\" 1}",
        "\"open",
        "NaN", "Infinity", "[1]x", "/*c*/1",
    ])
    func `anything else is refused`(_ text: String) {
        #expect(throws: JSONFailure.self) { try JSONValue.parse(Array(text.utf8)) }
    }

    @Test func `a name that stands twice is refused`() {
        #expect(throws: JSONFailure.duplicateMember("a")) { try JSONValue.parse(Array(#"{"a":1,"\u0061":2}"#.utf8)) }
    }

    @Test(arguments: [1, 2, 15, 16, 17, 18, 40])
    func `a name that stands there twice is refused among few members and among many`(count: Int) throws {
        let members = (0..<count).map { "\"m\($0)\":\($0)" }
        #expect(try JSONValue.parse(Array("{\(members.joined(separator: ","))}".utf8)).members?.count == count)
        for index in 0..<count {
            let text = "{\((members + ["\"m\(index)\":0"]).joined(separator: ","))}"
            #expect(throws: JSONFailure.duplicateMember("m\(index)")) { try JSONValue.parse(Array(text.utf8)) }
        }
    }

    @Test func `depth and size are bounded`() {
        let deep = [UInt8](repeating: 0x5B, count: 20_000)
        #expect(throws: JSONFailure.tooDeep(limit: 16)) { try JSONValue.parse(deep) }
        for (count, isTaken) in [(16, true), (17, false)] {
            let text = String(repeating: "[", count: count) + String(repeating: "]", count: count)
            #expect(((try? JSONValue.parse(Array(text.utf8))) != nil) == isTaken)
        }
        #expect(throws: JSONFailure.tooLarge(limit: 10)) {
            try JSONValue.parse([UInt8](repeating: 0x20, count: 11), limit: 10)
        }
    }

    @Test func `text that is not UTF-8 is refused`() {
        #expect(throws: JSONFailure.malformed(offset: 0)) { try JSONValue.parse([0x22, 0xFF, 0x22]) }
    }

    @Test func `written text is read back equal`() throws {
        let value = JSONValue.fields([
            "text": "a\"b\\c\n\u{7}é😀", "number": 42, "list": [1, true, .null], "none": nil,
            "object": .fields(["x": "y"]),
        ])
        #expect(try JSONValue.parse(Array(value.text.utf8)) == value)
        #expect(try JSONValue.parse(Array(value.prettyText.utf8)) == value)
    }

    @Test(arguments: [
        #"{"token":"abc","x":1}"#, #"{ "x" : [1] , "token" : "a\u0062\"c\\\/\n" }"#, #"{"token":""}"#,
        #"{"token":"naïve"}"#,
        #"{"token":"\ud83d\ude00"}"#, #"{"y":"token","token":"\#(String(repeating: "x", count: 9000))"}"#,
    ])
    func `a hidden text is read as another one is, and no text is made of it`(_ text: String) throws {
        let plain = try JSONValue.parse(Array(text.utf8))
        let parted = try JSONValue.parse(Array(text.utf8), hiding: ["token", "other"])
        let bytes = try #require(parted.secrets["token"]).bytes.withBytes { span in Array(span) }
        #expect(String(decoding: bytes, as: UTF8.self) == plain["token"]?.string)
        #expect(parted.secrets.count == 1 && parted.value["token"] == "")
        #expect(parted.value.members?.map(\.name) == plain.members?.map(\.name))
        var shown = "\(parted)"
        dump(parted, to: &shown)
        #expect(!shown.contains("abc"))
    }

    @Test(arguments: [
        #"{"token":5}"#, #"{"token":null}"#, #"{"a":{"token":"x"}}"#, #"["token","x"]"#, #""token""#, "{}",
    ])
    func `what is no text of the object itself is not hidden`(_ text: String) throws {
        let parted = try JSONValue.parse(Array(text.utf8), hiding: ["token"])
        #expect(parted.secrets.isEmpty)
        #expect(try parted.value == JSONValue.parse(Array(text.utf8)))
    }

    @Test(arguments: [
        #"{"token":"a","token":"b"}"#, #"{"token":"a"#, #"{"token":"a\"#, #"{"token":"a\u00"}"#, "{\"token\":\"a\n\"}",
        #"{"token":"\ud800"}"#,
    ])
    func `a hidden text is as strict as another one`(_ text: String) {
        #expect(throws: JSONFailure.self) { try JSONValue.parse(Array(text.utf8), hiding: ["token"]) }
    }
}
