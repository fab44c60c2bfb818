import PaviseCommands
import PaviseDevice
import PavisePrimitives
import Testing

@Suite struct DeviceCommandsTests {
    let stage: DeviceStage
    init() throws { stage = try DeviceStage() }

    @Test func `init makes a device once and says so`() async throws {
        let first = await stage.run("device", "init")
        #expect(first.status == .done)
        #expect(first.output.hasPrefix("Made the device.\n"))
        let keybag = try DurableFile.read(stage.home.device + "/keybag", limit: 65_536)
        let second = await stage.run("device", "init", "--json")
        #expect(second.status == .done)
        #expect(second.json?["created"]?.bool == false)
        #expect(second.json?["device"]?["hardware"]?.string == "none")
        #expect(try DurableFile.read(stage.home.device + "/keybag", limit: 65_536) == keybag)
    }

    @Test(arguments: ["status", "unlock", "lock", "erase"])
    func `without a device nothing is made, and init is named`(_ command: String) async {
        let result = await stage.run("device", command)
        #expect(result.status == .failed)
        #expect(result.messages == "There is no device in \(stage.home.path) yet. “pavise device init” makes it.\n")
        #expect(!DurableFile.exists(stage.home.path))
    }

    @Test func `status says what protects the device, in words and as JSON`() async throws {
        _ = await stage.run("device", "init")
        let open = await stage.run("device", "status")
        #expect(open.status == .done)
        #expect(open.output.contains("none: everything opens unattended"))
        try stage.setPasscode("canary-1", ThrottlePolicy(erasesAtLimit: true))
        #expect(await stage.run("device", "lock").status == .done)
        let json = await stage.run("device", "status", "--json").json
        #expect(json?["passcode"]?.bool == true)
        #expect(json?["lock"]?.string == "locked")
        #expect(json?["element"]?.string == "software")
        #expect(json?["erasesAfterTen"]?.bool == true)
        #expect(json?["failures"]?.integer == 0)
        #expect(await stage.run("device", "status").output.contains("ten wrong ones erase"))
    }

    @Test(arguments: [["unlock"], ["lock"], ["passcode", "--remove"]])
    func `without a passcode there is nothing to unlock, lock or remove`(_ words: [String]) async throws {
        _ = await stage.run("device", "init")
        let result = await stage.run(["device"] + words)
        #expect(result.status == .failed)
        #expect(result.messages == "There is no passcode. Set one with “pavise device passcode”.\n")
        #expect(stage.asker.questions.isEmpty)
    }

    @Test func `lock and unlock change the state, twice too`() async throws {
        try stage.setPasscode("canary-1")
        for _ in 0..<2 {
            let locked = await stage.run("device", "lock")
            #expect(locked.status == .done && locked.output == "Locked.\n")
            #expect(await stage.status("lock")?.string == "locked")
        }
        for _ in 0..<2 {
            let unlocked = await stage.run("device", "unlock", typing: ["canary-1"])
            #expect(unlocked.status == .done)
            #expect(unlocked.output.hasPrefix("Unlocked.\nThe kernel keeps no keys here"))
            #expect(await stage.status("lock")?.string == "unlocked")
        }
        #expect(await stage.run("device", "lock", "--all", "--json").json?["locked"]?.bool == true)
        #expect(await stage.status("lock")?.string == "beforeFirstUnlock")
        #expect(await stage.run("device", "unlock", "--json", typing: ["canary-1"]).json?["unlocked"]?.bool == true)
    }

    @Test func `an unlock ends after the minutes that were asked for`() async throws {
        try stage.setPasscode("canary-1")
        #expect(await stage.run("device", "unlock", "--for", "15", typing: ["canary-1"]).status == .done)
        stage.time.advance(seconds: 15 * 60 - 1)
        #expect(await stage.status("lock")?.string == "unlocked")
        stage.time.advance(seconds: 15 * 60)
        #expect(await stage.status("lock")?.string == "locked")
    }

    @Test(arguments: ["0", "43201", "-1", "x", "1.5"])
    func `other periods are refused before anybody is asked`(_ period: String) async throws {
        try stage.setPasscode("canary-1")
        #expect(await stage.run("device", "unlock", "--for=\(period)").status == .usage)
        #expect(stage.asker.questions.isEmpty)
    }

