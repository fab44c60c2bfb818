import Foundation
import PaviseArguments
import Testing

@testable import PaviseCommands
@testable import PaviseLabCommands

/// `""` is mostly a variable of a script that was not set: no command takes it for a name, a path or an address.
@Suite struct EmptyValueTests {
    struct Place: Sendable, CustomTestStringConvertible {
        let program: String
        let path: [String]
        let words: [String]
        let spelling: String
        var testDescription: String { "\(program) \(path.joined(separator: " ")): \(spelling)" }
    }

    /// Every argument and option of every command that has a value, with the words that leave it empty.
    private static let places: [Place] = {
        var places: [Place] = []
        let commands = Program.actions.map { ("pavise", $0) } + LabProgram.actions.map { ("pavise-lab", $0) }
        for (program, (path, action)) in commands {
            let arguments = action.command.parameters.filter { $0.kind == .argument }
            let good = arguments.map { $0.problem("x") == nil ? "x" : "https://example.org" }
            for (index, argument) in arguments.enumerated() where !argument.allowsEmpty {
                var words = good
                words[index] = ""
                places.append(Place(program: program, path: path, words: words, spelling: argument.spelling))
            }
            for option in action.command.parameters where option.kind == .option && !option.allowsEmpty {
                let required = zip(arguments, good).filter(\.0.isRequired).map(\.1)
                let words = ["\(option.spelling)="] + required
                places.append(Place(program: program, path: path, words: words, spelling: option.spelling))
            }
        }
        return places
    }()

    @Test(arguments: places)
    func `an empty name, path or address is a matter of usage, and names its place`(_ place: Place) throws {
        let root = place.program == "pavise" ? Program.commands.root : LabProgram.commands.root
        let failure = #expect(throws: UsageError.self) { try Parser(root).parse(place.path + place.words) }
        let message = failure?.message(program: place.program) ?? ""
        #expect(message.hasPrefix("\(place.spelling) is empty. See “\(place.program) help "), "\(message)")
    }

    @Test func `that is every place but those where nothing is a value`() {
        #expect(Self.places.count > 80)
        let actions = Program.actions + LabProgram.actions
        let free = actions.flatMap { entry in
            entry.action.command.parameters.filter(\.allowsEmpty).map { "\(entry.path[0]) \($0.spelling)" }
        }
        #expect(free == ["fetch --data"])
    }

    @Test(arguments: [
        ["certificate", "show", ""], ["fetch", ""], ["fetch", "", "/api/me"], ["document", "show", ""],
        ["disconnect", ""], ["connect", ""], ["pin", "x", ""], ["ats", "diagnose", "example.org", ""],
        ["keychain", "get", "", "ada"], ["log", "check", ""], ["", "x"], ["keychain", ""],
    ])
    func `the program ends with 2, prints nothing and makes nothing`(_ words: [String]) async throws {
        let stage = Stage()
        #expect(await stage.run(words) == .usage)
        #expect(stage.output.text.isEmpty && !stage.messages.text.contains("“”"), "\(stage.messages.text)")
        #expect(!FileManager.default.fileExists(atPath: "/nowhere"))
    }

    // What Swift makes of the arguments `a\xff` and `a\xfe` alike.
    @Test(arguments: [
        ["fetch", "/api/me", "--output", "a\u{FFFD}"], ["keychain", "add", "mail", "a\u{FFFD}"],
        ["files", "get", "notes", "a\u{FFFD}"], ["security", "find-generic-password", "-s", "a\u{FFFD}"],
        ["audit", "a\u{FFFD}"], ["database", "dump", "nights", "--json", "a\u{FFFD}"], ["\u{FFFD}"],
    ])
    func `CL15: bytes that are no UTF-8 are no name, and no file is another one's`(_ words: [String]) async throws {
        let stage = Stage()
        #expect(await stage.run(words) == .usage)
        let isJSON = words.contains("--json")
        #expect((isJSON ? stage.output : stage.messages).text.contains("no UTF-8"))
        #expect((isJSON ? stage.messages : stage.output).text.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: "/nowhere"))
    }

    @Test(arguments: [" ", "\t", "\u{A0}"])
    func `a place of blanks is no host without a name`(_ text: String) async {
        let stage = Stage()
        #expect(await stage.run("certificate", "show", text) == .usage)
        #expect(!stage.messages.text.contains("“”"), "\(stage.messages.text)")
    }
}
