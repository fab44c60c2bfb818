import Foundation
import PaviseCrypto
import PavisePrimitives
import TestSupport
import Testing

@testable import PaviseDevice

@Suite(.enabled(if: SoftwareTPM.isInstalled, "swtpm is not installed")) struct TPMConnectionTests {
    let stage: TPMStage
    private let digest = [UInt8](repeating: 7, count: 32)

    init() throws { stage = try TPMStage() }

    // 10,000 with PAVISE_FULL=1.
    private static let rounds = PaviseHome.variable("PAVISE_FULL") == nil ? 40 : 1000

    @Test(.long) func `DP7 no session and no object is left behind, whatever fails`() throws {
        let element = try stage.open()
        let key = try element.generateKey()
        let guardian = try element.makeGuard(TPMStage.secrets(1))
        var off = key.publicKey
        off[64] ^= 1
        for _ in 0..<Self.rounds {
            _ = try element.sign(digest: digest, with: key.blob)
            _ = try element.sharedSecret(with: key.publicKey, using: key.blob)
            #expect(throws: DeviceFailure.invalidInput) { _ = try element.sharedSecret(with: off, using: key.blob) }
            #expect(throws: DeviceFailure.wrongPasscode) {
                _ = try element.entangle(TPMStage.secrets(2), guard: guardian)
            }
            _ = try element.entangle(TPMStage.secrets(1), guard: guardian)
            #expect(throws: DeviceFailure.unknownKey) { _ = try element.sign(digest: digest, with: guardian) }
            let second = try element.generateKey()
            _ = try element.sign(digest: digest, with: second.blob)
            try element.destroy(second.blob)
            element.forget()
            _ = try element.derivedKey(purpose: "keybag")
        }
        element.disconnect()
        #expect(try stage.loaded().isEmpty)
    }

    @Test func `what a killed process left behind is cleared by the next`() throws {
        let element = try stage.open()
        let key = try element.generateKey()
        element.disconnect()
        try leak()
        #expect(try stage.loaded().count == 4)
        #expect(try element.sign(digest: digest, with: key.blob).count > 60)
        element.disconnect()
        #expect(try stage.loaded().isEmpty)
    }

    // Closes a connection without flushing what it loaded.
    private func leak() throws {
        let context = try TPMContext(stage.address())
        let primary = try context.primary()
        _ = try context.primary()
        _ = try context.session(.authorization, saltedBy: primary)
        _ = try context.session(.policy, saltedBy: primary)
    }

    @Test func `DP7 a TPM that goes away in the middle is an error, and comes back`() throws {
        let element = try stage.open()
        let key = try element.generateKey()
        for _ in 0..<3 {
            _ = try element.sign(digest: digest, with: key.blob)
            stage.tpm.stop()
            #expect(hardwareRefusal { _ = try element.sign(digest: digest, with: key.blob) } == .absent)
            #expect(hardwareRefusal { _ = try element.generateKey() } == .absent)
            #expect(hardwareRefusal { _ = try element.entangle(TPMStage.secrets(1), guard: key.blob) } == nil)
            try stage.tpm.start()
            _ = try element.sign(digest: digest, with: key.blob)
        }
    }

    @Test(.long) func `the TPM may be killed at any moment of any operation`() async throws {
        let element = try stage.open()
        let key = try element.generateKey()
        for round in 0..<8 {
            let work = Task.detached { [digest] in
                var outcome: [DeviceFailure?] = []
                for _ in 0..<6 {
                    outcome.append(refusal { _ = try element.sign(digest: digest, with: key.blob) })
                    outcome.append(refusal { try element.destroy(element.generateKey().blob) })
                    outcome.append(refusal { _ = try element.destroyGuard(element.makeGuard(TPMStage.secrets(3))) })
                }
                return outcome
            }
            for _ in 0..<(round * 400) { await Task.yield() }
            stage.tpm.stop()
            try stage.tpm.start()
            for failure in await work.value.compactMap({ $0 }) {
                guard case .hardware = failure else {
                    Issue.record("round \(round): \(failure)")
                    continue
                }
            }
            #expect(refusal { _ = try element.sign(digest: digest, with: key.blob) } == nil, "round \(round)")
        }
        element.disconnect()
        // What the crashes left in the TPM's memory is the next guard's to remove.
        try element.destroyGuard(element.makeGuard(TPMStage.secrets(3)))
        element.disconnect()
        #expect(try stage.indices().count == 1)
    }

    @Test(.long) func `threads and elements take turns at one TPM`() async throws {
        let elements = try (0..<3).map { _ in try stage.open() }
        let keys = try elements.map { try $0.generateKey() }
        await withTaskGroup(of: DeviceFailure?.self) { group in
            for worker in 0..<6 {
                let (element, key) = (elements[worker % 3], keys[worker / 2])
                group.addTask { await Self.work(element, key) }
            }
            for await failure in group { #expect(failure == nil) }
        }
    }

    private static func work(_ element: TPMElement, _ key: ElementKey) async -> DeviceFailure? {
        let failure = try? await WorkerThread.run {
            refusal {
                for _ in 0..<15 { _ = try element.sign(digest: [UInt8](repeating: 7, count: 32), with: key.blob) }
                try element.destroy(element.generateKey().blob)
            }
        }
        return failure ?? nil
    }
}
