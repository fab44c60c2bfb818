import Foundation
import PaviseIntegrity
import PavisePrimitives
import Testing

/// Ten ways in which other libraries' checks failed in the field; none of them is possible here (IN1 to IN4, IN10).
/// Where the control is that something is not asked at all, the source is searched for it.
@Suite struct FieldFailureTests {
    /// The checks' source without its comments, by file.
    private static func source() throws -> [String: String] {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Sources/Kit/Integrity")
        let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
        var all: [String: String] = [:]
        for case let file as URL in files where file.pathExtension == "swift" {
            let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            let code = lines.filter { !$0.trimmingCharacters(in: .whitespaces).hasPrefix("//") }
            all[file.lastPathComponent] = code.joined(separator: "\n")
        }
        return all
    }

    private func asking(_ pattern: some RegexComponent) throws -> [String] {
        try Self.source().filter { $0.value.contains(pattern) }.map(\.key).sorted()
    }

    private func found(
        _ paths: [String], kind: FileFacts = .file(0o755), in list: [IndicatorFile] = IndicatorFile.iOS
    ) -> IntegrityReport {
        var stage = IntegrityStage()
        for path in paths { stage.modes[path] = kind }
        return IntegrityReport(
            checks: [.files], findings: stage.surroundings.files(list).findings)
    }

    private func paths(of group: String) -> [String] { IndicatorFile.iOS.filter { $0.name == group }.map(\.path) }

    // IOSSecuritySuite, issue 14: “/usr/sbin/” in the list flagged every iPhone.
    @Test func `IN3: a phone with the folders of its system has no finding`() {
        let folders = [
            "/", "/Applications", "/Library", "/Library/Ringtones", "/Library/Wallpaper", "/System", "/bin", "/dev",
            "/etc", "/etc/ssh", "/private", "/private/etc", "/private/var", "/private/var/lib", "/private/var/cache",
            "/private/var/mobile", "/sbin", "/tmp", "/usr", "/usr/bin", "/usr/include", "/usr/lib", "/usr/libexec",
            "/usr/sbin", "/usr/share", "/var", "/var/log", "/var/mobile", "/var/mobile/Library",
            "/var/mobile/Library/Preferences",
        ]
        #expect(found(folders, kind: .folder).findings.isEmpty)
    }

    // Where /lib is a link to /usr/lib, what packages for developers put there has both names.
    @Test func `IN3: a Linux with the static libraries of packages for developers has no finding`() {
        let names = [
            "libselinux.a", "libsepol.a", "libsh.a", "libc.a", "libsystemd.a", "libprocps.a", "libntp.a", "libdl.a",
            "libselinux.so", "libsystemd.so", "libjansson.so",
        ]
        let folders = ["/lib", "/usr/lib", "/lib64", "/usr/lib64", "/usr/local/lib", "/lib/x86_64-linux-gnu"]
        let paths = folders.flatMap { folder in names.map { "\(folder)/\($0)" } }
        #expect(found(paths, in: IndicatorFile.linux).findings.isEmpty)
    }

    // Issues 40, 51, 62: cydia:// was registered by an ordinary app of the App Store.
    @Test func `IN4: no address of another app is tried`() throws {
        #expect(try asking(/canOpenURL|UIApplication|[a-z]:\/\//).isEmpty)
    }

    // w3connext, issue 17: phones behind a proxy or a VPN were taken for jailbroken.
    @Test func `IN3: neither proxies nor networks are looked at`() throws {
        #expect(try asking(/[Pp]roxy|getifaddrs|utun|SCDynamicStore|NWPath/).isEmpty)
    }

    // Issue 127: an iOS app on a Mac found the Mac's own shell.
    @Test func `IN3: a Mac, Catalyst and the simulator are told apart before the list of iOS is used`() throws {
        let apple = try #require(try Self.source()["IntegritySurroundings+Apple.swift"])
        for word in ["targetEnvironment(simulator)", "targetEnvironment(macCatalyst)", "os(macOS)", "isiOSAppOnMac"] {
            #expect(apple.contains(word))
        }
        let uses = apple.split(separator: "\n").filter { $0.contains("IndicatorFile.iOS") }
        #expect(uses.count == 1 && apple.contains(/isPhone\s*\?\s*files\(IndicatorFile\.iOS\)/))
        // And here, where each machine has a shell and ssh.
        var stage = IntegrityStage()
        for path in paths(of: "shell") { stage.modes[path] = .file(0o755) }
        #expect(stage.report.findings.isEmpty)
    }

    // Issue 56: App Review's device was flagged, and nobody had recorded which check it was.
    @Test func `IN1: each finding tells which rule noticed what, and of when the rule is`() throws {
        let finding = try #require(found(["/usr/sbin/frida-server"]).findings.first)
        #expect(finding.evidence.hasPrefix("/usr/sbin/frida-server (") && finding.rule.rawValue == "suspicious-file")
        #expect(!finding.rule.source.isEmpty && finding.rule.date.contains(/^20\d\d-\d\d$/))
    }

    // Issue 25: what a jailbreak of years ago left behind condemned the phone for ever.
    @Test func `IN10: what a past jailbreak leaves is told, and ends nothing`() {
        let report = found(paths(of: "package lists"))
        #expect(report.findings.count == 8 && report.findings.allSatisfy { $0.strength == .likely })
        #expect(IntegrityPolicy.release.verdict(on: report).action == .report)
    }

    // Issue 120: Dopamine's option to hide itself was seen only years later.
    @Test func `IN3: with the link of a rootless jailbreak hidden, each other mark of it is enough`() {
        let marks = paths(of: "rootless").filter { !$0.hasPrefix("/var/jb") } + ["/usr/lib/libellekit.dylib"]
        #expect(marks.count > 6)
        for mark in marks {
            #expect(IntegrityPolicy.release.verdict(on: found([mark])).action == .end, "\(mark)")
        }
    }

    // Seen in the source of three libraries: “shadow” or “liberty” searched for inside whole paths.
    @Test func `IN2: an app in a folder of a famous name does not condemn itself`() {
        let images = ["shadow", "liberty", "substitute", "unsub", "electra", "Shadow.dylib.framework"].map {
            "/private/var/containers/Bundle/Application/1/\($0).app/\($0)"
        }
        #expect(IntegrityStage().surroundings.images(images).findings.isEmpty)
        #expect(found(images.map { $0 + "/usr/lib/libsubstitute.dylib" }).findings.isEmpty)
    }

    // Seen in the source: fork() without a wait leaves a zombie; a connection without a limit of time hangs the app.
    @Test func `IN4: no child is made, and no port is tried`() throws {
        #expect(try asking(/\b(fork|vfork|posix_spawn|popen|system|socket|connect)\(/).isEmpty)
    }

    // CoronaCheck, coordination 40: a health app said “jailbroken” to people with untouched phones, without a reason.
    @Test func `IN1: whoever is shut out reads why`() {
        for rule in IntegrityRule.allCases {
            let report = IntegrityReport(checks: [], findings: [IntegrityFinding(rule, .certain, "/a/path")])
            let sentence = IntegrityPolicy.release.verdict(on: report).sentence
            #expect(sentence.hasPrefix(rule.summary) && !sentence.contains("/a/path"))
        }
    }
}
