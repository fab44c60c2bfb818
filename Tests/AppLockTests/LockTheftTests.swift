import Foundation
import PaviseAppLock
import PaviseDevice
import PavisePrimitives
import PaviseVault
import SecurityFramework
import TestSupport
import Testing

/// A copy of the disk: what a thief has who took everything but the secure element.
@Suite struct LockTheftTests {
    let fixture: LockFixture
    init() throws { fixture = try LockFixture() }

    private func copy(without name: String?) throws -> PaviseHome {
        let home = PaviseHome(path: fixture.folder.path + "/copy-\(name ?? "whole")")
        try FileManager.default.copyItem(atPath: fixture.home.path, toPath: home.path)
        if let name { try FileManager.default.removeItem(atPath: home.device + "/" + name) }
        return home
    }

    @Test("AL2: the whole home without the element opens with no PIN at all; with it, it does")
    func wholeDisk() throws {
        try fixture.run { try fixture.lock().set("830597") }
        let stolen = try copy(without: "element.secret")
        fixture.run(in: stolen) {
            let lock = fixture.lock(home: stolen)
            guard case .locked(.unreadable) = lock.state else {
                Issue.record("\(lock.state)")
                return
            }
            for pin in ["830597", "940276", "555123"] {
                guard case .unreadable = lock.refusal(pin) else {
                    Issue.record("\(pin) was judged")
                    return
                }
            }
        }
        // The attack itself is sound: with the file that plays the element here, the same steps open.
        let whole = try copy(without: nil)
        fixture.run(in: whole) { #expect(fixture.lock(home: whole).refusal("830597") == nil) }
    }

    @Test(
        "AL2: who has the record in clear and knows the PIN opens nothing with another element",
        .linuxElement("it carries the files of guards to another home; the Secure Enclave has none"))
    func recordInClear() throws {
        let record = try fixture.run {
            try fixture.lock().set("830597")
            guard case .found(let secret) = try AppLockParts.platform(sharesUnlock: false).vault.read(LockFixture.name)
            else { throw SystemFailure(operation: "read", path: "record", code: 2) }
            return try #require(LockRecord(secret.withBytes { bytes in Array(bytes) }))
        }
        let right = try fixture.run { try opens(record) }
        #expect(right)
        let foreign = PaviseHome(path: fixture.folder.path + "/foreign")
        let isOpened = try fixture.run(in: foreign) {
            _ = try Device.of(foreign)
            // The salts of the guards go with the disk.
            try? FileManager.default.removeItem(atPath: foreign.device + "/guards")
            try FileManager.default.copyItem(
                atPath: fixture.home.device + "/guards", toPath: foreign.device + "/guards")
            return try opens(record)
        }
        #expect(!isOpened)
    }

    private func opens(_ record: LockRecord) throws -> Bool {
        let key = try PlatformPINKeyDerivation(price: LockFixture.cheap)
            .key(SecretBytes(utf8: "830597"), record: record.code, label: record.label)
        guard BoxBridge.open(record.wrapped, key: key.bytes, label: record.label) != nil else { return false }
        return true
    }

    @Test("AL1: neither the PIN nor the lock's key is in any file")
    func canaries() throws {
        try fixture.run {
            let place = OwnMemory()
            let lock = fixture.lock(place: place)
            try lock.set("830597")
            let key = try #require(lock.fingerprint)
            for file in try files() {
                let content = try Data(contentsOf: URL(fileURLWithPath: file))
                #expect(content.range(of: Data("830597".utf8)) == nil, "\(file)")
                #expect(content.range(of: Data(key)) == nil, "\(file)")
            }
        }
    }

    private func files() throws -> [String] {
        let names = FileManager.default.enumerator(atPath: fixture.home.path)?.compactMap { $0 as? String } ?? []
        let paths = names.map { fixture.home.path + "/" + $0 }
        return paths.filter { (try? FileManager.default.contentsOfDirectory(atPath: $0)) == nil }
    }

    @Test("AL20: a whole home that is rolled back is not noticed with the software element: the documented limit")
    func rollback() throws {
        try fixture.run { try fixture.lock().set("830597") }
        let old = try copy(without: nil)
        fixture.run {
            for number in 1...3 { _ = fixture.lock().refusal("94027\(number)") }
            #expect(fixture.lock().known == 3)
        }
        fixture.run(in: old) {
            #expect(fixture.lock(home: old).known == 0)
            #expect(fixture.lock(home: old).refusal("830597") == nil)
        }
    }
}
