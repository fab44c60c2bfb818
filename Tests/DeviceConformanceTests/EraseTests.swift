import Foundation
import PaviseDevice
import PavisePrimitives
import TestSupport
import Testing

@Suite struct EraseTests {
    let fixture: DeviceFixture
    init() throws { fixture = try DeviceFixture() }

    private static let steps: [DeviceStep] = [.eraseMarked, .elementErased, .bagRemoved, .dataRemoved]

    @Test("DP6: after an erase nothing of the device is left, and old copies of its files open nothing")
    func everything() throws {
        let device = try fixture.device()
        let root = try DurableFile.read(fixture.home.device + "/keybag", limit: Keybag.limit)
        try DurableFile.makeDirectory(fixture.home.keychain)
        try DurableFile.write([1, 2, 3].span, to: fixture.home.keychain + "/items.db")
        let key = try device.element.generateKey()
        try device.erase()
        #expect((try? device.snapshot()) == nil)
        #expect(throws: DeviceFailure.self) { try device.key(.always, in: .unlocked) }
        #expect(throws: DeviceFailure.self) { try Device.open(fixture.home, fixture.environment).unlock("1234") }
        #expect(throws: DeviceFailure.unknownKey) { try device.element.publicKey(of: key.blob) }
        #expect(!DurableFile.exists(fixture.home.keychain + "/items.db"))
        try DurableFile.write(root.span, to: fixture.home.device + "/keybag")
        #expect(throws: DeviceFailure.self) { try fixture.open() }
    }

    @Test("DP6: a crash at any step of an erase is finished at the next opening", arguments: steps)
    func crash(_ step: DeviceStep) throws {
        let device = try fixture.device()
        let fingerprint = try device.fingerprint(.always)
        try DurableFile.makeDirectory(fixture.home.keychain)
        try DurableFile.write([1, 2, 3].span, to: fixture.home.keychain + "/items.db")
        #expect(crashing(after: step) { try device.erase() })
        let next = try fixture.open()
        #expect(try !next.hasPasscode())
        #expect(try next.fingerprint(.always) != fingerprint)
        #expect(!DurableFile.exists(fixture.home.keychain + "/items.db"))
        #expect(!DurableFile.exists(fixture.home.device + "/erasing"))
        try next.erase()
        try fixture.open().erase()
    }

    @Test("DP6: an erase takes the unlocked keys out of every place at once")
    func unlocked() throws {
        let device = try fixture.device()
        let other = try fixture.open()
        #expect(try other.lockState() == .unlocked)
        try device.erase()
        #expect(throws: DeviceFailure.self) { try other.lockState() }
        #expect(throws: DeviceFailure.self) { try other.key(.whenUnlocked, in: .unlocked) }
    }

    @Test("DP6: after an erase no place has an unlocked key")
    func places() throws {
        let device = try fixture.device()
        let names = try KeyClass.allCases.map { try device.unlockedName(of: $0) }
        let place = try #require(fixture.environment.places.first)
        let kept = names.count { place.has($0) }
        try device.erase()
        let left = names.count { place.has($0) }
        #expect(kept == 5 && left == 0)
    }

    @Test(
        "what a kill left of a file of the device goes at the next opening and with an erase",
        arguments: [
            "keybag", "element.secret", "attempts", "epochs/1", "guards/1", "keys/1",
        ])
    func unfinished(_ name: String) async throws {
        _ = try fixture.device()
        for folder in ["guards", "keys"] { try DurableFile.makeDirectory(fixture.home.device + "/" + folder) }
        let before = try files()
        for isErase in [false, true] {
            let opened = try fixture.open()
            await #expect(processExitsWith: .signal(SIGKILL)) { [path = fixture.home.device + "/" + name as String] in
                let file = try UnfinishedFile(path)
                try file.write([1, 2, 3].span)
                ChildProcess.killAtOnce(getpid())
                pause()
            }
            #expect(try files().count == before.count + 1)
            if isErase { try opened.erase() } else { _ = try fixture.open() }
            #expect(try !files().contains { $0.hasSuffix(".new") })
        }
    }

    private func files() throws -> [String] {
        let names = FileManager.default.enumerator(atPath: fixture.home.device)?.compactMap { $0 as? String }
        return try #require(names).sorted()
    }
}
