import Foundation
import PaviseAppLock
import PaviseDevice
import PavisePrimitives
import PaviseVault
import SecurityFramework
import Synchronization
import TestSupport
import Testing

/// The lock's mark outside of the keychain: what is taken away or put back closes (RV-H1).
@Suite struct LockMarkTests {
    let fixture: LockFixture
    init() throws { fixture = try LockFixture() }

    private var vault: TokenVault { AppLockParts.platform(sharesUnlock: false).vault }

    private func record() throws -> [UInt8] {
        guard case .found(let secret) = try vault.read(LockFixture.name) else { throw VaultFailure.busy }
        return secret.withBytes { span in Array(span) }
    }

    private func isClosed(_ damage: LockDamage, _ lock: AppLock, _ pin: String = "830597") -> Bool {
        lock.state == .locked(.unreadable(damage)) && lock.refusal(pin) == .unreadable(damage)
            && failure { try lock.set("940276") } == .unreadable(damage) && lock.fingerprint == nil
    }

    @Test(
        "RV-H1: a record that is taken away closes, also where nothing else needs the lock",
        .linuxElement(LinuxElement.hasMarks))
    func taken() throws {
        try fixture.run {
            try fixture.lock().set("830597")
            try vault.erase(LockFixture.name)
            #expect(isClosed(.missing, fixture.lock()))
        }
    }

    @Test(
        "RV-H1: a keychain that is taken away, or put back as it was before the PIN or before wrong tries, closes",
        .linuxElement(LinuxElement.hasMarks), arguments: ["gone", "before the PIN", "before the tries"])
    func wholeKeychain(_ kind: String) throws {
        // Each time as a process of its own sees it: an open database would be read from.
        func copied(_ name: String) throws -> PaviseHome {
            let copy = PaviseHome(path: fixture.folder.path + "/" + name)
            try FileManager.default.copyItem(atPath: fixture.home.path, toPath: copy.path)
            return copy
        }
        fixture.run {
            let status = KeychainBridge.add(["class": "genp", "acct": "a", "svce": "s", "v_Data": Data([1])], of: "s")
            #expect(status == errSecSuccess)
        }
        let before = try copied("before")
        try fixture.run { try fixture.lock().set("830597") }
        let set = try copied("set")
        fixture.run { for number in 1...3 { _ = fixture.lock().refusal("94027\(number)") } }
        let now = try copied("now")
        try FileManager.default.removeItem(atPath: now.keychain)
        let old = kind == "gone" ? nil : kind == "before the PIN" ? before : set
        if let old { try FileManager.default.copyItem(atPath: old.keychain, toPath: now.keychain) }
        fixture.run(in: now) {
            let lock = fixture.lock(home: now)
            #expect(isClosed(kind == "before the tries" ? .olderCopy : .missing, lock))
            #expect(!lock.state.isOpen)
        }
    }

    @Test(
        "RV-H1: a record that is renamed closes, and opens again under its own name",
        .linuxElement(LinuxElement.hasMarks))
    func renamed() throws {
        try fixture.run {
            try fixture.lock().set("830597")
            let content: [String: Any] = ["svce": "org.pavise.applock", "class": "genp", "acct": "app"]
            #expect(KeychainBridge.update(content, ["acct": "x"], of: LockFixture.name.service) == errSecSuccess)
            #expect(isClosed(.missing, fixture.lock()))
            let renamed = content.merging(["acct": "x"]) { $1 }
            #expect(KeychainBridge.update(renamed, ["acct": "app"], of: LockFixture.name.service) == errSecSuccess)
            #expect(fixture.lock().refusal("830597") == nil)
        }
    }

