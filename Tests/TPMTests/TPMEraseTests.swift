import Foundation
import PavisePrimitives
import TestSupport
import Testing

@testable import PaviseDevice

@Suite(.enabled(if: SoftwareTPM.isInstalled, "swtpm is not installed")) struct TPMEraseTests {
    let stage: TPMStage

    init() throws { stage = try TPMStage() }

    @Test func `DP6 erase makes a saved copy of the home useless`() throws {
        let element = try stage.open()
        let key = try element.generateKey()
        let guardian = try element.makeGuard(TPMStage.secrets(1))
        let wrapped = try element.wrap(try SecretBytes.random(count: 32), purpose: "class")
        let saved = stage.folder.path + "/saved"
        try FileManager.default.copyItem(atPath: stage.home, toPath: saved)
        let usable = try stage.open(saved, mayCreate: false)
        _ = try usable.unwrap(wrapped, purpose: "class")
        usable.forget()
        usable.disconnect()

        try element.erase()
        try element.erase()
        for copy in [element, usable, try stage.open(saved, mayCreate: false)] {
            #expect(hardwareRefusal { _ = try copy.unwrap(wrapped, purpose: "class") } == .erased)
            #expect(hardwareRefusal { _ = try copy.derivedKey(purpose: "keybag") } == .erased)
            #expect(
                refusal { _ = try copy.sign(digest: [UInt8](repeating: 1, count: 32), with: key.blob) } == .unknownKey)
            #expect(refusal { _ = try copy.entangle(TPMStage.secrets(1), guard: guardian) } == .unknownKey)
        }
        element.disconnect()
        #expect(try stage.indices().isEmpty)
    }

    @Test func `a home can be made anew after an erase`() throws {
        let element = try stage.open()
        let key = try element.generateKey()
        try element.erase()
        let again = try stage.open()
        #expect(refusal { _ = try again.publicKey(of: key.blob) } == .unknownKey)
        _ = try again.sign(digest: [UInt8](repeating: 1, count: 32), with: again.generateKey().blob)
    }

    @Test func `an erase that was cut short is completed`() throws {
        let element = try stage.open()
        _ = try element.makeGuard(TPMStage.secrets(1))
        let stored = try DurableFile.read(element.path, limit: 1 << 20)
        try element.erase()
        try DurableFile.write(stored.span, to: element.path)
        try element.erase()
        #expect(!DurableFile.exists(element.path))
    }

    // What a hand in the files makes of them: the mark of an erase, and an element's file that does not open.
    private func alter(_ stage: ElementStage, _ part: String, mark kind: String) throws -> String {
        let device = stage.home.device
        var bytes = try DurableFile.read(device + "/element.tpm", limit: 1 << 20)
        // “PVTE”, version, maker (4), counter (4), its value (16), epoch (8), and the table at the end.
        switch part {
        case "counter": bytes[12] ^= 0x55
        case "epoch": bytes[29] ^= 1
        case "table": bytes[bytes.count - 1] ^= 1
        default: bytes = Array(bytes.prefix(20))
        }
        try DurableFile.write(bytes.span, to: device + "/element.tpm")
        let bag = try DurableFile.read(device + "/keybag", limit: Keybag.limit)
        let identity = try #require(Keybag.Head(bag)).identity
        let mark: [UInt8] =
            switch kind {
            case "first format": [1]
            case "without a tag": Array("PVER".utf8) + [1] + identity
            default: Array("PVER".utf8) + [2] + identity + [UInt8](repeating: 0, count: 32)
            }
        try DurableFile.write(mark.span, to: device + "/erasing")
        return device + "/element.tpm"
    }

    private func copied(_ stage: ElementStage) throws -> (wrapped: [UInt8], copy: String) {
        let wrapped = try stage.open().element.wrap(try SecretBytes.random(count: 32), purpose: "test")
        let copy = stage.folder.path + "/copy"
        try FileManager.default.copyItem(atPath: stage.home.path, toPath: copy)
        return (wrapped, copy)
    }

    @Test(
        "RV-H4: with an altered file of the element, a mark that nothing proves destroys nothing that the TPM keeps",
        arguments: ["counter", "epoch", "table", "cut"], ["first format", "without a tag", "another tag"])
    func alteredElement(_ part: String, _ kind: String) throws {
        let stage = try ElementStage(.tpm)
        defer { withExtendedLifetime(stage) {} }
        let (wrapped, copy) = try copied(stage)
        let path = try alter(stage, part, mark: kind)
        try Device.finishErase(stage.home, stage.environment)
        #expect(!DurableFile.exists(path))
        #expect(try !Device.isErasing(stage.home))
        // A new device begins in its place, and the copy of before opens still.
        _ = try stage.open()
        try Folder.remove(stage.home.path)
        try FileManager.default.copyItem(atPath: copy, toPath: stage.home.path)
        _ = try stage.open().element.unwrap(wrapped, purpose: "test")
    }

    @Test("RV-H4: an erase that a person orders reaches what the TPM keeps, with an altered file of the element too")
    func orderedErase() throws {
        let stage = try ElementStage(.tpm)
        defer { withExtendedLifetime(stage) {} }
        let (wrapped, copy) = try copied(stage)
        _ = try alter(stage, "epoch", mark: "first format")
        try Device.finishErase(stage.home, stage.environment, isOrdered: true)
        try Folder.remove(stage.home.path)
        try FileManager.default.copyItem(atPath: copy, toPath: stage.home.path)
        #expect(throws: DeviceFailure.self) { _ = try stage.open().element.unwrap(wrapped, purpose: "test") }
    }

    @Test func `without its TPM a home is not said to be erased`() throws {
        let element = try stage.open()
        element.disconnect()
        stage.tpm.stop()
        #expect(hardwareRefusal { try element.erase() } == .absent)
        #expect(DurableFile.exists(element.path))
    }
}
