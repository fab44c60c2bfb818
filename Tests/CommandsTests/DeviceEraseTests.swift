import Pavise
import PaviseCommands
import PaviseDevice
import PaviseLab
import PavisePrimitives
import SecurityFramework
import Testing

/// What a lock and an erase mean for the rest of the program.
@Suite struct DeviceEraseTests {
    let stage: DeviceStage
    init() throws { stage = try DeviceStage() }

    @Test(arguments: ["", "no", "yes", "ERASE", "erase "])
    func `anything but the word leaves everything as it was`(_ answer: String) async throws {
        _ = await stage.run("device", "init")
        let keybag = try DurableFile.read(stage.home.device + "/keybag", limit: 65_536)
        stage.person.willAnswer(answer)
        let result = await stage.run("device", "erase")
        #expect(result.status == .failed)
        #expect(result.messages == "Nothing was erased. Type “erase”, or write --yes.\n")
        #expect(try DurableFile.read(stage.home.device + "/keybag", limit: 65_536) == keybag)
    }

    @Test func `a script that gives no answer erases nothing`() async {
        _ = await stage.run("device", "init")
        let result = await stage.run("device", "erase", "--json")
        #expect(result.status == .failed)
        #expect(result.json?["error"]?["kind"]?.string == "failed")
        #expect(await stage.run("device", "status").status == .done)
    }

    @Test(arguments: [true, false])
    func `an erase removes the device and what it protects, and asks for no passcode`(_ isAsked: Bool) async throws {
        try stage.setPasscode("canary-1")
        let folders =
            [stage.home.keychain, stage.home.connections, stage.home.attestation, stage.home.containers]
            + [stage.home.protected, stage.home.protected + "~", stage.home.path + "/keychain-set-aside-1"]
        for folder in folders {
            try DurableFile.makeDirectory(folder)
            try DurableFile.write([1, 2, 3].span, to: folder + "/data")
        }
        _ = await stage.run("device", "lock")
        if isAsked { stage.person.willAnswer("erase") }
        let result = isAsked ? await stage.run("device", "erase") : await stage.run("device", "erase", "--yes")
        #expect(result.status == .done)
        #expect(result.output == "Erased.\n")
        #expect(stage.asker.questions.isEmpty)
        #expect(folders.filter { DurableFile.exists($0) } == [])
        #expect(await stage.run("device", "status").status == .failed)
        #expect(await stage.run("device", "init").output.hasPrefix("Made the device.\n"))
        #expect(await stage.status("passcode")?.bool == false)
    }

    @Test(arguments: [DeviceStep.eraseMarked, .elementErased, .bagRemoved, .dataRemoved])
    func `an erase that was cut off is ended by the next, and until then there is no device`(
        _ step: DeviceStep
    ) async throws {
        try stage.setPasscode("canary-1")
        try DurableFile.makeDirectory(stage.home.keychain)
        let observer: @Sendable (DeviceStep) throws -> Void = { reached in
            if reached == step { throw CancellationError() }
        }
        let cut = await DeviceStep.$observer.withValue(observer) { await stage.run("device", "erase", "--yes") }
        #expect(cut.status == .failed)
        #expect(await stage.run("device", "status").messages.hasPrefix("There is no device"))
        let again = await stage.run("device", "erase", "--yes")
        #expect(again.status == .done)
        #expect(!DurableFile.exists(stage.home.keychain))
        #expect(try !Device.isErasing(stage.home))
        #expect(await stage.run("device", "init").output.hasPrefix("Made the device.\n"))
    }

    @Test func `the tenth wrong passcode erases where that was chosen, and says so`() async throws {
        try stage.setPasscode("canary-1", ThrottlePolicy(erasesAtLimit: true))
        for number in 1...10 {
            let result = await stage.run("device", "unlock", "--passcode-stdin", input: ["wrong-\(number)-"])
            #expect(result.status == (number == 10 ? .failed : .locked))
            #expect(result.messages.contains("the device was erased") == (number == 10))
            stage.time.advance(seconds: 4000)
        }
        #expect(await stage.run("device", "status").status == .failed)
    }

    @Test func `a fetch before the first unlock ends with 5, reaches no server, and works afterwards`() async throws {
        var keychain = SecurityEnvironment(home: stage.home, lock: LockSwitch(following: stage.home))
        keychain.device = stage.device
        try await SecurityEnvironment.$override.withValue(keychain) {
            let lab = try LabStage(makeVault: Connections.platformVault)
            #expect(await lab.connect().status == .done)
            try stage.setPasscode("canary-1")
            #expect(await lab.run("fetch", "/api/me").status == .done)
            #expect(await stage.run("device", "lock", "--all").status == .done)
            let connections = lab.authority.server.counters.connections
            let locked = await lab.run("fetch", "/api/me", "--json")
            #expect(locked.status == .locked)
            #expect(locked.json?["error"]?["status"]?.integer == 5)
            #expect(lab.authority.server.counters.connections == connections)
            #expect(await stage.run("device", "unlock", typing: ["canary-1"]).status == .done)
            #expect(await lab.run("fetch", "/api/me").status == .done)
        }
    }
}
