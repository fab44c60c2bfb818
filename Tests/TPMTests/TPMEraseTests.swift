import Foundation
@testable import PaviseDevice
import PavisePrimitives
import TestSupport
import Testing

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
            #expect(hardwareRefusal { _ = try copy.sign(digest: [UInt8](repeating: 1, count: 32), with: key.blob) } == .erased)
            #expect(hardwareRefusal { _ = try copy.entangle(TPMStage.secrets(1), guard: guardian) } == .erased)
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

    @Test func `without its TPM a home is not said to be erased`() throws {
        let element = try stage.open()
        element.disconnect()
        stage.tpm.stop()
        #expect(hardwareRefusal { try element.erase() } == .absent)
        #expect(DurableFile.exists(element.path))
    }
}
