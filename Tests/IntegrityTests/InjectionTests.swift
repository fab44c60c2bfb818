import Foundation
import PaviseIntegrity
import TestSupport
import Testing

/// Foreign code in a real process: each way in leaves a finding (IN5, IN6, IN8, IN9).
@Suite(
    .serialized, .enabled(if: ProbeProcess.has("cc") || ProbeProcess.has("gcc"), "a C compiler makes the foreign code"))
struct InjectionTests {
    private let folder: TemporaryFolder
    private static let plain = "int foreign(void) { return 1; }\n"
    // Takes the variable away and overwrites what /proc/self/environ shows, before the program's first line.
    private static let hiding = """
        #include <stdlib.h>
        #include <string.h>
        extern char **environ;
        __attribute__((constructor)) static void hide(void) {
            for (char **entry = environ; *entry; entry++)
                if (!strncmp(*entry, "LD_PRELOAD", 10)) memset(*entry, 'x', strlen(*entry));
            unsetenv("LD_PRELOAD");
        }

        """
    // Takes the variable away as programs do, so that the kernel alone still tells it.
    private static let taking = """
        #include <stdlib.h>
        __attribute__((constructor)) static void take(void) { unsetenv("LD_PRELOAD"); }

        """
    private static let audit = "unsigned int la_version(unsigned int version) { return version; }\n"
    // Loads itself again from memory alone.
    private static let memory = """
        #include <dlfcn.h>
        #include <fcntl.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <sys/mman.h>
        #include <unistd.h>
        __attribute__((constructor)) static void load(void) {
            char *name = getenv("FOREIGN"), path[64], part[4096];
            if (!name) return;
            int from = open(name, O_RDONLY), to = memfd_create("x", 0);
            unsetenv("FOREIGN");
            for (long count; (count = read(from, part, sizeof part)) > 0;) write(to, part, count);
            snprintf(path, sizeof path, "/proc/self/fd/%d", to);
            dlopen(path, RTLD_NOW);
        }

        """

    init() throws { folder = try TemporaryFolder() }

    @Test func `an untouched process has no finding but hints`() throws {
        let said = try ProbeProcess.run([ProbeProcess.program]).output
        #expect(said.contains("checks "))
        #expect(!said.contains("certain ") && !said.contains("likely "), "\(said)")
    }

    @Test func `a library that a variable brings in is seen`() throws {
        let library = try ProbeProcess.library(Self.plain, in: folder)
        let said = try ProbeProcess.run([ProbeProcess.program], ["LD_PRELOAD": library]).output
        #expect(said.contains("likely preload-variable LD_PRELOAD"), "\(said)")
        #expect(said.contains("likely library-elsewhere \(library)"), "\(said)")
    }

    @Test func `a library that takes its variable away is seen all the same`() throws {
        let library = try ProbeProcess.library(Self.hiding, in: folder)
        let said = try ProbeProcess.run([ProbeProcess.program], ["LD_PRELOAD": library]).output
        #expect(!said.contains("preload-variable"), "\(said)")
        #expect(said.contains("likely library-elsewhere \(library)"), "\(said)")
    }

    // After MemoryProtection.start() the kernel refuses the variables of the start to everybody but root.
    @Test(.enabled(if: geteuid() != 0 || ProbeProcess.has("setpriv"), "the process must not be root's"))
    func `IN1: a process that protected its memory still knows with which variables it was started`() throws {
        let library = try ProbeProcess.library(Self.taking, in: folder)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
        let command = ProbeProcess.withoutRights(["env", "LD_PRELOAD=\(library)", ProbeProcess.program, "protected"])
        let said = try ProbeProcess.run(command).output
        #expect(said.contains("LD_PRELOAD, taken out of the environment later"), "\(said)")
        #expect(!said.contains("gap loader"), "\(said)")
    }

    @Test func `code in a file of memory alone is seen`() throws {
        let library = try ProbeProcess.library(Self.memory, in: folder)
        let said = try ProbeProcess.run([ProbeProcess.program], ["LD_PRELOAD": library, "FOREIGN": library]).output
        #expect(said.contains("certain code-in-memory-file /memfd:x"), "\(said)")
    }

    @Test(.long) func `a library whose file is gone is seen`() throws {
        let library = try ProbeProcess.library(Self.plain, in: folder)
        let said = try ProbeProcess.run([ProbeProcess.program, "wait"], ["LD_PRELOAD": library]) { _ in
            try FileManager.default.removeItem(atPath: library)
        }.output
        #expect(said.contains("certain code-deleted \(library)"), "\(said)")
    }

    @Test func `an auditor of the loader, which is in no list of libraries, is seen`() throws {
        let library = try ProbeProcess.library(Self.audit, in: folder)
        let said = try ProbeProcess.run([ProbeProcess.program], ["LD_AUDIT": library]).output
        #expect(said.contains("likely code-outside-loader \(library)"), "\(said)")
    }

