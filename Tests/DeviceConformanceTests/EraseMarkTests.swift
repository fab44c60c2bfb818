import Foundation
import PaviseDevice
import PavisePrimitives
import TestSupport
import Testing

/// RV-H4: a device is erased on certainty and on nothing else.
@Suite struct EraseMarkTests {
    let fixture: DeviceFixture
    private var mark: String { fixture.home.device + "/erasing" }

    init() throws {
        fixture = try DeviceFixture()
        _ = try fixture.open()
        try DurableFile.makeDirectory(fixture.home.keychain)
        try DurableFile.write([1, 2, 3].span, to: fixture.home.keychain + "/items.db")
    }

    private func files() throws -> [String: Data] {
        var found: [String: Data] = [:]
        let names = FileManager.default.enumerator(atPath: fixture.home.path)?.compactMap { $0 as? String } ?? []
        for name in names where !name.hasSuffix("lock") && name != "device/erasing" {
            found[name] = FileManager.default.contents(atPath: fixture.home.path + "/" + name) ?? Data()
        }
        return found
    }

    private static let codes: [Int32] = [
        EACCES, EIO, ESTALE, ENOMEM, ELOOP, EPERM, ENOTDIR, ENAMETOOLONG, EMFILE, ETIMEDOUT, ENXIO, EBUSY,
    ]

