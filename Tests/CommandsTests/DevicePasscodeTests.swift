import Foundation
import PaviseCommands
import PaviseDevice
import PavisePrimitives
import TestSupport
import Testing

/// `pavise device passcode`: the one command that sets what all the others ask for.
@Suite struct DevicePasscodeTests {
    let stage: DeviceStage
    init() throws { stage = try DeviceStage() }

    @Test func `a first passcode is typed twice, and afterwards it opens`() async throws {
        let set = await stage.run("device", "passcode", typing: ["canary-1", "canary-1"])
        #expect(set.status == .done)
        #expect(set.output == "The passcode is set.\n")
        #expect(stage.asker.questions.map(\.label) == ["New passcode", "New passcode"])
        #expect(await stage.status("passcode")?.bool == true)
        let price = try #require(await stage.status("guessKibibytes")?.integer)
        #expect(price >= Int64(Argon2Cost.least.kibibytes))
        _ = await stage.run("device", "lock")
        #expect(await stage.run("device", "unlock", typing: ["canary-1"]).status == .done)
    }

    @Test func `two that differ are asked for again, and after three times nothing is set`() async throws {
        let typed = ["canary-1", "canary-2", "canary-3", "canary-4", "canary-5", "canary-6"]
        let result = await stage.run("device", "passcode", typing: typed)
        #expect(result.status == .failed)
        #expect(result.messages == "The two passcodes were different. Nothing was changed.\n")
        #expect(stage.asker.questions.compactMap(\.problem) == ["The two were different.", "The two were different."])
        #expect(await stage.status("passcode")?.bool == false)
    }

    @Test(arguments: [[], ["--all"]] as [[String]])
    func `CL13: a change that comes to nothing leaves the device locked`(_ how: [String]) async throws {
        try stage.setPasscode("canary-1")
        _ = await stage.run(["device", "lock"] + how)
        let before = await stage.status("lock")
        let differing = ["canary-1", "canary-2", "canary-3", "canary-2", "canary-3", "canary-2", "canary-3"]
        #expect(await stage.run("device", "passcode", typing: differing).status == .failed)
        #expect(await stage.status("lock") == before && before?.string != "unlocked")
    }

    @Test(arguments: [[], ["--all"]] as [[String]])
    func `CL13: a change that comes to nothing says where the device stays open`(_ how: [String]) async throws {
        try stage.setPasscode("canary-1")
        _ = await stage.run(["device", "lock"] + how)
        let keybag = stage.home.device + "/keybag"
        // The disk gives it back no more: nobody can lock.
        stage.asker.atEachQuestion { question in
            if question.label == "New passcode" { try? FileManager.default.removeItem(atPath: keybag) }
        }
        let differing = ["canary-1", "canary-2", "canary-3", "canary-2", "canary-3", "canary-2", "canary-3"]
        let failed = await stage.run("device", "passcode", typing: differing)
        #expect(failed.status == .failed)
        #expect(failed.messages.contains("it is open now") && !failed.messages.contains("Nothing was changed"))
    }

    @Test func `changing asks for the old one first and says when the new ones differ`() async throws {
        try stage.setPasscode("canary-1")
        let differing = ["canary-1", "canary-2", "canary-3", "canary-2", "canary-3", "canary-2", "canary-3"]
        let failed = await stage.run("device", "passcode", typing: differing)
        #expect(failed.status == .failed)
        #expect(failed.messages == "The two passcodes were different. Nothing was changed.\n")
        let changed = await stage.run("device", "passcode", "--json", typing: ["canary-1", "canary-2", "canary-2"])
        #expect(changed.status == .done)
        #expect(changed.json?["passcode"]?.bool == true)
        _ = await stage.run("device", "lock")
        #expect(await stage.run("device", "unlock", "--passcode-stdin", input: ["canary-1"]).status == .locked)
        #expect(await stage.run("device", "unlock", "--passcode-stdin", input: ["canary-2"]).status == .done)
    }