    @Test func `a library that everybody may change is seen`() throws {
        let library = try ProbeProcess.library(Self.plain, in: folder)
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: library)
        let said = try ProbeProcess.run([ProbeProcess.program], ["LD_PRELOAD": library]).output
        #expect(said.contains("certain library-replaceable \(library)"), "\(said)")
    }

    @Test(.enabled(if: ProbeProcess.has("strace"), "strace is the tracer"))
    func `a tracer is seen`() throws {
        let said = try ProbeProcess.run(["strace", "-o", "/dev/null", ProbeProcess.program]).output
        #expect(said.contains("certain debugger-attached TracerPid") && said.contains("(strace)"), "\(said)")
    }

    @Test(.enabled(if: geteuid() == 0 && ProbeProcess.has("strace"), "root may attach to a process that runs"))
    func `IN5: a tracer that comes later is seen by the next check`() throws {
        let tracer = Process()
        tracer.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        (tracer.standardOutput, tracer.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
        defer { if tracer.isRunning { tracer.terminate() } }
        let said = try ProbeProcess.run([ProbeProcess.program, "wait"]) { probe in
            tracer.arguments = ["strace", "-o", "/dev/null", "-p", "\(probe)"]
            try tracer.run()
            try ProbeProcess.waitFor("/proc/\(probe)/status") { !$0.contains("TracerPid:\t0\n") }
        }.output
        #expect(said.contains("certain debugger-attached TracerPid"), "\(said)")
    }

    @Test(.enabled(if: geteuid() != 0 || ProbeProcess.has("setpriv"), "the process must not be root's"))
    func `IN9: whether a file could be written is asked of the system, and changes neither file nor folder`() throws {
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
        let open = geteuid() == 0 ? 0o646 : 0o644
        for (name, mode, expected) in [("closed", 0o444, "refused"), ("open", open, "possible")] {
            let path = "\(folder.path)/\(name)"
            try Data("content".utf8).write(to: URL(fileURLWithPath: path))
            try FileManager.default.setAttributes(
                [.posixPermissions: mode, .modificationDate: Date(timeIntervalSince1970: 1_700_000_000)],
                ofItemAtPath: path)
            let said = try ProbeProcess.run(ProbeProcess.withoutRights([ProbeProcess.program, "write", path])).output
            #expect(said == "\(expected)\n", "\(name)")
            #expect(try String(contentsOfFile: path, encoding: .utf8) == "content")
            let date = try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
            #expect(date == Date(timeIntervalSince1970: 1_700_000_000))
        }
        let absent = folder.path + "/absent"
        let said = try ProbeProcess.run(ProbeProcess.withoutRights([ProbeProcess.program, "write", absent])).output
        #expect(said == "absent\n" && !FileManager.default.fileExists(atPath: absent))
    }

    @Test(arguments: [(0o777, "certain program-replaceable"), (0o4755, "certain raised-rights")])
    func `a program that everybody may change, or that raises rights, is seen`(_ mode: Int, _ expected: String) throws {
        let copy = folder.path + "/probe"
        try FileManager.default.copyItem(atPath: ProbeProcess.program, toPath: copy)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: copy)
        let libraries = try String(contentsOfFile: "/proc/self/maps", encoding: .utf8).split(separator: "\n")
            .first { $0.hasSuffix("/libswiftCore.so") }?.split(separator: " ").last.map(String.init)
        let runtime = libraries.map { URL(fileURLWithPath: $0).deletingLastPathComponent().path } ?? ""
        let said = try ProbeProcess.run([copy], ["LD_LIBRARY_PATH": runtime]).output
        #expect(said.contains("\(expected) "), "\(said)")
    }

    @Test(.enabled(if: ProbeProcess.has("strace"), "strace watches"))
    func `the checks write nothing, make no child and send nothing`() throws {
        let log = folder.path + "/log"
        _ = try ProbeProcess.run(["strace", "-f", "-o", log, ProbeProcess.program])
        let calls = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
        #expect(calls.contains { $0.contains("/proc/self/maps") })
        let forbidden = [
            "O_CREAT", "O_TRUNC", " unlink", " mkdir", " rename", " fork(", " vfork(", " clone", " socket(",
            " connect(",
            " kill(", " symlink", " chmod(", " chown(", " ptrace(",
        ]
        let broken = calls.filter { call in forbidden.contains { call.contains($0) } }
        #expect(broken.isEmpty, "\(broken)")
        // What it prints is the only thing written.
        #expect(calls.filter { $0.contains(" write(") && !$0.contains(" write(1,") }.isEmpty)
    }

    @Test(.enabled(if: ProbeProcess.has("strace"), "strace shows the end"))
    func `an end wipes first, leaves at once, and says 3`() throws {
        let library = try ProbeProcess.library(Self.plain, in: folder)
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: library)
        let log = folder.path + "/log"
        let ended = try ProbeProcess.run(
            ["strace", "-o", log, "-E", "LD_PRELOAD=\(library)", ProbeProcess.program, "end"])
        #expect(ended.status == IntegrityVerdict.endStatus)
        let said = ended.output.split(separator: "\n")
        #expect(said.first == "wiped" && said.dropFirst().first?.hasPrefix("note ") == true, "\(ended.output)")
        #expect(!ended.output.contains("exit handler"))
        // Behind the note there is the end, and nothing between.
        let calls = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
        let note = try #require(calls.lastIndex { $0.hasPrefix("write(1, \"note ") })
        #expect(calls[(note + 1)...].first?.hasPrefix("exit_group(3)") == true, "\(calls[note...])")
        let plain = try ProbeProcess.run([ProbeProcess.program])
        #expect(plain.status == 0)
    }
}
