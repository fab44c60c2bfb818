import TestSupport
import Testing

@testable import PavisePrimitives

#if os(Linux)
/// The confinement holds programs that try what a broken converter would be made to try.
@Suite(.enabled(if: ConfinedProcess.isPossible, "this kernel has no Landlock")) struct ConfinedProcessTests {
    @Test func `a program reads its input and writes its output`() throws {
        let text = Array("some bytes".utf8)
        #expect(try ConfinedProcess.run("/usr/bin/cat", [], input: text) == text)
        let names = try ConfinedProcess.run("/usr/bin/env", [], input: [])
        #expect(String(decoding: names, as: UTF8.self) == "PATH=/usr/bin\nLC_ALL=C.UTF-8\n")
    }

    /// A program, and what it tries: each must fail, whoever runs it.
    @Test(arguments: [
        ("reads a file of a person", "/usr/bin/cat", ["/etc/passwd"]),
        ("reads the memory of others", "/usr/bin/cat", ["/proc/1/maps"]),
        ("lists a home", "/usr/bin/ls", ["/root", "/home"]),
        ("makes a file", "/usr/bin/touch", ["/tmp/pavise-confined"]),
        ("makes a folder", "/usr/bin/mkdir", ["/tmp/pavise-confined"]),
        ("removes a file", "/usr/bin/rm", ["/etc/hostname"]),
        ("starts a program", "/usr/bin/env", ["/usr/bin/cat"]),
        ("starts a shell's child", "/usr/bin/bash", ["-c", "(:)"]),
        ("makes a connection", "/usr/bin/bash", ["-c", "exec 3<>/dev/tcp/127.0.0.1/9"]),
        ("makes a pipe for others", "/usr/bin/mkfifo", ["/tmp/pavise-confined"]),
        ("becomes another user", "/usr/bin/setpriv", ["--reuid", "1", "/usr/bin/true"]),
        ("sends a signal", "/usr/bin/bash", ["-c", "kill -0 1"]),
    ])
    func `a confined program fails when it`(_ what: String, _ program: String, _ arguments: [String]) throws {
        do {
            let output = try ConfinedProcess.run(program, arguments, input: [])
            Issue.record("\(what): it ended well, with \(output.count) bytes")
        } catch {
            guard case .ended = error else {
                Issue.record("\(what): \(error)")
                return
            }
        }
        #expect(!DurableFile.exists("/tmp/pavise-confined"))
    }

    @Test func `nothing that this process has open is given on`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/secret"
        try DurableFile.write(Array("secret".utf8), to: path)
        let open = try FileDescriptor.open(path, 0)
        for number in 3...40 {
            let words = ["-c", "read -r line <&\(number) && echo \"$line\""]
            #expect(throws: ConfinedProcess.Failure.self) { try ConfinedProcess.run("/usr/bin/bash", words, input: []) }
        }
        _ = consume open
    }

    @Test func `time, processor time, memory and output have bounds`() throws {
        var bounds = ConfinedProcess.Bounds()
        bounds.output = 1 << 20
        let zeros = ["/dev/null"]
        #expect(try ConfinedProcess.run("/usr/bin/cat", zeros, input: []) == [])
        let spin = ["-c", "while :; do echo xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx; done"]
        #expect(throws: ConfinedProcess.Failure.outOfBounds) {
            try ConfinedProcess.run("/usr/bin/bash", spin, input: [], bounds: bounds)
        }
        bounds.milliseconds = 300
        #expect(throws: ConfinedProcess.Failure.outOfBounds) {
            try ConfinedProcess.run("/usr/bin/bash", ["-c", "while :; do :; done"], input: [], bounds: bounds)
        }
        bounds.milliseconds = 60_000
        bounds.seconds = 1
        #expect(throws: ConfinedProcess.Failure.ended(-1)) {
            try ConfinedProcess.run("/usr/bin/bash", ["-c", "while :; do :; done"], input: [], bounds: bounds)
        }
        bounds.memory = 64 << 20
        let large = ["-c", "x=a; while :; do x=$x$x; done"]
        #expect(throws: ConfinedProcess.Failure.self) {
            try ConfinedProcess.run("/usr/bin/bash", large, input: [], bounds: bounds)
        }
    }

    @Test func `what is no program of the system is not started`() throws {
        let folder = try TemporaryFolder()
        #expect(throws: ConfinedProcess.Failure.missing) {
            try ConfinedProcess.run(folder.path + "/none", [], input: [])
        }
        #expect(throws: ConfinedProcess.Failure.missing) { try ConfinedProcess.run(folder.path, [], input: []) }
    }
}
#endif