    @Test func `a person who mistypes is asked three times, then it ends with 5`() async throws {
        try stage.setPasscode("canary-1")
        _ = await stage.run("device", "lock")
        let right = await stage.run("device", "unlock", typing: ["canary-2", "canary-1"])
        #expect(right.status == .done)
        #expect(stage.asker.questions.map(\.problem) == [nil, "The passcode is wrong."])
        _ = await stage.run("device", "lock")
        let wrong = await stage.run("device", "unlock", typing: ["canary-3", "canary-4", "canary-5"])
        #expect(wrong.status == .locked)
        #expect(wrong.messages == "The passcode is wrong. The try was counted.\n")
        #expect(stage.asker.questions.count == 5)
        #expect(await stage.status("failures")?.integer == 3)
        #expect(await stage.status("lock")?.string == "locked")
    }

    @Test func `a script is not asked again, and its failure is JSON`() async throws {
        try stage.setPasscode("canary-1")
        _ = await stage.run("device", "lock")
        let result = await stage.run("device", "unlock", "--passcode-stdin", "--json", input: ["canary-2"])
        #expect(result.status == .locked)
        #expect(result.json?["error"]?["status"]?.integer == 5)
        #expect(result.json?["error"]?["kind"]?.string == "locked")
        #expect(result.messages.isEmpty)
        #expect(stage.asker.questions.isEmpty)
        #expect(await stage.status("failures")?.integer == 1)
        #expect(await stage.run("device", "unlock", "--passcode-stdin", input: ["canary-1"]).status == .done)
        #expect(await stage.run("device", "unlock", "--passcode-stdin").status == .usage)
    }

    @Test func `after five wrong passcodes the right one has to wait a minute, and is not looked at`() async throws {
        try stage.setPasscode("canary-1")
        for number in 2...6 {
            let result = await stage.run("device", "unlock", "--passcode-stdin", input: ["canary-\(number)"])
            #expect(result.status == .locked)
        }
        let early = await stage.run("device", "unlock", typing: ["canary-1"])
        #expect(early.status == .locked)
        #expect(early.messages == "There were too many wrong passcodes. Try again in 60 s.\n")
        #expect(await stage.status("waitSeconds")?.integer == 60)
        #expect(await stage.run("device", "status").output.contains("5 wrong in a row; next try in 60 s"))
        stage.time.advance(seconds: 59)
        #expect(await stage.run("device", "unlock", typing: ["canary-1"]).messages.contains("Try again in 1 s."))
        stage.time.advance(seconds: 1)
        #expect(await stage.run("device", "unlock", typing: ["canary-1"]).status == .done)
        #expect(await stage.status("failures")?.integer == 0)
    }

    @Test func `a person who stops the question changes nothing`() async throws {
        try stage.setPasscode("canary-1")
        _ = await stage.run("device", "lock")
        let result = await stage.run("device", "unlock")
        #expect(result.status == .failed)
        #expect(result.messages == "The question for the passcode was stopped.\n")
        #expect(await stage.status("failures")?.integer == 0)
    }

    @Test(arguments: [["unlock", "canary-1"], ["unlock", "--passcode=canary-1"], ["passcode", "canary-1"]])
    func `a passcode is never taken from an argument and never repeated`(_ words: [String]) async throws {
        try stage.setPasscode("canary-1")
        let result = await stage.run(["device"] + words)
        #expect(result.status == .usage)
        #expect(!result.messages.contains("canary"))
    }

    @Test func `a damaged device is said, and stays as it is`() async throws {
        _ = await stage.run("device", "init")
        let path = stage.home.device + "/keybag"
        var bytes = try DurableFile.read(path, limit: 65_536)
        bytes[bytes.count / 2] ^= 1
        try DurableFile.write(bytes.span, to: path)
        for command in ["status", "init", "unlock"] {
            let result = await stage.run("device", command)
            #expect(result.status == .failed)
            #expect(result.messages.contains("is damaged or belongs to another device"))
        }
        #expect(try DurableFile.read(path, limit: 65_536) == bytes)
    }
}
