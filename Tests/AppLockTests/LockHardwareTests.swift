import Foundation
import PaviseAppLock
import PaviseDevice
import PavisePrimitives
import PaviseVault
import SecurityFramework
import Synchronization
import TestSupport
import Testing

/// The lock over a TPM 2.0: here a software one, which keeps its state where no copy of the home has it.
@Suite(.enabled(if: SoftwareTPM.isInstalled, "swtpm is not installed"))
struct LockHardwareTests {
    let fixture: LockFixture
    let tpm: SoftwareTPM

    init() throws {
        fixture = try LockFixture()
        tpm = try SoftwareTPM()
    }

    private func run<Result>(
        _ tpm: SoftwareTPM, in home: PaviseHome? = nil, _ body: () throws -> Result
    ) throws -> Result {
        let address = try #require(TPMAddress(tpm.address))
        var environment = SecurityEnvironment(home: home ?? fixture.home)
        environment.device = DeviceEnvironment(
            time: fixture.time.source, elements: ElementChoice([.tpm(at: address)]))
        return try SecurityEnvironment.$override.withValue(environment) { try body() }
    }

    @Test("AL2: a copy of the whole home opens with its own TPM, and with no other")
    func copiedDisk() throws {
        try run(tpm) { try fixture.lock().set("830597") }
        let stolen = PaviseHome(path: fixture.folder.path + "/stolen")
        try FileManager.default.copyItem(atPath: fixture.home.path, toPath: stolen.path)
        try run(SoftwareTPM(), in: stolen) {
            let lock = fixture.lock(home: stolen)
            guard case .unreadable = lock.refusal("830597") else {
                Issue.record("the PIN was judged")
                return
            }
            #expect(!lock.state.isOpen)
        }
        try run(tpm) { #expect(fixture.lock().refusal("830597") == nil) }
    }

    @Test("RV-M2: with a TPM, too, a first PIN and its removal make new keys, and no packet from before opens")
    func rotation() async throws {
        let address = try #require(TPMAddress(tpm.address))
        var environment = SecurityEnvironment(home: fixture.home)
        environment.device = DeviceEnvironment(
            time: fixture.time.source, elements: ElementChoice([.tpm(at: address)]))
        try await SecurityEnvironment.$override.withValue(environment) {
            let lock = fixture.lock()
            let secrets = SealedSecrets(lock)
            let before = try secrets.fill()
            try lock.set("830597")
            #expect(try secrets.vault.isRotationPending())
            try await secrets.sealAgain()
            secrets.expectAll()
            secrets.expectNoneOpens(before)
            let guarded = try SealedSecrets.names.map { try SealedSecrets.packet($0) }
            try lock.changePIN(SecretBytes(utf8: "830597"), to: SecretBytes(utf8: "940276"))
            let again = fixture.lock()
            SealedSecrets(again).expectClosed()
            try again.open("940276")
            again.sealPlainly(true)
            try await SealedSecrets(again).sealAgain()
            again.sealPlainly(false)
            try again.removePIN(SecretBytes(utf8: "940276"))
            let without = SealedSecrets(fixture.lock())
            without.expectAll()
            without.expectNoneOpens(before)
            without.expectNoneOpens(guarded)
        }
    }

    @Test(
        "AL20: whoever puts the old record and its mark back after each try gets the TPM's ten, and then the end",
        .linuxElement("Apple documents no limit of tries for an application password (SECURITY.md)"))
    func rollback() throws {
        try run(tpm) {
            try fixture.lock().set("830597")
            let vault = AppLockParts.platform(sharesUnlock: false).vault
            guard case .found(let old) = try vault.read(LockFixture.name) else {
                Issue.record("the record is not there")
                return
            }
            let mark = try MarkFile(fixture.home)
            for number in 0..<10 {
                #expect(fixture.lock().refusal("94027\(number)") == wrong)
                try old.withBytes { try vault.store($0, as: LockFixture.name) }
                try mark.putBack()
            }
            #expect(fixture.lock().refusal("830597") == .ended(.wipe))
            #expect(fixture.ends.withLock { $0 } == [.wipe])
            #expect(fixture.lock().refusal("830597") == .notSet)
        }
    }
}
