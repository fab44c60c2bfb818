import Foundation
import PaviseCommands
import Testing

/// `pavise audit` and `pavise evidence`: which program is run, with which words, and when none is.
@Suite struct AuditorToolTests {
    private let stage = Stage()
    private let folder = NSTemporaryDirectory() + "auditor-" + UUID().uuidString

    /// A program that writes its words to a file, or what `command` prints, and ends with 1.
    private func place(
        _ path: String, mode: Int = 0o755, saying command: String = "printf '%s ' \"$0\" \"$@\""
    ) throws {
        let url = URL(fileURLWithPath: folder + "/" + path)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data("#!/bin/sh\n\(command) >'\(folder)/said'\nexit 1\n".utf8).write(to: url)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: url.path)
    }

    private func run(_ words: String...) -> ProgramStatus {
        AuditorTool.run(words, in: stage.environment, beside: folder + "/bin/pavise")
    }

    private var said: String? { try? String(contentsOfFile: folder + "/said", encoding: .utf8) }

    @Test(arguments: ["bin/pavise-audit", "libexec/pavise/pavise-audit"])
    func `the auditor beside the program is run with the words, and its status is told`(_ path: String) throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try place(path)
        #expect(run("audit", "--sarif", "An App").rawValue == 1)
        #expect(said == "\(folder)/\(path) --sarif An App ")
        #expect(run("audit", "explain", "HASH-WEAK").rawValue == 1)
        #expect(said == "\(folder)/\(path) explain HASH-WEAK ")
        #expect(run("evidence", "App", "--standard", "cra").rawValue == 1)
        #expect(said == "\(folder)/\(path) evidence App --standard cra ")
    }

    @Test func `without an auditor nothing is looked at, and that is status 1`() {
        #expect(run("audit", ".") == .failed)
        #expect(stage.messages.text.contains("not installed") && stage.messages.text.contains("nothing was looked at"))
    }

    @Test(arguments: [0o757, 0o775, 0o777])
    func `AT1: an auditor that others may change is not run`(_ mode: Int) throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try place("bin/pavise-audit", mode: mode)
        #expect(run("audit", ".") == .failed)
        #expect(said == nil)
        #expect(stage.messages.text.contains("is not run"))
    }

    @Test func `CL5: the auditor is of this program's group of processes, so that Ctrl-C ends both`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        // The fifth word of proc_pid_stat(5).
        try place("bin/pavise-audit", saying: "cut -d ' ' -f 5 /proc/$$/stat")
        #expect(run("audit", ".").rawValue == 1)
        #expect(said == "\(getpgrp())\n")
    }

    @Test func `a program that a signal ends is told`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try place("bin/pavise-audit", saying: "kill -9 $$")
        #expect(run("audit", ".") == .failed)
        #expect(stage.messages.text.contains("ended by a signal"))
    }

    @Test func `only two places are looked at, and neither the working folder nor PATH is one`() {
        #expect(
            AuditorTool.places(for: "/usr/bin/pavise") == [
                "/usr/bin/pavise-audit", "/usr/libexec/pavise/pavise-audit",
            ])
    }

    @Test(arguments: ["audit", "evidence"])
    func `their help is this program's`(_ name: String) async {
        #expect(await stage.run(name, "--help") == .done)
        #expect(stage.output.text.contains("pavise-audit"))
        #expect(!AuditorTool.takes(["help", name]))
    }
}
