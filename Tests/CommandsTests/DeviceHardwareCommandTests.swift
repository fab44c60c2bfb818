import PaviseCommands
import PaviseDevice
import PavisePrimitives
import TestSupport
import Testing

private let noRights = ElementAvailability.notPermitted(device: "/dev/tpmrm0", group: "tss")

/// `pavise device init`, and what stands behind the options that choose a secure element (NU-B4).
@Suite struct DeviceHardwareCommandTests {
    @Test(
        "NU-B4: --software and --require-tpm decide which element a new device stands on",
        arguments: [
            (.usable, [], "TPM 2.0"), (.usable, ["--require-tpm"], "TPM 2.0"), (.usable, ["--software"], "software"),
            (.absent, [], "software"), (.absent, ["--software"], "software"), (noRights, ["--software"], "software"),
        ] as [(ElementAvailability, [String], String)])
    func made(_ here: ElementAvailability, _ options: [String], _ element: String) async throws {
        let stage = try DeviceStage(hardware: here)
        let made = await stage.run(["device", "init", "--json"] + options)
        #expect(made.status == .done, "\(made.messages)")
        #expect(made.json?["created"]?.bool == true)
        #expect(made.json?["device"]?["element"]?.string == element)
    }

    @Test(
        "NU-B4: where hardware is demanded or may not be used no device is made, and the message says what to do",
        arguments: [
            (.absent, ["--require-tpm"], "--require-tpm"), (noRights, ["--require-tpm"], "usermod -aG tss"),
            (noRights, [], "usermod -aG tss"),
        ] as [(ElementAvailability, [String], String)])
    func refused(_ here: ElementAvailability, _ options: [String], _ words: String) async throws {
        let stage = try DeviceStage(hardware: here)
        let result = await stage.run(["device", "init"] + options)
        #expect(result.status == .failed)
        #expect(result.messages.contains(words), "\(result.messages)")
        #expect(!DurableFile.exists(stage.home.path))
    }

    @Test("NU-B4: a device without hardware is not passed off as one, and stays as it is")
    func laterDemand() async throws {
        let stage = try DeviceStage(hardware: .absent)
        #expect(await stage.run("device", "init").status == .done)
        let keybag = try DurableFile.read(stage.home.device + "/keybag", limit: 65_536)
        let result = await stage.run("device", "init", "--require-tpm")
        #expect(result.status == .failed)
        #expect(result.messages.contains("A TPM 2.0 is demanded"))
        #expect(try DurableFile.read(stage.home.device + "/keybag", limit: 65_536) == keybag)
    }

    @Test("NU-B4: both options at once are a mistake, and nothing is made")
    func both() async throws {
        let stage = try DeviceStage(hardware: .usable)
        let result = await stage.run("device", "init", "--software", "--require-tpm")
        #expect(result.status == .usage)
        #expect(!DurableFile.exists(stage.home.path))
    }
}