    @Test func `a wrong old passcode changes nothing, ends with 5, and nobody is asked for a new one`() async throws {
        try stage.setPasscode("canary-1")
        let asked = await stage.run("device", "passcode", typing: ["canary-2", "canary-3", "canary-4"])
        #expect(asked.status == .locked)
        #expect(stage.asker.questions.allSatisfy { $0.label == "Passcode" })
        let script = await stage.run("device", "passcode", "--passcode-stdin", input: ["canary-5", "canary-6"])
        #expect(script.status == .locked)
        #expect(await stage.status("failures")?.integer == 4)
        #expect(await stage.run("device", "unlock", "--passcode-stdin", input: ["canary-1"]).status == .done)
    }

    @Test func `a script gives one line to set, two to change, one to remove`() async throws {
        #expect(await stage.run("device", "passcode", "--passcode-stdin", input: ["canary-1"]).status == .done)
        let missing = await stage.run("device", "passcode", "--passcode-stdin", input: ["canary-1"])
        #expect(missing.status == .usage)
        #expect(missing.messages.contains("the old passcode and the new one, a line each"))
        let changed = await stage.run("device", "passcode", "--passcode-stdin", input: ["canary-1", "canary-2"])
        #expect(changed.status == .done)
        let removed = await stage.run("device", "passcode", "--remove", "--passcode-stdin", input: ["canary-2"])
        #expect(removed.status == .done)
        #expect(removed.output == "The passcode is removed.\n")
        #expect(await stage.status("passcode")?.bool == false)
        #expect(await stage.run("device", "passcode", "--passcode-stdin").status == .usage)
    }

    @Test func `removing needs the passcode`() async throws {
        try stage.setPasscode("canary-1")
        let wrong = await stage.run("device", "passcode", "--remove", "--passcode-stdin", input: ["canary-2"])
        #expect(wrong.status == .locked)
        #expect(await stage.status("passcode")?.bool == true)
        #expect(await stage.run("device", "passcode", "--remove", typing: ["canary-1"]).status == .done)
        #expect(await stage.status("passcode")?.bool == false)
    }

    @Test(arguments: ["", String(repeating: "x", count: 1025)])
    func `a passcode that is empty or too long is refused, never cut`(_ passcode: String) async {
        let result = await stage.run("device", "passcode", "--passcode-stdin", input: [passcode])
        #expect(result.status == .usage)
        #expect(result.messages == "A passcode has 1 to 1,024 bytes.\n")
        #expect(await stage.status("passcode")?.bool == false)
    }

    @Test(.long) func `what follows wrong passcodes is chosen with the passcode, kept, and taken back`() async throws {
        try stage.setPasscode("canary-1", ThrottlePolicy(.strict, erasesAtLimit: true))
        let change = ["canary-1", "canary-1"]
        _ = await stage.run("device", "passcode", "--passcode-stdin", input: change)
        #expect(await stage.status("erasesAfterTen")?.bool == true)
        for number in 2...5 {
            _ = await stage.run("device", "unlock", "--passcode-stdin", input: ["canary-\(number)"])
        }
        #expect(await stage.status("waitSeconds")?.integer == 60)
        stage.time.advance(seconds: 60)
        let back = await stage.run(
            "device", "passcode", "--standard", "--keep-after-ten", "--passcode-stdin", input: change)
        #expect(back.status == .done)
        #expect(await stage.status("erasesAfterTen")?.bool == false)
        for number in 2...5 {
            _ = await stage.run("device", "unlock", "--passcode-stdin", input: ["canary-\(number)"])
        }
        #expect(await stage.status("waitSeconds")?.integer == 0)
    }

    @Test(arguments: [
        ["--erase-after-ten", "--keep-after-ten"], ["--strict", "--standard"], ["--remove", "--strict"],
        ["--remove", "--erase-after-ten"],
    ])
    func `flags that contradict each other are refused before anybody is asked`(_ flags: [String]) async throws {
        try stage.setPasscode("canary-1")
        #expect(await stage.run(["device", "passcode"] + flags).status == .usage)
        #expect(stage.asker.questions.isEmpty)
    }
}