    @Test(
        "RV-H1: an older record that is put back closes: no PIN is looked at, and no try is given back",
        .linuxElement(LinuxElement.hasMarks))
    func olderRecord() throws {
        try fixture.run {
            try fixture.lock().set("830597")
            let old = try record()
            for number in 1...3 { _ = fixture.lock().refusal("94027\(number)") }
            let newest = try record()
            let uses = fixture.element.uses
            try vault.store(old.span, as: LockFixture.name)
            for pin in ["830597", "940271"] { #expect(isClosed(.olderCopy, fixture.lock(), pin)) }
            #expect(fixture.element.uses == uses)
            // Nothing was lost with it.
            try vault.store(newest.span, as: LockFixture.name)
            #expect(fixture.lock().known == 3)
            #expect(fixture.lock().refusal("830597") == nil)
        }
    }

    @Test(
        "RV-H1: a mark that is taken away, or an older one, closes; a changed one is damage",
        .linuxElement(LinuxElement.hasMarks))
    func mark() throws {
        try fixture.run {
            try fixture.lock().set("830597")
            let old = try MarkFile(fixture.home)
            for number in 1...3 { _ = fixture.lock().refusal("94027\(number)") }
            let newest = try MarkFile(fixture.home)
            try old.putBack()
            #expect(isClosed(.olderCopy, fixture.lock()))
            try DurableFile.remove(newest.path)
            #expect(isClosed(.olderCopy, fixture.lock()))
            for index in newest.bytes.indices {
                var changed = newest.bytes
                changed[index] ^= 1
                try DurableFile.write(changed.span, to: newest.path)
                #expect(fixture.lock().state == .locked(.unreadable(.corrupt)), "byte \(index)")
            }
            for count in stride(from: 0, to: newest.bytes.count, by: 7) {
                try DurableFile.write(Array(newest.bytes.prefix(count)).span, to: newest.path)
                #expect(fixture.lock().state == .locked(.unreadable(.corrupt)), "\(count) bytes")
            }
            try newest.putBack()
            #expect(fixture.lock().known == 3)
        }
    }

    @Test(
        "RV-H1: a record of a lock that was removed opens and closes nothing, and goes",
        .linuxElement(LinuxElement.hasMarks))
    func removedRecord() throws {
        try fixture.run {
            try fixture.lock().set("830597")
            let old = try record()
            try fixture.lock().removePIN(SecretBytes(utf8: "830597"))
            try vault.prepare()
            try vault.store(old.span, as: LockFixture.name)
            let lock = fixture.lock()
            #expect(lock.state == .unset)
            #expect(lock.known == nil)
            try lock.set("940276")
            #expect(fixture.lock().refusal("940276") == nil)
            // The next lock's numbers begin above those of the one before.
            try vault.store(old.span, as: LockFixture.name)
            #expect(isClosed(.olderCopy, fixture.lock()))
        }
    }

    @Test(
        "RV-H1: a first PIN that is killed at any step is set or not, and locks nobody out",
        arguments: [(AppLockStep.begun, 1), (.written, 1), (.established, 1)])
    func killedSetting(_ step: AppLockStep, _ count: Int) async throws {
        for isSecond in [false, true] {
            if isSecond {
                try fixture.run {
                    if fixture.lock().state == .unset { try fixture.lock().set("830597") }
                    try fixture.lock().removePIN(SecretBytes(utf8: "830597"))
                }
            }
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [home = fixture.home.path as String, step = step.rawValue as String] in
                ChildLock.die(after: step, in: home) { try $0.set("830597") }
            }
            try fixture.run {
                let isSet = step != .begun
                #expect(fixture.lock().state == (isSet ? .locked(.started) : .unset))
                #expect(fixture.lock().refusal("830597") == (isSet ? nil : .notSet))
                guard !isSet else { return }
                try fixture.lock().set("940276")
                #expect(fixture.lock().refusal("940276") == nil)
                try fixture.lock().removePIN(SecretBytes(utf8: "940276"))
            }
        }
    }

