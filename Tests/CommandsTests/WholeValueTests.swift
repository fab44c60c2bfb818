import Foundation
import PavisePrimitives
import TestSupport
import Testing

@testable import PaviseCommands

/// What is piped into the keychain comes out as it was given: never a part of it.
@Suite struct WholeValueTests {
    private static let pem = "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIA==\n-----END PRIVATE KEY-----\n"
    private static let limit = 65_536

    /// What is piped, and what is kept of it.
    private static let values: [(given: [UInt8], kept: [UInt8])] = [
        (Array("word".utf8), Array("word".utf8)),
        (Array("word\n".utf8), Array("word".utf8)),
        (Array("word\r\n".utf8), Array("word".utf8)),
        (Array("two words\tand \u{1F511}\n".utf8), Array("two words\tand \u{1F511}".utf8)),
        (Array("word\r".utf8), Array("word\r".utf8)),
        (Array("word\n\n".utf8), Array("word\n\n".utf8)),
        (Array(pem.utf8), Array(pem.utf8)),
        (Array(pem.replacing("\n", with: "\r\n").utf8), Array(pem.replacing("\n", with: "\r\n").utf8)),
        (Array(pem.dropLast().utf8), Array(pem.dropLast().utf8)),
        (Array("\nsecond line".utf8), Array("\nsecond line".utf8)),
        ([0x61, 0, 0x62], [0x61, 0, 0x62]),
        ([0x61, 0, 0x62, 0x0A], [0x61, 0, 0x62, 0x0A]),
        ([0x30, 0x82, 0xFF, 0x0A], [0x30, 0x82, 0xFF, 0x0A]),
        ([0xC3, 0x0A], [0xC3, 0x0A]),
        ([0x1B, 0x5B, 0x0A], [0x1B, 0x5B, 0x0A]),
        ([0], [0]),
        ([UInt8](repeating: 0x78, count: limit), [UInt8](repeating: 0x78, count: limit)),
        ([UInt8](repeating: 0x78, count: limit) + [0x0D, 0x0A], [UInt8](repeating: 0x78, count: limit)),
        ([UInt8](repeating: 0x0A, count: limit), [UInt8](repeating: 0x0A, count: limit)),
    ]

    @Test(arguments: values)
    func `one line of text loses its line end, and anything else nothing`(_ value: (given: [UInt8], kept: [UInt8])) {
        let count = TerminalPerson.valueCount(of: value.given.span)
        #expect(Array(value.given.prefix(count)) == value.kept)
    }

    @Test(.long, .enabled(if: PaviseProcess.program != nil, "the program is not beside the tests"))
    func `what a pipe gives is stored and replaced whole, to the last byte`() throws {
        let pavise = try PaviseProcess()
        for verb in [["add", "s", "a", "--replace"], ["update", "s", "a", "--value"]] {
            for value in Self.values {
                let stored = try pavise.run(["keychain"] + verb, bytes: value.given).result
                #expect(stored.status == 0, "\(verb): \(stored.messages)")
                #expect(try pavise.run(["keychain", "get", "s", "a"], bytes: []).output == value.kept)
            }
        }
    }

    @Test(.enabled(if: PaviseProcess.program != nil, "the program is not beside the tests"))
    func `more than 64 KiB, and nothing at all, are refused and change nothing`() throws {
        let pavise = try PaviseProcess()
        #expect(try pavise.run("keychain", "add", "s", "a", input: "before").status == 0)
        let tooLong = [
            [UInt8](repeating: 0x78, count: Self.limit + 1), [UInt8](repeating: 0x0A, count: Self.limit + 1),
            [UInt8](repeating: 0x78, count: Self.limit + 1) + [0x0A], [UInt8](repeating: 0x78, count: 120_000),
        ]
        for (bytes, word) in tooLong.map({ ($0, "longer than 65536 bytes") }) + [
            ([], "No value"), ([0x0A], "No value"),
        ] {
            for verb in [["add", "s", "a", "--replace"], ["update", "s", "a", "--value"], ["add", "s", "b"]] {
                let refused = try pavise.run(["keychain"] + verb, bytes: bytes).result
                #expect(refused.status == 2 && refused.messages.contains(word), "\(refused.messages)")
            }
        }
        #expect(try pavise.run("keychain", "get", "s", "a").output == "before")
        #expect(try pavise.run("keychain", "get", "s", "b").status == 1)
    }

    @Test(.enabled(if: PaviseProcess.program != nil, "the program is not beside the tests"))
    func `the security tool takes one line, or one line twice, and never the first of several`() throws {
        let pavise = try PaviseProcess()
        let add = ["security", "add-generic-password", "-a", "ada", "-s", "mail", "-U", "-w"]
        let find = ["security", "find-generic-password", "-a", "ada", "-s", "mail", "-w"]
        for given in ["word", "word\n", "word\r\n", "word\nword\n", "word\nword"] {
            #expect(try pavise.run(add, bytes: Array(given.utf8)).result.status == 0)
            #expect(try pavise.run(find, bytes: []).output == Array("word\n".utf8))
        }
        for given in ["first\nsecond\n", Self.pem, "first\n\n", "a\na\na\n"] {
            let refused = try pavise.run(add, bytes: Array(given.utf8)).result
            #expect(refused.status == 2 && refused.messages.contains("more than one line"), "\(refused.messages)")
            #expect(try pavise.run(find, bytes: []).output == Array("word\n".utf8))
        }
    }
}
