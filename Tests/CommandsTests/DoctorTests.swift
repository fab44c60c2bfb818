import Foundation
import PaviseCommands
import PaviseDevice
import PaviseManaged
import PavisePrimitives
import PaviseTransport
import SecurityFramework
import TestSupport
import Testing

/// `pavise doctor`: what follows from what was found, and that it is found (DO1 to DO3,
/// Documentation/Controls/Program.md).
@Suite struct DoctorTests {
    private static let now: Int64 = 1_790_000_000

    private func finding(
        _ check: DoctorFinding.Check, _ change: (inout DoctorFacts) -> Void
    ) throws -> DoctorFinding {
        var facts = DoctorFacts(home: "/h", now: Self.now)
        change(&facts)
        return try #require(facts.findings.first { $0.check == check })
    }

    @Test("DO1: each check says something, in order, and a whole installation has nothing to mend")
    func whole() {
        let facts = DoctorFacts(
            home: "/h", parts: [ThirdPartyPart("OpenSSL", "libssl3", "3.0.0", "3.0.0")], now: Self.now)
        #expect(facts.findings.map(\.check) == DoctorFinding.Check.allCases)
        #expect(facts.findings.allSatisfy { $0.level != .problem })
    }

    @Test(
        "DO1: what is wrong with the device is a problem with the command that mends it",
        arguments: [
            (.damaged(file: "/h/device/keybag"), "pavise restore FILE"),
            (.deviceLost(PaviseHome(path: "/h")), "pavise restore FILE"),
            (.hardwareNotPermitted(device: "/dev/tpmrm0", group: "tss"), "sudo usermod -aG tss USER"),
            (.managed("m"), "pavise policy check /etc/pavise/managed.json"),
            (.foreignMark(file: "/h/device/erasing"), "mv /h/device/erasing /h/device/erasing.old"),
        ] as [(DeviceFailure, String)])
    func device(_ failure: DeviceFailure, _ command: String) throws {
        let found = try finding(.device) { $0.device = .failed(failure) }
        #expect(found.level == .problem && found.words == failure.explanation)
        #expect(found.command?.contains(command) == true)
        #expect(try finding(.keychain) { $0.keychain = .notAsked }.level == .note)
    }

    @Test("DO1: a TPM that may not be used, a damaged keychain, an erase that was cut off")
    func others() throws {
        let tpm = try finding(.tpm) { $0.tpm = .notPermitted(device: "/dev/tpmrm0", group: "tss") }
        #expect(tpm.level == .problem && tpm.command == "sudo usermod -aG tss USER")
        let damaged = try finding(.keychain) { $0.keychain = .items(intact: 3, damaged: 1) }
        #expect(damaged.level == .problem && damaged.command == "pavise keychain repair")
        let failed = try finding(.keychain) { $0.keychain = .failed("It is damaged.") }
        #expect(failed.level == .problem && failed.words == "It is damaged.")
        let erase = try finding(.device) { $0.device = .erasing }
        #expect(erase.command == "pavise device erase --yes")
    }

    @Test(
        "DO1: a library that is not there, or older than those tested, is a problem with its package",
        arguments: [
            (nil, "3.0.0", true), ("2.9.9", "3.0.0", true), ("3.0.0", "3.0.0", false), ("3.5.4-dev", "3.0.0", false),
            ("7.9.0", "7.88.0", true), ("0.21.2 (+libidn2/2.3.3)", "0.21.0", false), ("10.0", "9.9.9", false),
            ("", "3.0", true),
        ] as [(String?, String, Bool)])
    func libraries(_ version: String?, _ oldest: String, _ isProblem: Bool) throws {
        let found = try finding(.libraries) { $0.parts = [ThirdPartyPart("L", "libl1", oldest, version)] }
        #expect((found.level == .problem) == isProblem)
        #expect(!isProblem || found.command == "sudo apt install libl1")
    }

    @Test(
        "DO1: a clock from before the program, or behind the files of the home, is a problem",
        arguments: [(0, true), (1_767_225_599, true), (1_767_225_600, false), (1_790_000_000, false)] as [(Int64, Bool)]
    )
    func clock(_ now: Int64, _ isProblem: Bool) throws {
        let found = try finding(.clock) { $0.now = now }
        #expect((found.level == .problem) == isProblem)
    }

    @Test func `DO1: a debug build is told, so that nobody takes it for a release`() throws {
        #expect(try finding(.build) { $0.isDebugBuild = true }.level == .note)
        #expect(try finding(.build) { $0.isDebugBuild = false }.level == .fine)
    }

    @Test func `DO3: items of other programs are a note that names them, and the command that shows them`() throws {
        let one = try finding(.programs) { $0.otherPrograms = ["pavise-0.1": 2] }
        #expect(one.level == .note && one.words.contains("“pavise-0.1” (2)"))
        #expect(one.command == "PAVISE_APP_ID=pavise-0.1 pavise keychain list")
        // Each is named; the command is for the one with the most, and a shell takes it as it stands.
        let both = try finding(.programs) { $0.otherPrograms = ["pavise-0.1": 2, "my diary": 3] }
        #expect(both.words.contains("“my diary” (3), “pavise-0.1” (2)"))
        #expect(both.command == "PAVISE_APP_ID='my diary' pavise keychain list")
        #expect(try finding(.programs) { _ in }.level == .fine)
    }

