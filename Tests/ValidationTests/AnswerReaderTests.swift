import PaviseValidation
import Testing

@Suite struct AnswerReaderTests {
    enum Kind: String { case folder, file }

    private func reader(_ text: String) throws(AnswerProblem) -> AnswerReader { try AnswerReader(Array(text.utf8)) }

    private func problem(_ text: String, _ read: (AnswerReader) throws -> Void = { _ in }) -> AnswerProblem? {
        do {
            try read(try reader(text))
            return nil
        } catch {
            return error as? AnswerProblem
        }
    }

    @Test func `an answer is read into types`() throws {
        let answer = try reader(
            #"{"name":"Ada","size":42,"ok":true,"kind":"file","owner":{"id":"u1"},"tags":["a","b"],"files":[{"n":1},{"n":2}],"more":{}}"#
        )
        #expect(try answer.text("name", 1...10) == "Ada")
        #expect(try answer.integer("size", 0...100) == 42)
        #expect(try answer.flag("ok"))
        #expect(try answer.choice("kind", of: Kind.self) == .file)
        #expect(try answer.object("owner").text("id", 1...8) == "u1")
        #expect(try answer.texts("tags", atMost: 2, 1...1) == ["a", "b"])
        #expect(try answer.objects("files", atMost: 2).map { try $0.integer("n", 1...2) } == [1, 2])
        let note = try answer.optional("note") { try $0.text($1, 0...10) }
        #expect(note == nil)
    }

    @Test func `what is missing, of another type or out of bounds is named, and no value is`() throws {
        let text =
            #"{"name":"secret","size":"42","big":1e400,"half":1.5,"none":null,"ctl":"a\u0007b","files":[{},7],"kind":"other","tags":["a","b\u001b[2J"]}"#
        #expect(problem(text) { _ = try $0.text("title", 0...9) } == .missing(place: "title"))
        #expect(problem(text) { _ = try $0.text("none", 0...9) } == .missing(place: "none"))
        #expect(problem(text) { _ = try $0.text("name", 0...5) } == .outOfBounds(place: "name"))
        #expect(problem(text) { _ = try $0.text("ctl", 0...5) } == .outOfBounds(place: "ctl"))
        #expect(problem(text) { _ = try $0.texts("tags", atMost: 2, 1...9) } == .outOfBounds(place: "tags[1]"))
        for name in ["size", "big", "half"] {
            #expect(
                problem(text) { _ = try $0.integer(name, 0...99) }
                    == .wrongType(place: name, expected: "a whole number"))
        }
        #expect(problem(text) { _ = try $0.flag("size") } == .wrongType(place: "size", expected: "true or false"))
        #expect(problem(text) { _ = try $0.choice("kind", of: Kind.self) } == .unknownChoice(place: "kind"))
        #expect(problem(text) { _ = try $0.objects("files", atMost: 1) } == .outOfBounds(place: "files"))
        #expect(
            problem(text) { _ = try $0.objects("files", atMost: 2) }
                == .wrongType(place: "files[1]", expected: "an object"))
        #expect(
            problem(text) { _ = try $0.objects("files", atMost: 1 << 30)[0].text("n", 0...1) }
                == .wrongType(place: "files[1]", expected: "an object"))
        #expect(
            problem(text) { reader in _ = try reader.optional("size") { try $0.integer($1, 0...99) } }
                == .wrongType(place: "size", expected: "a whole number"))
        #expect(problem(text) { _ = try $0.text("name", 0...5) }?.description.contains("secret") == false)
    }

    @Test(arguments: [
        "", "<!doctype html><title>Sign in</title>", "[]", "1", "\"a\"", "null", "{", "{}x", "\u{FEFF}{}", "{'a':1}",
    ])
    func `anything but one object is refused`(_ text: String) { #expect(problem(text) != nil) }

    @Test func `size, depth and doubled names are bounded`() {
        let deep = String(repeating: "{\"a\":", count: 10_000) + "1" + String(repeating: "}", count: 10_000)
        #expect(problem(deep) == .tooDeep(limit: 16))
        #expect(problem("{\"a\":\"" + String(repeating: "x", count: 1 << 20) + "\"}") == .tooLarge(limit: 1 << 20))
        #expect(problem(#"{"a":1,"a":2}"#) == .duplicateMember)
    }
}
