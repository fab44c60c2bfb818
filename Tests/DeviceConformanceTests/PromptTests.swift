import Foundation
import PaviseDevice
import PavisePrimitives
import TestSupport
import Testing

@Suite struct PromptTests {
    let folder: TemporaryFolder
    init() throws { folder = try TemporaryFolder() }

    // A program of the test's own, in the shell.
    private func program(_ lines: String) throws -> String {
        let path = folder.path + "/program"
        try Data(("#!/bin/sh\n" + lines + "\n").utf8).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
        return path
    }

    // A pinentry that answers every command with OK, and GETPIN with what is given; it writes down what it heard.
    private func pinentry(_ answer: String, greeting: String = "OK Pleased to meet you") throws -> String {
        try program(
            """
            echo "\(greeting)"
            while read -r line; do
                echo "$line" >> '\(folder.path)/heard'
                case "$line" in
                GETPIN) printf '\(answer)' ;;
                BYE) exit 0 ;;
                OPTION*) echo "ERR 83886254 Unknown option" ;;
                *) echo OK ;;
                esac
            done
            """)
    }

    private func answer(_ asker: any PasscodeAsker) -> (String?, DeviceFailure?) {
        do throws(DeviceFailure) {
            let question = PasscodeQuestion(reason: "50 % of\n\u{1B}it", problem: "It was wrong.")
            let secret = try asker.ask(question)
            return (secret.withBytes { bytes in String(decoding: Array(bytes), as: UTF8.self) }, nil)
        } catch {
            return (nil, error)
        }
    }

    @Test("a pinentry's answer is taken byte by byte, with percent signs resolved")
    func pinentryAnswer() throws {
        let asker = PinentryAsker(try pinentry("S KEEPALIVE\\nD 12%%2534 \u{E9}%%0a\\nOK\\n"))
        let (text, failure) = answer(asker)
        #expect(text == "12%34 \u{E9}\n")
        #expect(failure == nil)
        let heard = try String(contentsOfFile: folder.path + "/heard", encoding: .utf8)
        #expect(heard.contains("SETDESC 50 %25 of%0A%1Bit\n"))
        #expect(heard.contains("SETERROR It was wrong.\n"))
        #expect(heard.contains("SETPROMPT Passcode:\n"))
    }

    @Test("the one line of a question has nothing that a terminal or a window obeys")
    func harmlessLine() {
        let question = PasscodeQuestion(reason: "a\u{1B}b\u{61C}c\u{202E}d\u{2028}e")
        #expect(question.line == "a b c d e Passcode:")
    }

    @Test("a pinentry's answer in several lines is one passcode")
    func pinentryLines() throws {
        let (text, failure) = answer(PinentryAsker(try pinentry("D 12%%25\\nS KEEPALIVE\\nD 34\\nOK\\n")))
        #expect(text == "12%34")
        #expect(failure == nil)
    }

    @Test(
        "each way in which a pinentry gives no answer is told apart",
        arguments: [
            ("ERR 83886179 Operation cancelled\\n", DeviceFailure.cancelled), ("OK\\n", .cancelled),
            ("D \\nOK\\n", .cancelled), ("ERR 83886340 No such device\\n", .notInteractive),
            ("D %%zz\\nERR 1 no\\n", .notInteractive), ("D 12\\nERR 1 no\\n", .notInteractive),
            (String(repeating: "D \(String(repeating: "1", count: 2000))\\n", count: 5) + "OK\\n", .notInteractive),
        ])
    func noAnswer(_ answer: String, _ expected: DeviceFailure) throws {
        let asker = PinentryAsker(try pinentry(answer))
        #expect(self.answer(asker).1 == expected)
    }

    @Test(
        "a program that is no pinentry is an error, not a wait and not a crash",
        arguments: ["exit 0", "echo nonsense", "yes | head -c 100000 | tr -d '\\\\n'", "echo OK; exit 1", "kill -9 $$"])
    func noPinentry(_ lines: String) throws {
        let failure = answer(PinentryAsker(try program(lines))).1
        #expect(failure != nil)
    }

    @Test("a program that is not there is said")
    func missing() {
        let path = folder.path + "/nothing"
        #expect(answer(PinentryAsker(path)).1 == .system(SystemFailure(operation: "start", path: path, code: ENOENT)))
    }

    @Test("an askpass program gets the question as one harmless line, and its status decides")
    func askpass() throws {
        let good = AskpassAsker(try program("printf '%s' \"$1\" > '\(folder.path)/heard'; echo ' 12 34 '"))
        #expect(answer(good).0 == " 12 34 ")
        let heard = try String(contentsOfFile: folder.path + "/heard", encoding: .utf8)
        #expect(heard == "It was wrong. 50 % of  it Passcode:")
        #expect(answer(AskpassAsker(try program("echo secret; exit 1"))).1 == .cancelled)
        #expect(answer(AskpassAsker(try program("exit 0"))).1 == .cancelled)
    }
}