    @Test("RV-H1: a try that is killed between its record and its mark is counted, again and again, and gives nothing")
    func killedWriting() async throws {
        try fixture.run { try fixture.lock().set("830597") }
        for round in 1...3 {
            await #expect(processExitsWith: .signal(SIGKILL)) { [home = fixture.home.path as String] in
                ChildLock.die(after: "written", in: home) { try $0.open("830597") }
            }
            fixture.run { #expect(fixture.lock().known == round) }
        }
        fixture.run { #expect(fixture.lock().refusal("830597") == nil) }
    }

    @Test(
        "RV-H1: a removal that is killed at any step leaves no PIN, and locks nobody out",
        .linuxElement(LinuxElement.hasMarks), arguments: [AppLockStep.unmarked, .erased])
    func killedRemoval(_ step: AppLockStep) async throws {
        try fixture.run { try fixture.lock().set("830597") }
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [home = fixture.home.path as String, step = step.rawValue as String] in
            ChildLock.die(after: step, in: home) { try $0.removePIN(SecretBytes(utf8: "830597")) }
        }
        try fixture.run {
            #expect(fixture.lock().state == .unset)
            #expect(fixture.lock().known == nil)
            try fixture.lock().set("940276")
            #expect(fixture.lock().refusal("940276") == nil)
        }
    }

    @Test("a mark that cannot be written judges no PIN, and the record never runs away from it")
    func fullDisk() throws {
        try fixture.run {
            try fixture.lock().set("830597")
            let uses = fixture.element.uses
            for _ in 1...4 {
                let lock = fixture.lock { $0.marks = FullMarks() }
                guard case .notWritten = lock.refusal("940276") else {
                    Issue.record("judged")
                    return
                }
            }
            #expect(fixture.element.uses == uses)
            #expect(fixture.lock().refusal("830597") == nil)
        }
    }

    @Test(
        "a lock from before there were marks opens, and has one from its first look on",
        .linuxElement(LinuxElement.hasMarks))
    func unmarked() throws {
        try fixture.run {
            try fixture.lock { $0.marks = nil }.set("830597")
            let old = try record()
            #expect(LockRecord(old)?.generation == 0)
            #expect(throws: SystemFailure.self) { try MarkFile(fixture.home) }
            let lock = fixture.lock()
            #expect(lock.state == .locked(.started))
            #expect(try PlatformLockMarks().read() == LockMark(.present, 0))
            #expect(lock.refusal("940271") == wrong)
            try vault.store(old.span, as: LockFixture.name)
            #expect(isClosed(.olderCopy, fixture.lock()))
        }
    }

    @Test("to look at a home without a lock makes no mark and no device")
    func nothing() throws {
        try fixture.run { () throws in
            #expect(try PlatformLockMarks().read() == nil)
            #expect(try PlatformLockMarks().others() == [])
            #expect(!DurableFile.exists(fixture.home.device))
        }
    }

    @Test(
        "RV-H1: another identity is told that the home is locked, and reaches nothing of it",
        .linuxElement(LinuxElement.hasMarks))
    func otherIdentity() throws {
        try fixture.run { try fixture.lock().set("830597") }
        var other = fixture.environment()
        other.accessGroups = ["other", "pavise.test"]
        try SecurityEnvironment.$override.withValue(other) {
            let lock = fixture.lock()
            #expect(lock.state == .unset)
            #expect(lock.lockedByOthers == ["pavise.test"])
            // A lock of its own stands beside it.
            try lock.set("940276")
            #expect(fixture.lock().refusal("830597") == wrong)
        }
        try fixture.run {
            #expect(fixture.lock().lockedByOthers == ["other"])
            #expect(fixture.lock().refusal("830597") == nil)
            // A foreign mark under one's own name is damage.
            let names = try Folder.names(in: fixture.home.device + "/marks").map {
                fixture.home.device + "/marks/" + $0
            }
            let contents = try names.map { try DurableFile.read($0, limit: 4096) }
            try #require(contents.count == 2)
            for (name, content) in zip(names, contents.reversed()) { try DurableFile.write(content.span, to: name) }
            #expect(fixture.lock().state == .locked(.unreadable(.corrupt)))
            // And under a third name it says nothing of anybody.
            #expect(fixture.lock().lockedByOthers == nil)
        }
    }

