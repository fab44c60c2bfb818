import Foundation
import PavisePrimitives
import TestSupport
import Testing

/// The program as a person runs it: a process for each command, the passcode from PAVISE_ASKPASS.
@Suite(.enabled(if: PaviseProcess.program != nil, "the program is not beside the tests"))
struct DeviceProcessTests {
    let pavise: PaviseProcess
    init() throws { pavise = try PaviseProcess() }

    @Test func `PAVISE_ASKPASS sets, and a lock closes the keychain for all commands until it unlocks`() throws {
        try pavise.asks("canary-1")
        #expect(try pavise.run("device", "passcode").status == 0)
        #expect(try pavise.run("keychain", "add", "mail", "ada", input: "secret").status == 0)
        #expect(try pavise.run("device", "lock").status == 0)
        let locked = try pavise.run("keychain", "get", "mail", "ada")
        #expect(locked.status == 5)
        #expect(locked.output.isEmpty)
        try pavise.asks("canary-2")
        let wrong = try pavise.run("device", "unlock")
        #expect(wrong.status == 5)
        #expect(wrong.messages == "The passcode is wrong. The try was counted.\n")
        // Each try is a process of its own: the same wrong passcode counts once there.
        #expect(try pavise.status("failures")?.integer == 1)
        try pavise.asks("canary-1")
        let unlocked = try pavise.run("device", "unlock", "--json")
        #expect(unlocked.status == 0)
        let isShared = try JSONValue.parse(Array(unlocked.output.utf8))["shared"]?.bool == true
        let opened = try pavise.run("keychain", "get", "mail", "ada")
        #expect(opened.status == (isShared ? 0 : 5))
        #expect(opened.output == (isShared ? "secret" : ""))
    }

    @Test func `a program that stops the question is an answer, and one that is not there is a failure`() throws {
        try pavise.asks("canary-1")
        #expect(try pavise.run("device", "passcode").status == 0)
        try pavise.program("exit 1")
        let stopped = try pavise.run("device", "unlock")
        #expect(stopped.status == 1)
        #expect(stopped.messages == "The question for the passcode was stopped.\n")
        try DurableFile.remove(pavise.askpass)
        let missing = try pavise.run("device", "unlock")
        #expect(missing.status == 1)
        #expect(missing.messages.contains(pavise.askpass))
        #expect(try pavise.status("failures")?.integer == 0)
    }

    @Test(.long) func `the question is an argument for the program, and standard input gives lines`() throws {
        try pavise.program("printf '%s\\n' \"$1\" >> '\(pavise.askpass).heard'; echo canary-1")
        #expect(try pavise.run("device", "passcode").status == 0)
        let heard = try String(contentsOfFile: pavise.askpass + ".heard", encoding: .utf8)
        #expect(heard.split(separator: "\n").allSatisfy { $0.hasSuffix("New passcode:") })
        let changed = try pavise.run("device", "passcode", "--passcode-stdin", input: "canary-1\ncanary-2\n")
        #expect(changed.status == 0)
        #expect(try pavise.run("device", "unlock", "--passcode-stdin", input: "canary-1\n").status == 5)
        #expect(try pavise.run("device", "unlock", "--passcode-stdin", input: "canary-2\n").status == 0)
        #expect(try pavise.run("device", "erase").status == 1)
    }

    @Test func `an erase takes the keys out of the kernel, and so does a lock as after a restart`() throws {
        try pavise.asks("canary-1")
        #expect(try pavise.run("device", "passcode").status == 0)
        let names = try pavise.unlockedNames()
        func left() -> Int { names.count { KernelKeyring.find($0) != nil } }
        let isShared = try pavise.status("sharedUnlock")?.bool == true
        #expect(left() == (isShared ? names.count : 0))
        #expect(try pavise.run("device", "lock", "--all").status == 0)
        #expect(left() == 0)
        #expect(try pavise.run("device", "unlock").status == 0)
        #expect(left() == (isShared ? names.count : 0))
        #expect(try pavise.run("device", "erase", "--yes").status == 0)
        #expect(left() == 0)
    }

    @Test func `the service of the examples finds its keychain open, with a session keyring for each command`() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let unit = try String(
            contentsOf: root.appendingPathComponent("Examples/systemd/pavise-report.service"), encoding: .utf8)
        let commands = unit.split(separator: "\n").filter { $0.hasPrefix("Exec") }.map {
            $0.drop { $0 != "=" }.dropFirst().replacing(/pavise fetch[^';]*/, with: "pavise keychain get mail ada")
        }
        try #require(commands.contains { $0.contains("keychain get") })
        let credentials = try TemporaryFolder()
        try Data("canary-1\n".utf8).write(to: URL(fileURLWithPath: credentials.path + "/passcode"))
        let service = try PaviseProcess(
            variables: ["PAVISE_KEYRING": "session", "CREDENTIALS_DIRECTORY": credentials.path])
        try service.asks("canary-1")
        let (made, isShared) = try PaviseProcess.inOwnSession {
            let made = [
                try service.run("device", "passcode").status,
                try service.run("keychain", "add", "mail", "ada", input: "secret").status,
            ]
            return (made, try service.status("sharedUnlock")?.bool == true)
        }
        #expect(made == [0, 0])
        // Without a keyring nothing that one process unlocks is open for the next.
        guard isShared else { return }
        let closed = try PaviseProcess.inOwnSession { try service.run("keychain", "get", "mail", "ada").status }
        #expect(closed == 5)
        for command in commands {
            let result = try PaviseProcess.inOwnSession { try service.shellLine(String(command)) }
            #expect(result.status == 0, "\(command): \(result.messages)")
            if command.contains("keychain get") { #expect(result.output.contains("secret")) }
        }
    }
}
