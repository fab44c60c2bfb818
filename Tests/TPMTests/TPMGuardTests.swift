import Foundation
import PaviseCrypto
import PavisePrimitives
import TestSupport
import Testing

@testable import PaviseDevice

/// The guard of a passcode on a TPM.
@Suite(.enabled(if: SoftwareTPM.isInstalled, "swtpm is not installed")) struct TPMGuardTests {
    let stage: TPMStage
    let right: UInt8 = 1
    let wrong: UInt8 = 2

    init() throws { stage = try TPMStage() }

    private func answer(_ element: TPMElement, _ guardian: [UInt8], _ passcode: UInt8) throws -> [UInt8] {
        try element.entangle(TPMStage.secrets(passcode), guard: guardian).withBytes { span in
            Array(span)
        }
    }

    @Test func `DP7 the right passcode gives the same answer always, also after a restart of the TPM`() throws {
        let element = try stage.open()
        let guardian = try element.makeGuard(TPMStage.secrets(right))
        #expect(guardian.count <= longestGuard)
        let first = try answer(element, guardian, right)
        #expect(try answer(element, guardian, right) == first)
        try stage.tpm.restart()
        #expect(try answer(element, guardian, right) == first)
        #expect(try answer(try stage.open(), guardian, right) == first)
        let second = try element.makeGuard(TPMStage.secrets(right))
        #expect(try answer(element, second, right) != first)
    }

    @Test func `DP7 the TPM counts wrong passcodes, and the right one sets the count back`() throws {
        let element = try stage.open()
        let guardian = try element.makeGuard(TPMStage.secrets(right))
        for count: UInt32 in 1...9 {
            #expect(refusal { _ = try answer(element, guardian, wrong) } == .wrongPasscode)
            #expect(try element.failedTries(guard: guardian) == count)
            if count == 5 { try stage.tpm.restart() }
        }
        _ = try answer(element, guardian, right)
        #expect(try element.failedTries(guard: guardian) == 0)
    }

    @Test func `DP7 after ten wrong passcodes the right one is refused too, for good`() throws {
        let element = try stage.open()
        let guardian = try element.makeGuard(TPMStage.secrets(right))
        for _ in 0..<10 { #expect(refusal { _ = try answer(element, guardian, wrong) } == .wrongPasscode) }
        #expect(refusal { _ = try answer(element, guardian, right) } == .passcodeBlocked)
        #expect(refusal { _ = try answer(element, guardian, wrong) } == .passcodeBlocked)
        try stage.tpm.restart()
        #expect(refusal { _ = try answer(try stage.open(), guardian, right) } == .passcodeBlocked)
        #expect(try element.failedTries(guard: guardian) == 10)
        // Another guard and the rest of the device go on.
        let second = try element.makeGuard(TPMStage.secrets(right))
        #expect(try answer(element, second, right).count == 32)
        _ = try element.generateKey()
    }

    @Test func `DP7 the index alone is not enough, and a failure there counts against the whole TPM`() throws {
        let element = try stage.open()
        let guardian = try element.makeGuard(TPMStage.secrets(right))
        #expect(
            refusal { _ = try element.entangle(TPMStage.secrets(right, key: wrong), guard: guardian) } == .wrongPasscode
        )
        var last: TPMFailure.Kind?
        for _ in 0..<64 where last == nil {
            last = hardwareRefusal { _ = try element.entangle(TPMStage.secrets(right, key: wrong), guard: guardian) }
        }
        #expect(last == .lockout)
        #expect(hardwareRefusal { _ = try answer(element, guardian, right) } == .lockout)
        // Keys do not depend on that.
        _ = try element.generateKey()
    }

    @Test func `DP5 a destroyed guard opens nothing, also with all files put back`() throws {
        let element = try stage.open()
        let guardian = try element.makeGuard(TPMStage.secrets(right))
        let saved = try DurableFile.read(stage.home + "/element.tpm", limit: 1 << 20)
        try element.destroyGuard(guardian)
        try element.destroyGuard(guardian)
        #expect(refusal { _ = try answer(element, guardian, right) } == .unknownKey)
        try DurableFile.write(saved.span, to: stage.home + "/element.tpm")
        #expect(refusal { _ = try answer(element, guardian, right) } == .unknownKey)
    }

    @Test func `a destroyed guard leaves no index behind`() throws {
        let element = try stage.open()
        element.disconnect()
        let before = try stage.indices()
        for round in 0..<3 {
            let guardian = try element.makeGuard(TPMStage.secrets(UInt8(round)))
            element.disconnect()
            #expect(try stage.indices().count == before.count + 1)
            try element.destroyGuard(guardian)
        }
        element.disconnect()
        #expect(try stage.indices() == before)
    }

    @Test func `no byte of a guard can be changed`() throws {
        let element = try stage.open()
        let guardian = try element.makeGuard(TPMStage.secrets(right))
        for index in stride(from: 0, to: guardian.count, by: 5) {
            var changed = guardian
            changed[index] ^= 1
            #expect(refusal { _ = try answer(element, changed, right) } == .unknownKey)
        }
        #expect(try element.failedTries(guard: guardian) == 0)
    }
}
