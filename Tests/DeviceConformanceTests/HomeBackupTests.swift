import Foundation
import PavisePrimitives
import SecurityFramework
import Synchronization
import TestSupport
import Testing

@testable import PaviseDevice

/// A whole home in one sealed file, and back (HB1 to HB6, Documentation/Controls/Homes.md).
@Suite struct HomeBackupTests {
    let fixture: KeychainFixture
    let folder: TemporaryFolder
    init() throws {
        fixture = try KeychainFixture()
        folder = try TemporaryFolder()
    }

    private var home: PaviseHome { fixture.device.home }
    private var file: String { folder.path + "/pavise.backup" }
    private var target: PaviseHome { PaviseHome(path: folder.path + "/data/home") }

    private func passphrase(_ text: String = "correct horse battery") -> SecretBytes { SecretBytes(utf8: text) }

    @discardableResult
    private func write() throws -> HomeBackup.Summary {
        try HomeBackup.write(home, to: file, passphrase: passphrase(), cost: DeviceFixture.cheap)
    }

    private func restore(_ text: String = "correct horse battery") throws -> HomeBackup.Summary {
        try HomeBackup.restore(file, passphrase: passphrase(text), to: target)
    }

    private func failure<Result>(_ body: () throws -> Result) throws -> HomeBackupFailure {
        try #require(throws: HomeBackupFailure.self) { _ = try body() }
    }

