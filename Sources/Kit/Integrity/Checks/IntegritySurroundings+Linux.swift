#if !canImport(Darwin)
internal import PavisePrimitives

extension IntegritySurroundings {
    func run(_ check: IntegrityCheck) -> IntegrityOutcome {
        switch check {
        case .debugger: debugger()
        case .rights: rights()
        case .code: code()
        case .loader: loader()
        case .program: programFile()
        case .files: files(IndicatorFile.linux)
        case .sandbox: sandbox()
        case .kernel: kernel()
        }
    }

    // More threads than these are counted, so that a check stays short.
    private static let mostThreads = 64

    // TracerPid is not 0 under strace, gdb, ltrace and whatever else uses ptrace(2). Each thread has its own: who holds
    // another one than the first reads and writes the whole memory all the same.
    private func debugger() -> IntegrityOutcome {
        guard let first = tracer("/proc/self/status") else {
            return .notAsked(.debugger, "/proc/self/status does not tell whether somebody traces this process.")
        }
        var outcome = IntegrityOutcome()
        var tracers = [first]
        if let all = threads() {
            // A thread may have ended meanwhile.
            tracers += all.prefix(Self.mostThreads).compactMap { tracer("/proc/self/task/\($0)/status") }
            let rest = all.count - Self.mostThreads
            if rest > 0 { outcome.miss(.debugger, "\(rest) of \(all.count) threads were not looked at.") }
        } else {
            outcome.miss(.debugger, "The system does not name the threads of this process.")
        }
        var seen: Set<Int32> = [0]
        for tracer in tracers where seen.insert(tracer).inserted {
            let name = readText("/proc/\(tracer)/comm").map { " (\($0.prefix { $0 != "\n" }))" } ?? ""
            outcome.add(.debuggerAttached, .certain, "TracerPid \(tracer)\(name)")
        }
        return outcome
    }

    private func rights() -> IntegrityOutcome {
        guard let users = status("Uid"), let groups = status("Gid"), users.count >= 2, groups.count >= 2,
            let effective = status("CapEff").flatMap({ UInt64($0[0], radix: 16) })
        else { return .notAsked(.rights, "/proc/self/status does not tell the rights of this process.") }
        var outcome = IntegrityOutcome()
        if users[0] != users[1] {
            outcome.add(.raisedRights, .certain, "started by user \(users[0]), runs as \(users[1])")
        } else if groups[0] != groups[1] {
            outcome.add(.raisedRights, .certain, "started by group \(groups[0]), runs as \(groups[1])")
        } else if hasRaisedRights {
            outcome.add(.raisedRights, .likely, "AT_SECURE")
        }
        if users[1] == "0" {
            outcome.add(.root, .hint, "user 0")
        } else if effective != 0 {
            outcome.add(.capabilities, .likely, "CapEff \(String(effective, radix: 16))")
        }
        return outcome
    }

    private func loader() -> IntegrityOutcome {
        var outcome = IntegrityOutcome()
        // What was there at the start; a library can take a variable out of the environment later.
        var first: Set<String> = []
        switch startVariables() {
        case .present(let names): first = names
        case .absent, .unknown:
            outcome.miss(.loader, "The system does not tell with which variables this process was started.")
        }
        for name in ["LD_PRELOAD", "LD_AUDIT"] {
            if let value = variable(name) {
                outcome.add(.preloadVariable, .likely, "\(name)=\(value)")
            } else if first.contains(name) {
                outcome.add(.preloadVariable, .likely, "\(name), taken out of the environment later")
            }
        }
        // The first names folders that the loader searches before others, the second one of modules that the C library
        // loads for other character sets.
        for name in ["LD_LIBRARY_PATH", "GCONV_PATH"] {
            if let value = variable(name) { outcome.add(.preloadVariable, .hint, "\(name)=\(value)") }
        }
        switch read("/etc/ld.so.preload") {
        case .present(let text) where text.contains(where: { !$0.isWhitespace }):
            outcome.add(.preloadFile, .likely, "/etc/ld.so.preload: \(text.prefix { $0 != "\n" })")
        case .present, .absent: break
        case .unknown(let failure): outcome.miss(.loader, failure.description)
        }
        return outcome
    }

