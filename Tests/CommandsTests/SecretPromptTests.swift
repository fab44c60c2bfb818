import Foundation
import Testing

/// The program's own questions for a secret at a real terminal, in a shell with job control.
@Suite(.enabled(if: PaviseProcess.program != nil, "the program is not beside the tests"), .serialized)
struct SecretPromptTests {
    private static let clear = "\r\u{1B}[2K"
    private let pavise: PaviseProcess
    private let shell: TerminalShell

    init() throws {
        pavise = try PaviseProcess()
        shell = try pavise.shell()
        try shell.wait(for: "shell> ")
        try shell.type(#""$PAVISE" keychain add s a; echo ended $((40 + $?))"# + "\n", until: "Value: ")
    }

    private func echoes() throws -> Bool {
        let line = #"stty -a | tr ' ' '\n' | grep -x -e echo -e -echo | sed 's/echo/E'CH'O/'"#
        return !(try shell.type(line + "\n", until: "ECHO").contains("-ECHO"))
    }

    @Test func `E2: without the focus the question is covered, and asked again with it`() throws {
        #expect(String(decoding: shell.said, as: UTF8.self).contains("\u{1B}[?1004hValue: "))
        let covered = try shell.type("mid\u{1B}[O", until: "covered.")
        #expect(covered == Self.clear + "pavise: covered.")
        #expect(try shell.type("\u{1B}[I", until: "Value: ") == Self.clear + "Value: ")
        let end = try shell.type("night\n", until: "ended 40")
        #expect(end.contains("\u{1B}[?1004l") && !end.contains("night"), "\(end)")
        #expect(try pavise.run("keychain", "get", "s", "a").output == "midnight")
        #expect(try echoes())
        shell.end()
    }

    @Test func `E2: a stop gives the shell its terminal back, and going on asks anew`() throws {
        let stopped = try shell.type("typed before\u{1A}", until: "Stopped")
        #expect(stopped.contains(Self.clear + "\u{1B}[?1004l") && !stopped.contains("typed before"), "\(stopped)")
        #expect(try echoes())
        let shown = try shell.type("fg\n", until: "Value: ")
        #expect(shown.contains("\u{1B}[?1004h"))
        let end = try shell.type("a word\n", until: "shell> ")
        #expect(!end.contains("a word"), "\(end)")
        #expect(try pavise.run("keychain", "get", "s", "a").output == "a word")
        shell.end()
    }

    @Test(arguments: [(SIGINT, "\u{3}"), (SIGQUIT, "\u{1C}"), (SIGTERM, nil), (SIGHUP, nil)] as [(Int32, String?)])
    func `E2: whatever ends a question clears its line, and shows again what is typed`(
        _ number: Int32, _ key: String?
    ) throws {
        let start = shell.said.count
        if let key {
            try shell.type("half a sec" + key, until: "shell> ")
        } else {
            kill(try shell.program("keychain add s a"), number)
            try shell.wait(for: "shell> ", after: start)
        }
        let end = String(decoding: shell.said[start...], as: UTF8.self)
        #expect(end.contains(Self.clear + "\u{1B}[?1004l") && !end.contains("half"), "\(end)")
        #expect(try echoes())
        #expect(try pavise.run("keychain", "get", "s", "a").status == 1)
        shell.end()
    }

    @Test func `the rest of a long answer is no answer to the next question, nor a command of the shell`() throws {
        try shell.type("\u{3}", until: "shell> ")
        try shell.type(#""$PAVISE" device init --software; echo made $((40 + $?))"# + "\n", until: "made 40")
        try shell.type(#""$PAVISE" device erase; echo ended $((40 + $?))"# + "\n", until: "Type “erase”: ")
        let start = shell.said.count
        try shell.type(String(repeating: "x", count: 256) + "echo ran $((40 + 2))\n", until: "ended 41")
        try shell.type("echo next $((40 + 3))\n", until: "next 43")
        #expect(!String(decoding: shell.said[start...], as: UTF8.self).contains("ran 42"))
        shell.end()
    }

    @Test func `E2: a terminal that knows no sequences gets none, and is asked all the same`() throws {
        try shell.type("\u{3}", until: "shell> ")
        let line = #"TERM=dumb "$PAVISE" keychain add t a; echo ended $((40 + $?))"#
        let asked = try shell.type(line + "\n", until: "Value: ")
        let end = try shell.type("a word\n", until: "ended 40")
        #expect(!asked.components(separatedBy: "\n").dropFirst().joined().contains("\u{1B}") && end.contains("\n"))
        #expect(try pavise.run("keychain", "get", "t", "a").output == "a word")
        shell.end()
    }
}
