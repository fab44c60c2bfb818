import PaviseIntegrity
import PavisePrimitives
import Testing

/// Each rule in surroundings of its own.
@Suite struct IntegrityCheckTests {
    private func rules(_ change: (inout IntegrityStage) -> Void) -> [String] {
        var stage = IntegrityStage()
        change(&stage)
        return stage.report.findings.map { "\($0.strength) \($0.rule.rawValue)" }
    }

    private func status(_ name: String, _ value: String) -> (inout IntegrityStage) -> Void {
        { stage in
            let lines = stage.files["/proc/self/status"]?.split(separator: "\n").map { line in
                line.hasPrefix("\(name):") ? "\(name):\t\(value)" : String(line)
            }
            stage.files["/proc/self/status"] = lines?.joined(separator: "\n")
        }
    }

    @Test func `an untouched system gives nothing, and says what it could not ask`() {
        let report = IntegrityStage().report
        #expect(report.findings.isEmpty, "\(report.findings)")
        #expect(report.checks == IntegrityCheck.allCases)
        #expect(report.gaps.contains { $0.check == .kernel && $0.reason.contains("Secure Boot") })
        #expect(report.summary.hasPrefix("Nothing found by 8 checks; "))
    }

    @Test func `where nothing can be read nothing is clean: every question is told as not asked`() {
        var stage = IntegrityStage()
        stage.isUnreadable = true
        let report = stage.report
        for check in [IntegrityCheck.debugger, .rights, .code] {
            #expect(!report.checks.contains(check) && report.gaps.contains { $0.check == check })
        }
        #expect(report.gaps.contains { $0.check == .loader })
    }

