import Foundation
import PavisePrimitives
import Testing

/// The program at a terminal of its own, where values are typed and pasted.
@Suite(.enabled(if: PaviseProcess.program != nil, "the program is not beside the tests"))
struct PastedValueTests {
    let pavise: PaviseProcess
    init() throws { pavise = try PaviseProcess() }

    @Test(arguments: ["word", "two words", String(repeating: "x", count: 4094)])
    func `a line that is typed is stored whole`(_ value: String) throws {
        let end = try pavise.typed(value + "\n", at: ["keychain", "add", "s", "a"])
        #expect(end.status == 0, "\(end.output)")
        #expect(!end.output.contains(value))
        #expect(try pavise.run("keychain", "get", "s", "a").output == value)
    }

    @Test(arguments: [
        "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIA==\n-----END PRIVATE KEY-----\n", "first\nsecond\n",
        "first\nsecond",
        "first\n\n", String(repeating: "x", count: 4095) + "\n", String(repeating: "x", count: 5000) + "\n",
    ])
    func `more than one line, and a line that the terminal cuts, are refused and nothing is stored`(_ value: String)
        throws
    {
        for words in [
            ["keychain", "add", "s", "a"], ["security", "add-generic-password", "-a", "a", "-s", "s", "-w"],
        ] {
            let end = try pavise.typed(value, at: words)
            try #require(end.status == 2, "\(end.output)")
            #expect(end.output.contains("More was typed or pasted than one line"), "\(end.output)")
            #expect(try pavise.run("keychain", "get", "s", "a").status == 1)
        }
    }
}