    private func programFile() -> IntegrityOutcome {
        guard let program else { return .notAsked(.program, "The system does not tell the program's path.") }
        // The kernel's own mark: the file was replaced while the program runs, as an update does.
        guard case .present(let file) = facts(program) else {
            return .notAsked(.program, "\(program) is not there any more; an update may have replaced it.")
        }
        var outcome = IntegrityOutcome()
        if file.mode & 0o6000 != 0 {
            outcome.add(.raisedRights, .certain, "\(program) has the mode \(String(file.mode, radix: 8))")
        }
        if file.isOpenToAll {
            outcome.add(.programReplaceable, .certain, "\(program) has the mode \(String(file.mode, radix: 8))")
        } else if let open = openFolder(of: program) {
            outcome.add(.programReplaceable, .certain, "everybody may change \(open)")
        } else if file.isOpenToOthers {
            outcome.add(.programReplaceable, .hint, "group \(file.group) may change \(program)")
        }
        if !file.isOursOrTheSystems { outcome.add(.programForeign, .likely, "user \(file.owner) owns \(program)") }
        return outcome
    }

    // Existing files that belong to the system on every Linux. Nothing is written, and nothing is made.
    private func sandbox() -> IntegrityOutcome {
        guard status("Uid")?.dropFirst().first != "0" else {
            return .notAsked(.sandbox, "The administrator may write everywhere, so that the question says nothing.")
        }
        var outcome = IntegrityOutcome()
        for path in ["/etc/passwd", "/etc/ld.so.cache", "/usr/bin/env", "/dev/mem"] {
            switch probe(path) {
            case .possible: outcome.add(.systemWritable, .certain, path)
            case .refused, .absent: break
            case .unknown(let code): outcome.miss(.sandbox, "\(path) gave the error \(code).")
            }
        }
        return outcome
    }

    private func kernel() -> IntegrityOutcome {
        var outcome = IntegrityOutcome()
        if let taint = readText("/proc/sys/kernel/tainted").flatMap({ UInt64($0.prefix { $0 != "\n" }) }) {
            let named = [
                (12, "a module from outside the kernel's source"), (13, "an unsigned module"),
                (1, "a module forced in"),
            ]
            let found = named.filter { taint >> UInt64($0.0) & 1 == 1 }
            if !found.isEmpty {
                outcome.add(.kernelTainted, .hint, "\(found.map(\.1).joined(separator: ", ")) (tainted \(taint))")
            }
        } else {
            outcome.miss(.kernel, "/proc/sys/kernel/tainted does not tell what was loaded into the kernel.")
        }
        note(&outcome, "/sys/kernel/security/lockdown", "Kernel lockdown")
        note(&outcome, "/proc/sys/kernel/yama/ptrace_scope", "Who may attach a debugger (ptrace_scope)")
        note(&outcome, "/proc/sys/kernel/modules_disabled", "No further modules (modules_disabled)")
        note(&outcome, "/sys/kernel/security/ima/runtime_measurements_count", "Files that the kernel measured (IMA)")
        let variables = "/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c"
        if case .present(let text) = read(variables) {
            outcome.notes.append("Secure Boot is \(text.utf8.last == 1 ? "on" : "off").")
        } else {
            outcome.miss(.kernel, "Secure Boot could not be asked.")
        }
        let around = ["/.dockerenv", "/run/.containerenv"].filter {
            if case .present = facts($0) { true } else { false }
        }
        if let mark = around.first { outcome.notes.append("The program runs in a container (\(mark)).") }
        return outcome
    }

    private func note(_ outcome: inout IntegrityOutcome, _ path: String, _ title: String) {
        if let text = readText(path) {
            outcome.notes.append("\(title): \(text.prefix { $0 != "\n" }).")
        } else {
            outcome.miss(.kernel, "\(title) could not be asked.")
        }
    }

    private func tracer(_ path: String) -> Int32? { status("TracerPid", path).flatMap { Int32($0[0]) } }

    // The words behind a name in /proc/self/status, or in that of a thread.
    private func status(_ name: String, _ path: String = "/proc/self/status") -> [Substring]? {
        guard let text = readText(path) else { return nil }
        let line = text.split(separator: "\n").first { $0.hasPrefix("\(name):") }
        let words = line?.dropFirst(name.count + 1).split(whereSeparator: \.isWhitespace)
        return words.flatMap { $0.isEmpty ? nil : $0 }
    }

    func readText(_ path: String) -> String? {
        guard case .present(let text) = read(path) else { return nil }
        return text
    }
}
#endif