    @Test func `a tracer is certain`() { #expect(rules(status("TracerPid", "77")) == ["certain debugger-attached"]) }

    @Test func `IN5: a tracer at another thread than the first is certain too, and told once`() {
        var stage = IntegrityStage()
        stage.threads = ["7", "8", "9", "10"]
        for (thread, tracer) in [("7", "0"), ("8", "77"), ("9", "77")] {
            stage.files["/proc/self/task/\(thread)/status"] = "Name:\tdiary\nTracerPid:\t\(tracer)\n"
        }
        #expect(stage.report.findings.map(\.evidence) == ["TracerPid 77"])
        #expect(stage.report.findings.allSatisfy { $0.rule == .debuggerAttached && $0.strength == .certain })
        #expect(!stage.report.gaps.contains { $0.check == .debugger })
        // What was not looked at is told.
        stage.threads = (1...70).map { "\($0 + 100)" }
        #expect(stage.report.gaps.first { $0.check == .debugger }?.reason == "6 of 70 threads were not looked at.")
        stage.threads = nil
        #expect(stage.report.gaps.contains { $0.check == .debugger })
    }

    @Test(arguments: [
        ("Uid", "1000\t0\t0\t0", ["certain raised-rights", "hint root"]), ("Uid", "0\t0\t0\t0", ["hint root"]),
        ("Gid", "1000\t5\t5\t5", ["certain raised-rights"]),
        ("CapEff", "0000000000000001", ["likely capabilities"]),
    ])
    func `unusual rights are seen`(_ name: String, _ value: String, _ expected: [String]) {
        #expect(rules(status(name, value)) == expected)
    }

    @Test(arguments: [
        ("/memfd:x (deleted)", "r-xp", ["certain code-in-memory-file"]),
        ("/home/ada/x.so (deleted)", "r-xp", ["certain code-deleted"]),
        ("/usr/lib/x86_64-linux-gnu/libz.so.1 (deleted)", "r-xp", ["hint code-deleted"]),
        ("", "r-xp", ["likely code-without-file"]), ("", "rwxp", ["likely code-writable"]),
        ("[heap]", "rwxp", ["likely code-writable"]), ("[anon:jit]", "r-xp", ["likely code-without-file"]),
        ("/usr/lib/x86_64-linux-gnu/libc.so.7", "rwxp", ["certain code-writable"]),
        ("/home/ada/x.so", "r-xp", ["likely library-elsewhere"]), ("/usr2/x.so", "r-xp", ["likely library-elsewhere"]),
        ("/home/ada/x.so", "rw-p", []), ("/usr/bin/plugins/x.so", "r-xp", []),
    ])
    func `mapped code is judged by its file`(_ name: String, _ rights: String, _ expected: [String]) {
        #expect(rules { $0.map(name, rights) } == expected)
    }

    @Test func `code that the loader does not know is seen`() {
        #expect(rules { $0.map("/usr/lib/x.so", isLoaded: false) } == ["likely code-outside-loader"])
    }

    @Test(arguments: [
        ("/usr/lib/x86_64-linux-gnu/libc.so.6", FileFacts.file(0o666), "certain library-replaceable"),
        ("/usr/lib/x86_64-linux-gnu/libc.so.6", .file(0o644, owner: 4321), "likely library-replaceable"),
        ("/usr/lib", FileFacts(kind: .folder, owner: 0, group: 0, mode: 0o777), "certain library-replaceable"),
        ("/usr/bin/diary", .file(0o757), "certain program-replaceable"),
        ("/usr/bin/diary", .file(0o4755), "certain raised-rights"),
        ("/usr/bin/diary", .file(0o755, owner: 4321), "likely program-foreign"),
        ("/usr/bin", FileFacts(kind: .folder, owner: 0, group: 0, mode: 0o1777), "certain program-replaceable"),
    ])
    func `what others can replace is seen`(_ path: String, _ facts: FileFacts, _ expected: String) {
        #expect(rules { $0.modes[path] = facts } == [expected])
    }

    @Test func `an app can expect code of its own, by whole names`() {
        #expect(
            rules {
                $0.expected = ["/memfd:libffi"]; $0.map("/memfd:libffi (deleted)")
            } == [])
        #expect(
            rules {
                $0.expected = ["/home/ada/plug"]; $0.map("/home/ada/plugins/x.so")
            } == ["likely library-elsewhere"])
        #expect(
            rules {
                $0.expected = ["/home/ada/plugins"]; $0.map("/home/ada/plugins/x.so")
            } == [])
    }

    @Test func `what makes the loader add libraries is seen, also after it was taken away`() {
        #expect(rules { $0.variables["LD_AUDIT"] = "/x.so" } == ["likely preload-variable"])
        for name in ["LD_LIBRARY_PATH", "GCONV_PATH"] {
            #expect(rules { $0.variables[name] = "/x" } == ["hint preload-variable"], "\(name)")
        }
        #expect(rules { $0.files["/proc/self/environ"] = "LD_PRELOAD=/x.so\0" } == ["likely preload-variable"])
        // Nothing and then “/x.so” for the loader; one character of “=” and what combines with it for Swift.
        #expect(
            rules { $0.files["/proc/self/environ"] = "LD_PRELOAD=\u{301}:/x.so\0" } == ["likely preload-variable"])
        #expect(rules { $0.files["/etc/ld.so.preload"] = "/x.so\n" } == ["likely preload-file"])
        #expect(rules { $0.files["/etc/ld.so.preload"] = "\n" } == [])
    }

    @Test func `IN1: variables of the start that the kernel refuses are told as not asked`() {
        var stage = IntegrityStage()
        #expect(!stage.report.gaps.contains { $0.check == .loader })
        stage.isStartRefused = true
        #expect(stage.report.findings.isEmpty && stage.report.gaps.contains { $0.check == .loader })
        stage.isStartRefused = false
        stage.files["/proc/self/environ"] = nil
        #expect(stage.report.gaps.contains { $0.check == .loader })
    }

    @Test func `a report says that the app did not protect its memory`() {
        var surroundings = IntegrityStage().surroundings
        #expect(!DeviceIntegrity.check(surroundings).notes.contains { $0.contains("MemoryProtection") })
        surroundings.isMemoryProtected = false
        let report = DeviceIntegrity.check(surroundings)
        #expect(report.findings.isEmpty && report.notes.count { $0.hasPrefix("MemoryProtection.start()") } == 1)
    }

    @Test func `IN3: a file that everybody could have made is a hint, whoever is said to make it`() {
        var stage = IntegrityStage()
        stage.modes["/tmp"] = FileFacts(kind: .folder, owner: 0, group: 0, mode: 0o1777)
        stage.modes["/tmp/kinsing"] = .file(0o755, owner: 1000)
        #expect(stage.report.findings.map(\.strength) == [.hint])
        stage.modes["/etc/libsystem.so"] = .file(0o755)
        #expect(Set(stage.report.findings.map(\.strength)) == [.hint, .certain])
    }

    @Test func `a file of the system that can be opened for writing is seen`() {
        #expect(rules { $0.writable = ["/etc/passwd"] } == ["certain system-writable"])
        var stage = IntegrityStage()
        stage.writable = ["/etc/passwd"]
        status("Uid", "0\t0\t0\t0")(&stage)
        #expect(!stage.report.checks.contains(.sandbox), "for root the question says nothing")
    }

    @Test func `files of rootkits are seen, and only by their whole path`() {
        #expect(rules { $0.modes["/reptile"] = .folder } == ["certain suspicious-file"])
        #expect(rules { $0.modes["/reptile2"] = .folder } == [])
    }

    @Test func `a kernel with foreign modules is a hint`() {
        #expect(rules { $0.files["/proc/sys/kernel/tainted"] = "12288\n" } == ["hint kernel-tainted"])
    }

    @Test(arguments: ["", "x", "1-2", "7f-7e r-xp 0 0 0 /x", "zz-7f r-xp 0 0 0", "1-2 r-xp 0 0 0 /x\nbroken"])
    func `text that is no list of mappings is none`(_ text: String) { #expect(MemoryMap(text) == nil) }

    @Test(arguments: ["Shadow", "Liberty", "Electra", "substitute"])
    func `an app of a famous name does not condemn itself`(_ name: String) {
        let paths = [
            "/private/var/containers/Bundle/Application/1/\(name).app/\(name)", "/usr/lib/\(name)d/libz.dylib",
        ]
        #expect(IntegrityStage().surroundings.images(paths).findings.isEmpty)
        let known = IntegrityStage().surroundings.images(["/usr/lib/Shadow.dylib", "/a/FridaGadget.dylib"])
        #expect(known.findings.count == 2)
    }

    @Test func `the list for iOS has more than 60 whole paths, each once, each with its source`() {
        let list = IndicatorFile.iOS
        #expect(list.count > 60 && Set(list.map(\.path)).count == list.count)
        #expect(list.allSatisfy { $0.path.hasPrefix("/") && !$0.path.hasSuffix("/") && !$0.source.isEmpty })
        #expect(list.allSatisfy { $0.source.contains(/\d{4}$/) })
        // One folder that every phone has condemned every phone (IOSSecuritySuite, issue 14).
        let ordinary = [
            "/usr/sbin", "/usr/lib", "/bin", "/Applications", "/usr/libexec", "/private/var/mobile", "/etc",
        ]
        #expect(!list.contains { ordinary.contains($0.path) && !$0.isLinkOnly })
        #expect(IndicatorFile.linux.count > 26)
    }

    @Test func `a folder of the system is a sign only where a link stands in its place`() {
        var stage = IntegrityStage()
        stage.modes["/usr/share"] = .folder
        #expect(stage.surroundings.files(IndicatorFile.iOS).findings.isEmpty)
        stage.modes["/usr/share"] = FileFacts(kind: .link, owner: 0, group: 0, mode: 0o777)
        #expect(stage.surroundings.files(IndicatorFile.iOS).findings.map(\.rule) == [.linkedFolder])
    }
}
