import Foundation
@testable import PaviseDevice
import PavisePrimitives
import TestSupport
import Testing

/// An attacker with the rights of the TPM's owner, whose authorisation is empty, and with tpm2-tools.
@Suite(.enabled(if: SoftwareTPM.isInstalled && SoftwareTPM.hasTools, "swtpm or tpm2-tools is not installed"))
struct TPMAttackTests {
    let stage: TPMStage
    let element: TPMElement
    let guardian: [UInt8]
    let index: String

    init() throws {
        stage = try TPMStage()
        element = try stage.open()
        guardian = try element.makeGuard(TPMStage.secrets(1))
        index = "0x" + String(try #require(TPMBlob(.guardian, guardian)).index, radix: 16)
        for _ in 0..<3 { _ = refusal { _ = try element.entangle(TPMStage.secrets(2), guard: guardian) } }
        element.disconnect()
    }

    private func bytes(_ bytes: [UInt8]) throws -> String {
        let path = stage.folder.path + "/bytes"
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return path
    }

    @Test func `DP7 nobody sets the count of failures back`() throws {
        let zero = try bytes([0, 0, 0, 0, 0, 0, 0, 99])
        for arguments in [["-C", "o"], ["-C", index, "-P", "hex:" + String(repeating: "01", count: 32)]] {
            let answer = try stage.tpm.run("tpm2_nvwrite", arguments + ["-i", zero, index])
            #expect(answer.status != 0)
        }
        #expect(try element.failedTries(guard: guardian) == 3)
    }

    @Test func `DP7 an index made again with a PIN of the attacker's own does not open the guard`() throws {
        try stage.tool(0, "tpm2_nvundefine", "-C", "o", index)
        #expect(refusal { _ = try element.entangle(TPMStage.secrets(1), guard: guardian) } == .unknownKey)
        element.disconnect()
        // The same index, PIN and attributes, writable by the owner.
        let pin = "hex:" + String(repeating: "01", count: 32)
        try stage.tool(
            0, "tpm2_nvdefine", "-C", "o", "-s", "8", "-p", pin, "-a", "nt=pinfail|ownerwrite|ownerread|authread|no_da", index)
        try stage.tool(0, "tpm2_nvwrite", "-C", "o", "-i", try bytes([0, 0, 0, 0, 0, 0, 0, 99]), index)
        #expect(refusal { _ = try element.entangle(TPMStage.secrets(1), guard: guardian) } == .unknownKey)
    }

    @Test func `DP6 a counter made again never has an old value`() throws {
        let state = try #require(try TPMStateFile.read(element.path)?.state)
        let counter = "0x" + String(state.counter, radix: 16)
        try stage.tool(0, "tpm2_nvundefine", "-C", "o", counter)
        let value = "hex:" + state.counterValue.map { String(format: "%02x", $0) }.joined()
        try stage.tool(
            0, "tpm2_nvdefine", "-C", "o", "-s", "8", "-p", value, "-a",
            "nt=counter|authwrite|ownerread|authread|no_da", counter)
        for _ in 0..<5 {
            try stage.tool(0, "tpm2_nvincrement", "-C", counter, "-P", value, counter)
            #expect(hardwareRefusal { _ = try stage.open().derivedKey(purpose: "keybag") } == .erased)
        }
    }

    @Test func `an owner with a password is reported, with what to do`() throws {
        try stage.tool(0, "tpm2_changeauth", "-c", "owner", "secret")
        let other = stage.folder.path + "/second"
        #expect(hardwareRefusal { _ = try stage.open(other) } == .ownerAuthorization)
        #expect(TPMFailure(.ownerAuthorization).explanation.contains("tpm2_changeauth"))
    }

    @Test func `a TPM that was cleared is another TPM`() throws {
        try stage.tool(0, "tpm2_clear", "-c", "p")
        #expect(hardwareRefusal { _ = try stage.open().derivedKey(purpose: "keybag") } == .anotherTPM)
    }
}