    @Test(
        "the way out of damage wipes, opens nothing, and is not open to a lock that its PIN opens",
        .linuxElement(LinuxElement.hasMarks), arguments: 0..<4)
    func startingOver(_ way: Int) throws {
        try fixture.run {
            #expect(failure { try fixture.lock().startOver() } == .notSet)
            try fixture.lock().set("830597")
            #expect(failure { try fixture.lock().startOver() } == .alreadySet)
            let old = try record()
            let mark = try MarkFile(fixture.home)
            _ = fixture.lock().refusal("940271")
            switch way {
            case 0: try vault.erase(LockFixture.name)
            case 1: try vault.store(old.span, as: LockFixture.name)
            case 2: try vault.store([1, 2, 3].span, as: LockFixture.name)
            default: try DurableFile.write([1, 2, 3].span, to: mark.path)
            }
            fixture.trouble.withLock { $0 = SystemFailure(operation: "wipe", path: "x", code: 28) }
            guard case .notFinished? = failure({ try fixture.lock().startOver() }) else {
                Issue.record("said to be done")
                return
            }
            #expect(!fixture.lock().state.isOpen)
            fixture.trouble.withLock { $0 = nil }
            let lock = fixture.lock()
            try lock.startOver()
            #expect(lock.state == .unset)
            #expect(fixture.ends.withLock { $0 } == [.wipe, .wipe])
            try fixture.lock().set("940276")
            #expect(fixture.lock().refusal("940276") == nil)
            // What was put back then is no lock's.
            try vault.store(old.span, as: LockFixture.name)
            #expect(!fixture.lock().state.isOpen)
        }
    }

    @Test("a mark is judged as the table says, for each phase and number")
    func table() {
        for mark in LockMark.Phase.allCases.map({ LockMark($0, 7) }) {
            #expect(LockMark(mark.encoded) == mark)
            for count in 0..<mark.encoded.count { #expect(LockMark(Array(mark.encoded.prefix(count))) == nil) }
        }
        #expect(LockMark(LockMark(.present, .max).encoded) == nil)
        #expect(LockMark([3] + [UInt8](repeating: 0, count: 8)) == nil)
        let numbers: [UInt64?] = [nil, 0, 6, 7, 8, 9]
        func row(_ mark: LockMark?) -> [LockMark.Verdict] { numbers.map { LockMark.judge(mark, record: $0) } }
        #expect(row(nil) == [.none, .unmarked, .olderCopy, .olderCopy, .olderCopy, .olderCopy])
        #expect(row(LockMark(.removed, 7)) == [.none, .removed, .removed, .removed, .olderCopy, .olderCopy])
        #expect(row(LockMark(.beginning, 7)) == [.none, .removed, .removed, .current, .olderCopy, .olderCopy])
        #expect(row(LockMark(.present, 7)) == [.missing, .olderCopy, .olderCopy, .current, .current, .olderCopy])
    }

    @Test("RV-H1: marks that cannot be read are told as that, and not as no lock of others")
    func unreadableOthers() {
        fixture.run {
            #expect(fixture.lock().lockedByOthers == [])
            #expect(fixture.lock { $0.marks = UnreadableMarks() }.lockedByOthers == nil)
        }
    }
}

/// The file of a mark, as somebody keeps a copy of it.
struct MarkFile {
    let path: String
    let bytes: [UInt8]

    init(_ home: PaviseHome) throws {
        let names = try Folder.names(in: home.device + "/marks")
        guard let name = names.first else { throw SystemFailure(operation: "read", path: "marks", code: ENOENT) }
        path = home.device + "/marks/" + name
        bytes = try DurableFile.read(path, limit: 4096, isSecret: true)
    }

    func putBack() throws { try DurableFile.write(bytes.span, to: path) }
}

/// The platform's marks on a disk that is full.
private struct FullMarks: LockMarks {
    func read() throws(MarkBridge.Failure) -> LockMark? { try PlatformLockMarks().read() }
    func write(_ mark: LockMark) throws(MarkBridge.Failure) { throw .unavailable("No space is left.") }
    func others() throws(MarkBridge.Failure) -> [String] { [] }
}

/// A place that nobody can read.
private struct UnreadableMarks: LockMarks {
    func read() throws(MarkBridge.Failure) -> LockMark? { throw .unavailable("Input/output error.") }
    func write(_ mark: LockMark) throws(MarkBridge.Failure) { throw .unavailable("Input/output error.") }
    func others() throws(MarkBridge.Failure) -> [String] { throw .unavailable("Input/output error.") }
}
