import PaviseArguments
import Testing

@Suite struct ParserTests {
    @Test(arguments: [
        ["send", "--size", "7", "lamp"], ["send", "--size=7", "lamp"], ["send", "-s", "7", "lamp"],
        ["send", "-s7", "lamp"], ["send", "lamp", "--size", "7"], ["send", "-gs7", "lamp"],
    ])
    func `an option may be written in each of the usual ways`(_ words: [String]) throws {
        let invocation = try Shop.run(words)
        #expect(invocation[Shop.size] == 7)
        #expect(try invocation.value(Shop.item) == "lamp")
        #expect(invocation[Shop.customer] == nil)
    }

    @Test func `an optional argument in front of a required one is filled only when both are given`() throws {
        let one = try Shop.run(["send", "lamp"])
        #expect(one[Shop.customer] == nil)
        #expect(try one.value(Shop.item) == "lamp")
        let both = try Shop.run(["send", "ada", "lamp"])
        #expect(both[Shop.customer] == "ada")
        #expect(try both.value(Shop.item) == "lamp")
    }

    @Test func `repeated options keep their order and flags may share a dash`() throws {
        let invocation = try Shop.run(["send", "-c", "red", "lamp", "--colour=blue", "-fg"])
        #expect(invocation[Shop.colour] == ["red", "blue"])
        #expect(invocation[Shop.gift])
        #expect(invocation[Shop.fast])
        #expect(invocation[Shop.note] == nil)
    }

    @Test func `what stands behind two dashes is an argument, whatever it looks like`() throws {
        let invocation = try Shop.run(["send", "-g", "--", "--help", "-x"])
        #expect(invocation[Shop.customer] == "--help")
        #expect(try invocation.value(Shop.item) == "-x")
    }

    @Test func `the last argument may be repeated, and each word of it is checked`() throws {
        #expect(try Shop.run(["tidy", "top"])[Shop.shelves] == ["top"])
        let invocation = try Shop.run(["tidy", "ada", "top", "-g", "low", "middle"])
        #expect(invocation[Shop.customer] == "ada")
        #expect(invocation[Shop.shelves] == ["top", "low", "middle"])
        #expect(throws: UsageError.self) { try Shop.run(["tidy"]) }
        #expect(throws: UsageError.self) { try Shop.run(["tidy", "ada", "top", "none"]) }
        #expect(HelpText(Shop.tidy, calledBy: ["shop", "tidy"]).usage == "shop tidy [options] [CUSTOMER] SHELF…")
    }

    @Test func `one dash is an argument and a value`() throws {
        #expect(try Shop.run(["send", "-"]).value(Shop.item) == "-")
        #expect(try Shop.run(["send", "--note", "-", "lamp"])[Shop.note] == "-")
    }

    @Test func `a value may be empty or hold an equals sign`() throws {
        #expect(try Shop.run(["send", "--note=", "lamp"])[Shop.note] == "")
        #expect(try Shop.run(["send", "--note=a=b", "lamp"])[Shop.note] == "a=b")
    }

    @Test(arguments: [
        (["--help"], []), (["-h"], []), (["help"], []), (["help", "send"], ["send"]), (["send", "--help"], ["send"]),
        (["send", "--size", "7", "-h"], ["send"]), (["stock", "-h"], ["stock"]),
        (["help", "stock", "fill"], ["stock", "fill"]), (["stock", "fill", "--help"], ["stock", "fill"]),
    ])
    func `help is found for each command`(_ words: [String], _ path: [String]) throws {
        guard case .help(let found) = try Shop.parser.parse(words) else { throw Shop.Unexpected() }
        #expect(found == path)
        #expect(Shop.parser.command(at: found)?.name == path.last ?? "shop")
    }

    @Test func `the version is asked for before a command`() throws {
        guard case .version = try Shop.parser.parse(["--version"]) else { throw Shop.Unexpected() }
        #expect(throws: UsageError.self) { try Shop.parser.parse(["send", "--version"]) }
    }
}