    @Test func `DO3: the doctor finds items of another program in the home, and is no less well for it`() async throws {
        let stage = try LockStage()
        await stage.inHome {
            var older = SecurityEnvironment.current
            older.accessGroups = ["pavise-0.1"]
            SecurityEnvironment.$override.withValue(older) {
                let query: [String: Any] = ["class": "genp", "svce": "mail", "v_Data": Data("canary".utf8)]
                #expect(SecItemAdd(query as CFDictionary, nil) == errSecSuccess)
            }
        }
        let run = await stage.run("doctor", "--json")
        #expect(run.status == .done && !run.output.contains("canary"), "\(run.output)")
        let found = run.json?["findings"]?.array?.first { $0["check"]?.string == "programs" }
        #expect(found?["level"]?.string == "note")
        #expect(found?["message"]?.string?.contains("“pavise-0.1” (1)") == true)
    }

    @Test("DO1: an administrator's file that cannot be used, or has keys without effect, is a problem")
    func rules() throws {
        let unknown = try finding(.rules) { $0.rules = .used(path: "/m j", unknown: ["sesion"]) }
        #expect(unknown.level == .problem && unknown.command == "pavise policy check '/m j'")
        let open = try finding(.rules) { $0.rules = .failed(.openToAll("/m")) }
        #expect(open.command == "chmod o-w /m")
        let foreign = try finding(.rules) { $0.rules = .failed(.notRoots("/m")) }
        #expect(foreign.command == "sudo chown root /m && sudo chmod go-w /m")
    }

    @Test("DO2: a fresh home, one in use, and what others could read or replace in it")
    func home() async throws {
        let stage = try LockStage()
        let fresh = await stage.run("doctor", "--json")
        #expect(fresh.status == .done, "\(fresh.output)")
        #expect(!DurableFile.exists(stage.home.path))
        await stage.inHome {
            let query: [String: Any] = ["class": "genp", "svce": "mail", "v_Data": Data("canary".utf8)]
            #expect(SecItemAdd(query as CFDictionary, nil) == errSecSuccess)
        }
        let used = await stage.run("doctor")
        #expect(used.status == .done, "\(used.output)")
        #expect(used.output.contains("1 item, none of them damaged.") && !used.output.contains("canary"))

        let keybag = stage.home.device + "/keybag"
        #expect(unsafe chmod(keybag, 0o644) == 0)
        #expect(unsafe symlink("/etc/passwd", stage.home.path + "/link") == 0)
        let open = await stage.run("doctor", "--problems")
        #expect(open.status == .failed && open.status.rawValue == 1)
        #expect(open.output.contains("    chmod 600 \(keybag)\n"))
        #expect(open.output.contains("\(stage.home.path)/link is a symbolic link"))
        #expect(!open.output.contains("fine"))
        // What the finding says mends it.
        #expect(unsafe chmod(keybag, 0o600) == 0 && unlink(stage.home.path + "/link") == 0)
        #expect(await stage.run("doctor").status == .done)

        #expect(unsafe chmod(stage.home.path, 0o755) == 0)
        let shared = await stage.run("doctor", "--json")
        let findings = try #require(shared.json?["findings"]?.array)
        #expect(findings.contains { $0["command"]?.string == "chmod 700 \(stage.home.path)" })
        #expect(shared.json?["problems"]?.integer == 1)
        #expect(unsafe chmod(stage.home.path, 0o700) == 0)
    }

    @Test("DO2: a lost device and a damaged keychain are told with their cure")
    func damage() async throws {
        let stage = try LockStage()
        await stage.inHome {
            let query: [String: Any] = ["class": "genp", "svce": "mail", "v_Data": Data("canary".utf8)]
            #expect(SecItemAdd(query as CFDictionary, nil) == errSecSuccess)
            KeychainDiagnostics.close(stage.home)
        }
        let database = stage.home.keychain + "/items.db"
        var bytes = try DurableFile.read(database, limit: 1 << 24)
        bytes[bytes.count - 3000] ^= 1
        try DurableFile.write(bytes.span, to: database)
        let damaged = await stage.run("doctor")
        #expect(damaged.status == .failed && damaged.output.contains("    pavise keychain repair\n"))
        try Folder.remove(stage.home.device)
        let lost = await stage.run("doctor")
        #expect(lost.status == .failed && lost.output.contains("    pavise restore FILE\n"), "\(lost.output)")
        #expect(!DurableFile.exists(stage.home.device + "/keybag"))
    }

    @Test("DO2: the page about parts of others has the versions that are asked for")
    func parts() throws {
        let page = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../Documentation/ThirdParty.md")
            .standardizedFileURL.path
        let text = String(decoding: try DurableFile.read(page, limit: 1 << 20), as: UTF8.self)
        let parts = ThirdPartyPart.all()
        #expect(parts.count == 4)
        for part in parts {
            #expect(text.contains("| \(part.name) | \(part.package) | \(part.oldest) |"))
            #expect(part.version != nil)
        }
    }
}
