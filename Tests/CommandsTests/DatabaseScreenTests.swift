import Foundation
import PaviseDevice
import PavisePrimitives
import PaviseProtectedStorage
import PaviseStorage
import SecurityFramework
import TestSupport
import Testing

/// `pavise database shell` at a real terminal, in a shell with job control. `secret-night` is what must not stay.
@Suite(.enabled(if: PaviseProcess.program != nil, "the program is not beside the tests"), .serialized)
struct DatabaseScreenTests {
    private static let prompt = "pavise> "
    private let pavise: PaviseProcess
    private let shell: TerminalShell

    init() throws {
        let program = try PaviseProcess()
        pavise = program
        var surroundings = SecurityEnvironment(home: program.home, accessGroups: ["org.pavise.test"])
        surroundings.device = DeviceEnvironment(elements: ElementChoice([.software]))
        try SecurityEnvironment.$override.withValue(surroundings) {
            let steps = [DatabaseMigration(1, "all", "CREATE TABLE night(id INTEGER PRIMARY KEY, note TEXT)")]
            let database = try ProtectedContainer.open("diary", in: program.home)
                .database("nights", protection: .complete, migrations: steps)
            try database.write { access in
                for number in 1...40 { try access.run("INSERT INTO night(note) VALUES (\("secret-night \(number)"))") }
            }
            database.close()
        }
        shell = try program.shell()
        try shell.wait(for: "shell> ")
        let line = #""$PAVISE" database shell nights --container diary; echo ended $((40 + $?))"#
        try shell.type(line + "\n", until: Self.prompt)
    }

    /// Waits for the last row, and for the question below it: the screen is drawn with the answer, then with both.
    private func ask() throws {
        let start = shell.said.count
        try shell.type("SELECT note FROM night;\n", until: "secret-night 40")
        try shell.wait(for: "secret-night 40", Self.prompt, after: start)
    }

    private func shows(_ said: String) -> Bool { said.contains("secret-night") }

    /// Whether the terminal shows what is typed, as whoever gets it back finds it.
    private func echoes() throws -> Bool {
        let line = #"stty -a | tr ' ' '\n' | grep -x -e echo -e -echo | sed 's/echo/E'CH'O/'"#
        return !(try shell.type(line + "\n", until: "ECHO").contains("-ECHO"))
    }

    @Test func `E2: answers lie on a screen of their own, which is left, and the clipboard emptied`() throws {
        try ask()
        // A row of the beginning was scrolled away, and comes back.
        try shell.type("\u{1B}[5~\u{1B}[5~\u{1B}[5~", until: "secret-night 9")
        try shell.type("\u{4}", until: "ended 40")
        #expect(shows(shell.alternate) && !shows(shell.kept), "\(shell.kept)")
        #expect(shell.alternate.hasSuffix("\u{1B}[2J\u{1B}[H\u{1B}]52;c;!\u{7}"))
        #expect(shell.alternate.contains("\u{1B}[?1004h") && shell.alternate.contains("\u{1B}[?1004l"))
        shell.end()
    }

    @Test func `E2: without the focus the screen is covered, and shown again with it`() throws {
        try ask()
        let covered = try shell.type("\u{1B}[O", until: "covered.")
        #expect(covered.hasSuffix("\u{1B}[2J\u{1B}[Hpavise: covered.") && !shows(covered))
        #expect(shows(try shell.type("\u{1B}[I", until: Self.prompt)))
        try shell.type("\u{4}", until: "ended 40")
        shell.end()
    }

    @Test func `E2: a stop leaves the screen, and going on shows it again`() throws {
        try ask()
        let stopped = try shell.type("\u{1A}", until: "Stopped")
        #expect(stopped.contains("\u{1B}[2J\u{1B}[H\u{1B}]52;c;!\u{7}\u{1B}[?1049l") && !shows(stopped), "\(stopped)")
        #expect(try echoes())
        let shown = try shell.type("fg\n", until: "secret-night 40")
        #expect(shown.contains("\u{1B}[?1049h"))
        try shell.wait(for: Self.prompt, after: shell.said.count - 40)
        // It still asks and answers.
        try shell.type("SELECT count(*) + 1000 FROM night;\n", until: "1040")
        try shell.type("\u{4}", until: "shell> ")
        #expect(!shows(shell.kept), "\(shell.kept)")
        shell.end()
    }

    @Test(
        arguments: [(SIGINT, "\u{3}"), (SIGQUIT, "\u{1C}"), (SIGTERM, nil), (SIGHUP, nil), (SIGSEGV, nil)]
            as [(Int32, String?)])
    func `E2: whatever ends the program leaves the screen first`(_ number: Int32, _ key: String?) throws {
        try ask()
        let start = shell.said.count
        if let key {
            try shell.type(key, until: "shell> ")
        } else {
            kill(try shell.program("database shell nights"), number)
            try shell.wait(for: "shell> ", after: start)
        }
        let end = String(decoding: shell.said[start...], as: UTF8.self)
        #expect(end.contains("\u{1B}[?1049l") && !shows(end) && !shows(shell.kept), "\(end)")
        #expect(try echoes())
        shell.end()
    }

    @Test func `a statement that fails at a terminal is told, and the next one asked for`() throws {
        try shell.type("SELECT nothing FROM nowhere;\nSELECT 40 +\n", until: "…>")
        try shell.type("2000;\n", until: "2040")
        try shell.type("\u{4}", until: "ended 40")
        #expect(shell.alternate.contains("nowhere"))
        shell.end()
    }
}