    /// Items, some of them in the log of the database still, and a folder with a large file.
    private func fill() throws {
        try fixture.setPasscode()
        try fixture.device.open().unlock("1234")
        fixture.run { for number in 0..<5 { #expect(add(password("anna \(number)")) == errSecSuccess) } }
        try DurableFile.makeDirectory(home.connections + "/a/empty")
        let bytes = [UInt8](repeating: 7, count: 200_000)
        try DurableFile.write(bytes.span, to: home.connections + "/a/large")
    }

    @Test("HB1, KC57: what is put back opens with the same passcode, and gives the same items by the same references")
    func roundTrip() throws {
        try fill()
        let references = fixture.run {
            (0..<5).map { copy(password("anna \($0)"), [kSecReturnPersistentRef as String: true]).result as? Data }
        }
        let written = try write()
        #expect(try HomeBackup.verify(file, passphrase: passphrase()) == written)
        #expect(try restore() == written)
        #expect(try FileFacts(of: target.path).mode == 0o700)
        #expect(HomeInspection(target).findings.isEmpty)
        #expect(try DurableFile.read(target.connections + "/a/large", limit: 1 << 20).count == 200_000)
        #expect(try Folder.names(in: target.connections + "/a/empty").isEmpty)
        var environment = fixture.environment
        environment.home = target
        environment.lock = LockSwitch(following: target)
        try SecurityEnvironment.$override.withValue(environment) {
            try Device.of(target).unlock("1234")
            for number in 0..<5 { #expect(value(password("anna \(number)")).1 == "secret") }
            for (number, reference) in references.enumerated() {
                let known: [String: Any] = [kSecValuePersistentRef as String: try #require(reference)]
                let found = copy(known, [kSecReturnAttributes as String: true]).result as? [String: Any]
                #expect(found?[kSecAttrAccount as String] as? String == "anna \(number)")
                #expect(value(known).1 == "secret")
            }
        }
    }

    @Test("HB2: nothing of the home stands in the file, and another passphrase opens nothing")
    func sealed() throws {
        try fill()
        try write()
        let secret = try DurableFile.read(home.device + "/element.secret", limit: 4096)
        let bytes = try DurableFile.read(file, limit: 1 << 24)
        #expect(secret.count >= 32 && Data(bytes).range(of: Data(secret.suffix(16))) == nil)
        #expect(Data(bytes).range(of: Data("items.db".utf8)) == nil)
        #expect(try FileFacts(of: file).mode == 0o600)
        #expect(try failure { try restore("correct horse batterz") } == .passphrase(path: file))
        #expect(!DurableFile.exists(target.path))
    }

    @Test("HB3: a file that was altered anywhere, cut, or made longer puts nothing back")
    func altered() throws {
        try fill()
        try write()
        let whole = try DurableFile.read(file, limit: 1 << 24)
        var changes: [[UInt8]] = stride(from: 0, to: whole.count, by: 7919).map { place in
            var bytes = whole
            bytes[place] ^= 1
            return bytes
        }
        let chunk = BackupHead.count + BackupChunk.sealedCount
        for count in [0, 1, 48, 49, 60, chunk, chunk + 1, whole.count - 1] { changes.append(Array(whole[..<count])) }
        changes.append(whole + [0])
        for bytes in changes {
            try DurableFile.write(bytes.span, to: file)
            _ = try failure { try restore() }
            #expect(!DurableFile.exists(target.path))
        }
        #expect(try Folder.names(in: DurableFile.directory(of: target.path)).isEmpty)
        // A cut between two chunks is seen by the nonce, before what the chunks hold is looked at.
        #expect(BackupChunk.nonce(1, isLast: true) != BackupChunk.nonce(1, isLast: false))
        // Backups of earlier releases open with these.
        #expect(BackupChunk.nonce(0x0102, isLast: false) == [0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 0])
        #expect(BackupChunk.nonce(0x0102, isLast: true) == [0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 1])
    }

    @Test(
        "HB3: a price that no machine pays is refused before anything is computed",
        arguments: [[UInt32.max, 3, 1], [1 << 20, 1000, 1], [4, 1, 1], [8, 0, 1], [8, 1, 2]])
    func price(_ numbers: [UInt32]) throws {
        var writer = ByteWriter()
        writer.raw(Array("Pavise home backup 1\n".utf8))
        for number in numbers { writer.integer(number) }
        writer.raw([UInt8](repeating: 1, count: 100))
        try DurableFile.write(writer.bytes.span, to: file)
        #expect(try failure { try restore() } == .notABackup(path: file))
    }

    @Test(
        "HB4: names that lead out of the home, come twice or have no folder are refused, whoever sealed them",
        arguments: [
            ["../x"], ["/etc/x"], ["a/../../x"], ["a"], ["./x"], [""], ["x\0y"], ["device/x"], ["x", "x"],
            ["../", "../x"], ["./", "./x"], ["../\u{301}x"], ["../\u{301}/", "../\u{301}/x"], ["a/\u{301}x"],
            [String(repeating: "x/", count: 40) + "x"], [String(repeating: "x", count: 5000)],
        ])
    func names(_ names: [String]) throws {
        var writer = try BackupWriter.begin(file, BackupHead(DeviceFixture.cheap), passphrase())
        var content = ByteWriter()
        content.integer(Int64(0))
        for name in names {
            // One that ends in a stroke is a folder.
            let isFolder = name.hasSuffix("/")
            content.raw([isFolder ? 1 : 2])
            content.block(Array((isFolder ? name.dropLast() : name[...]).utf8))
            guard !isFolder else { continue }
            content.integer(UInt64(1))
            content.raw([1])
        }
        if names == ["a"] { content.integer(UInt64.max) }
        content.raw([0])
        content.integer(UInt32(names.count))
        try writer.write(content.bytes.span)
        #expect(try writer.finish())
        _ = try failure { try restore() }
        #expect(!DurableFile.exists(target.path) && !DurableFile.exists(folder.path + "/x"))
        #expect(!DurableFile.exists(folder.path + "/\u{301}x") && !DurableFile.exists(folder.path + "/\u{301}"))
    }

    @Test("HB5: a home that is changed while it is read is read again; one that changes each time is not copied")
    func changes() throws {
        try fill()
        let turns = Mutex(0)
        let place = home.connections + "/a/large"
        let observer: @Sendable (HomeBackup.Step) throws -> Void = { step in
            guard step == .copied else { return }
            let turn = turns.withLock { count in
                count += 1
                return count
            }
            if turn <= 2 { try DurableFile.write([UInt8(turn)].span, to: place) }
        }
        try HomeBackup.Step.$observer.withValue(observer) { _ = try write() }
        #expect(turns.withLock { $0 } == 3)
        _ = try restore()
        #expect(try DurableFile.read(target.connections + "/a/large", limit: 10) == [2])
        try DurableFile.remove(file)
        let always: @Sendable (HomeBackup.Step) throws -> Void = { step in
            if step == .copied { try DurableFile.write([1].span, to: place) }
        }
        HomeBackup.Step.$observer.withValue(always) { #expect(throws: HomeBackupFailure.busy) { try write() } }
        #expect(try Folder.names(in: folder.path) == ["data"])
    }

    @Test("HB6: a home or a file that is there stays as it is, and a backup never lies in its own home")
    func neverOver() throws {
        try fill()
        try DurableFile.write([1].span, to: file)
        #expect(try failure { try write() } == .exists(path: file))
        #expect(try DurableFile.read(file, limit: 10) == [1])
        try DurableFile.remove(file)
        let inside = [home.path + "/b", home.connections + "/a/../b", folder.path + "/link/b"]
        #expect(unsafe symlink(home.connections, folder.path + "/link") == 0)
        for path in inside {
            let failure = try failure {
                try HomeBackup.write(home, to: path, passphrase: passphrase(), cost: DeviceFixture.cheap)
            }
            #expect(failure == .insideHome(path: path))
        }
        try write()
        let before = try Folder.names(in: home.path)
        let refused = try failure { try HomeBackup.restore(file, passphrase: passphrase(), to: home) }
        #expect(refused == .homeExists(path: home.path))
        #expect(refused.explanation.contains("mv \(home.path) \(home.path).old"))
        #expect(try Folder.names(in: home.path) == before)
    }

    @Test("HB6: a link, or a pipe, in the home is no part of it, and nothing is written")
    func foreign() throws {
        try fill()
        let link = home.connections + "/a/link"
        #expect(unsafe symlink("/etc/passwd", link) == 0)
        #expect(try failure { try write() } == .foreign(path: link))
        #expect(try Folder.names(in: folder.path).isEmpty)
    }

    @Test("HB6: without a device there is nothing to back up, and none is made")
    func nothing() throws {
        #expect(try failure { try write() } == .nothingThere(home: home.path))
        #expect(!DurableFile.exists(home.path))
    }

    @Test(
        "HB6: a full disk leaves no file and no home",
        arguments: [FileStep.Call.write, .synchronise, .link, .rename])
    func fullDisk(_ call: FileStep.Call) throws {
        try fill()
        let full = FileObserver(failure: { $0.call == call ? ENOSPC : nil })
        if call != .rename {
            FileObserver.$current.withValue(full) { #expect(throws: HomeBackupFailure.self) { try write() } }
            #expect(try Folder.names(in: folder.path).isEmpty)
        }
        try write()
        if call != .link {
            FileObserver.$current.withValue(full) { #expect(throws: HomeBackupFailure.self) { try restore() } }
            #expect(!DurableFile.exists(target.path))
            #expect(try Folder.names(in: DurableFile.directory(of: target.path)).isEmpty)
        }
    }

    @Test("HB6: a restore that stops before its last step leaves no home, and the next one puts it back")
    func killed() throws {
        try fill()
        try write()
        HomeBackup.Step.$observer.withValue({ if $0 == .unpacked { throw Crash() } }) {
            #expect(throws: HomeBackupFailure.self) { try restore() }
        }
        #expect(!DurableFile.exists(target.path))
        // What a kill leaves, which no value takes away: with a lock that nobody holds.
        let left = "\(target.path).4000000.0123456789abcdef.new"
        try DurableFile.makeDirectory(left + "/device")
        _ = try restore()
        #expect(try Folder.names(in: DurableFile.directory(of: target.path)) == ["home"])
    }
}