    @Test(
        "RV-H4: a mark of which the file system says nothing erases nothing, and every use says why",
        arguments: codes, [FileStep.Call.open, .read])
    func unknown(_ code: Int32, _ call: FileStep.Call) throws {
        // Without a mark, and with one that another process may be working off.
        for isThere in [false, true] {
            if isThere { try DurableFile.write([1].span, to: mark) }
            guard isThere || call == .open else { continue }
            let before = try files()
            let observer = FileObserver(failure: { [mark] in $0.call == call && $0.path == mark ? code : nil })
            let uses: [() throws -> Void] = [
                { _ = try fixture.open() }, { _ = try Device.exists(in: fixture.home) },
                { _ = try Device.isErasing(fixture.home) },
                { try Device.finishErase(fixture.home, fixture.environment) },
            ]
            for (number, use) in uses.enumerated() {
                FileObserver.$current.withValue(observer) {
                    #expect("\(number)") { try use() } throws: { error in
                        guard case .system(let failure) = error as? DeviceFailure else { return false }
                        return failure.code == code
                    }
                }
            }
            #expect(try files() == before)
        }
    }

    @Test(
        "RV-H4: what is no mark of this device erases nothing",
        arguments: ["link", "pipe", "folder", "other device", "text", "empty", "long"])
    func foreign(_ kind: String) throws {
        switch kind {
        case "link":
            try DurableFile.write([1].span, to: fixture.folder.path + "/real")
            try FileManager.default.createSymbolicLink(atPath: mark, withDestinationPath: fixture.folder.path + "/real")
        case "pipe": #expect(unsafe mkfifo(mark, 0o600) == 0)
        case "folder": try DurableFile.makeDirectory(mark)
        case "other device":
            try DurableFile.write((Array("PVER".utf8) + [1] + [UInt8](repeating: 7, count: 16)).span, to: mark)
        case "text": try DurableFile.write(Array("erasing".utf8).span, to: mark)
        case "long": try DurableFile.write([UInt8](repeating: 1, count: 300).span, to: mark)
        default: try DurableFile.write(noBytes.span, to: mark)
        }
        let before = try files()
        #expect(throws: DeviceFailure.self) { try fixture.open() }
        #expect(throws: DeviceFailure.self) { try Device.finishErase(fixture.home, fixture.environment) }
        if kind == "long" {
            #expect(throws: DeviceFailure.foreignMark(file: mark)) { try Device.isErasing(fixture.home) }
        }
        if kind == "other device" {
            // Where the element's secret is gone, the name is all that is compared.
            let secret = fixture.home.device + "/element.secret"
            let kept = try DurableFile.read(secret, limit: 64)
            try DurableFile.remove(secret)
            #expect(throws: DeviceFailure.foreignMark(file: mark)) {
                try Device.finishErase(fixture.home, fixture.environment)
            }
            try DurableFile.write(kept.span, to: secret)
        }
        #expect(try files() == before)
        try Folder.remove(mark)
        #expect(throws: Never.self) { try fixture.open() }
    }

    @Test("RV-H4: a mark that names no device erases none that still opens, and says what to do")
    func firstFormatOfAWholeDevice() throws {
        try DurableFile.write([1].span, to: mark)
        let before = try files()
        for use in [{ _ = try fixture.open() }, { try Device.finishErase(fixture.home, fixture.environment) }] {
            #expect(throws: DeviceFailure.foreignMark(file: mark)) { try use() }
        }
        #expect(try files() == before)
        // Where the element does not answer, nobody can say.
        let secret = fixture.home.device + "/element.secret"
        let observer = FileObserver(failure: { $0.call == .open && $0.path == secret ? EIO : nil })
        FileObserver.$current.withValue(observer) {
            #expect(throws: DeviceFailure.system(SystemFailure(operation: "open", path: secret, code: EIO))) {
                try Device.finishErase(fixture.home, fixture.environment)
            }
        }
        #expect(try files() == before)
        try DurableFile.remove(mark)
        #expect(throws: Never.self) { try fixture.open() }
    }

    @Test(
        "RV-H4: a keybag that does not say whose it is is erased by no mark",
        arguments: ["empty", "cut", "text", "long"], ["other device", "first format"])
    func damagedBag(_ damage: String, _ kind: String) throws {
        let bag = fixture.home.device + "/keybag"
        let whole = try DurableFile.read(bag, limit: 1 << 16)
        let damaged: [UInt8] =
            switch damage {
            case "empty": []
            case "cut": Array(whole.prefix(7))
            case "long": whole + [UInt8](repeating: 0, count: Keybag.limit)
            default: Array("keybag".utf8)
            }
        try DurableFile.write(damaged.span, to: bag)
        let other = Array("PVER".utf8) + [1] + [UInt8](repeating: 7, count: 16)
        try DurableFile.write((kind == "first format" ? [1] : other).span, to: mark)
        let before = try files()
        for use in [{ _ = try fixture.open() }, { try Device.finishErase(fixture.home, fixture.environment) }] {
            #expect(throws: DeviceFailure.damaged(file: bag)) { try use() }
        }
        #expect(try files() == before)
        try DurableFile.write(whole.span, to: bag)
        try DurableFile.remove(mark)
        #expect(throws: Never.self) { try fixture.open() }
    }

    @Test(
        "RV-H4: a mark that the element did not write erases no device, damaged or whole, and its own erases it",
        arguments: ["without a tag", "with another tag"])
    func forged(_ kind: String) throws {
        let device = try fixture.open()
        #expect(crashing(after: .eraseMarked) { try device.erase() })
        let whole = try DurableFile.read(mark, limit: 256)
        // The identity of the keybag stands in the keybag, for everybody who can read the home.
        var forged = whole
        if kind == "without a tag" {
            forged.removeLast(32)
            forged[4] = 1
        } else {
            forged[forged.count - 1] ^= 1
        }
        try DurableFile.write(forged.span, to: mark)
        let before = try files()
        for use in [{ _ = try fixture.open() }, { try Device.finishErase(fixture.home, fixture.environment) }] {
            #expect(throws: DeviceFailure.foreignMark(file: mark)) { try use() }
        }
        #expect(try files() == before)
        // A device that does not open is no reason either: a backup of its files does.
        let epoch = try #require(FileManager.default.contentsOfDirectory(atPath: fixture.home.device + "/epochs").first)
        let salt = fixture.home.device + "/epochs/" + epoch
        let kept = try DurableFile.read(salt, limit: 64)
        try DurableFile.remove(salt)
        #expect(throws: DeviceFailure.foreignMark(file: mark)) {
            try Device.finishErase(fixture.home, fixture.environment)
        }
        try DurableFile.write(kept.span, to: salt)
        #expect(try files() == before)
        try DurableFile.write(whole.span, to: mark)
        _ = try fixture.open()
        #expect(!DurableFile.exists(fixture.home.keychain))
        #expect(!DurableFile.exists(mark))
    }

    @Test("RV-H4: an erase that an older Pavise began is finished", arguments: ["element.secret", "keybag"])
    func firstFormat(_ gone: String) throws {
        try DurableFile.write([1].span, to: mark)
        try DurableFile.remove(fixture.home.device + "/" + gone)
        #expect(try Device.isErasing(fixture.home))
        #expect(try !Device.exists(in: fixture.home))
        _ = try fixture.open()
        #expect(!DurableFile.exists(fixture.home.keychain))
        #expect(!DurableFile.exists(mark))
    }

    @Test("RV-L1: links in the place of folders do not stop an erase, and what they lead to stays")
    func links() throws {
        let outside = fixture.folder.path + "/outside"
        try DurableFile.makeDirectory(outside)
        try DurableFile.write([5].span, to: outside + "/kept")
        let device = try fixture.open()
        try FileManager.default.createSymbolicLink(atPath: fixture.home.connections, withDestinationPath: outside)
        try FileManager.default.createSymbolicLink(
            atPath: fixture.home.device + "/guards", withDestinationPath: outside)
        try device.erase()
        #expect(try !Device.exists(in: fixture.home))
        #expect(try !Device.isErasing(fixture.home))
        #expect(!DurableFile.exists(fixture.home.connections))
        #expect(try DurableFile.read(outside + "/kept", limit: 9) == [5])
        #expect(throws: Never.self) { try fixture.open() }
    }

    @Test(
        "RV-H3: a file of the device that others may read is refused, with the command that closes it",
        arguments: ["keybag", "element.secret", "lock", "epochs/*"])
    func modes(_ name: String) throws {
        let epoch = try #require(FileManager.default.contentsOfDirectory(atPath: fixture.home.device + "/epochs").first)
        let path = fixture.home.device + "/" + name.replacingOccurrences(of: "*", with: epoch)
        #expect(unsafe chmod(path, 0o644) == 0)
        let use = { if name == "lock" { try fixture.open().erase() } else { _ = try fixture.open() } }
        let failure = try #require(throws: DeviceFailure.self) { try use() }
        #expect(failure.explanation.contains("chmod 600 \(path)"), "\(failure.explanation)")
        #expect(unsafe chmod(path, 0o600) == 0)
        #expect(throws: Never.self) { try use() }
    }

    @Test("RV-H3: a home that another tool made and left open is refused before anything is put into it")
    func openHome() throws {
        let home = PaviseHome(path: fixture.folder.path + "/made")
        try DurableFile.makeDirectory(home.path)
        #expect(unsafe chmod(home.path, 0o755) == 0)
        let failure = try #require(throws: DeviceFailure.self) { try Device.open(home, fixture.environment) }
        #expect(failure.explanation.contains("chmod 700 \(home.path)"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: home.path).isEmpty)
    }

    @Test("RV-H3: a home that another makes in the moment between is refused before anything is put into it")
    func exchangedHome() throws {
        let home = PaviseHome(path: fixture.folder.path + "/late")
        let observer = FileObserver(failure: { step in
            if step.call == .makeFolder, step.path == home.device, unsafe mkdir(home.path, 0o700) == 0 {
                unsafe chmod(home.path, 0o777)
            }
            return nil
        })
        FileObserver.$current.withValue(observer) {
            #expect(throws: DeviceFailure.self) { try Device.open(home, fixture.environment) }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: home.device).isEmpty)
    }

    @Test("RV-H4: a key whose file cannot be looked at is not called destroyed")
    func key() throws {
        let element = try fixture.open().element
        let key = try element.generateKey()
        let observer = FileObserver(failure: { $0.path.contains("/keys/") ? EIO : nil })
        FileObserver.$current.withValue(observer) {
            #expect(throws: DeviceFailure.system(SystemFailure(operation: "open", path: path(of: key), code: EIO))) {
                try element.publicKey(of: key.blob)
            }
        }
        try DurableFile.remove(path(of: key))
        #expect(throws: DeviceFailure.unknownKey) { try element.publicKey(of: key.blob) }
    }

    private func path(of key: ElementKey) -> String {
        fixture.home.device + "/keys/" + Hex.encode(Array(key.blob[1..<17]))
    }
}

private let noBytes: [UInt8] = []
