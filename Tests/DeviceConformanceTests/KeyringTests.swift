import Foundation
import PaviseDevice
import PavisePrimitives
import Synchronization
import TestSupport
import Testing

/// A place that never takes anything: no system call, no right, no quota.
struct NoKeyStore: UnlockedKeys {
    var isShared: Bool { true }
    func keep(_ key: borrowing SecretBytes, _ name: String, seconds: UInt32) -> Bool { false }
    func has(_ name: String) -> Bool { false }
    func read(_ name: String) -> SecretBytes? { nil }
    func forget(_ name: String) {}
}

/// The kernel's keyring, and which of the keys that a test put there still lie in it. They go with the test, whatever
/// fails.
final class WatchedKeyStore: UnlockedKeys {
    private let place = KeyringKeys(in: .user)
    private let names = Mutex<Set<String>>([])

    /// The names of the keys that are still there.
    var left: [String] { names.withLock { $0.filter { KernelKeyring.find($0) != nil } }.sorted() }

    var isShared: Bool { true }
    func keep(_ key: borrowing SecretBytes, _ name: String, seconds: UInt32) -> Bool {
        names.withLock { _ = $0.insert(name) }
        return place.keep(key, name, seconds: seconds)
    }
    func has(_ name: String) -> Bool { place.has(name) }
    func read(_ name: String) -> SecretBytes? { place.read(name) }
    func forget(_ name: String) { place.forget(name) }
    deinit { for name in left { place.forget(name) } }
}

/// A place whose quota ends after some keys.
final class SmallKeyStore: UnlockedKeys {
    private let place = ProcessKeys()
    private let left: Mutex<Int>
    init(room: Int) { left = Mutex(room) }
    var isShared: Bool { true }
    func keep(_ key: borrowing SecretBytes, _ name: String, seconds: UInt32) -> Bool {
        let fits = left.withLock { left in
            left -= 1
            return left >= 0
        }
        return fits && place.keep(key, name, seconds: seconds)
    }
    func has(_ name: String) -> Bool { place.has(name) }
    func read(_ name: String) -> SecretBytes? { place.read(name) }
    func forget(_ name: String) { place.forget(name) }
}

extension UnlockedKeys {
    /// The key in clear.
    func bytes(_ name: String) -> [UInt8]? {
        guard let secret = read(name) else { return nil }
        return secret.withBytes { bytes in Array(bytes) }
    }
}

/// Whether this machine lets us use the kernel's keyring; some containers do not.
private let hasKeyring: Bool = {
    guard let key = try? KernelKeyring.add([1, 2, 3].span, "pavise-test:probe", seconds: 10) else { return false }
    KernelKeyring.invalidate(key)
    return true
}()

@Suite struct KeyringTests {
    @Test("DP8: the kernel's answers all mean that there is no key", .enabled(if: hasKeyring))
    func answers() throws {
        let place = KeyringKeys(in: .user)
        let secret = try SecretBytes.random(count: 32)
        let name = "pavise-test:\(UUID().uuidString)"
        #expect(!place.has(name))
        let isKept = place.keep(secret, name, seconds: 60)
        #expect(isKept)
        #expect(place.has(name))
        let bytes = secret.withBytes { bytes in Array(bytes) }
        #expect(KeyringKeys(in: .user).bytes(name) == bytes)
        let key = try #require(KernelKeyring.find(name))
        KernelKeyring.revoke(key)
        #expect(!place.has(name))
        #expect(place.bytes(name) == nil)
        let isKeptAgain = place.keep(secret, name, seconds: 60)
        #expect(isKeptAgain && place.has(name))
        place.forget(name)
        place.forget(name)
        #expect(!place.has(name))
    }

    @Test("DP8: a key of another length or without its period is no key", .enabled(if: hasKeyring))
    func foreignKey() throws {
        let name = "pavise-test:\(UUID().uuidString)"
        let key = try KernelKeyring.add([1, 2, 3].span, name, seconds: 60)
        #expect(!KeyringKeys(in: .user).has(name))
        #expect(KeyringKeys(in: .user).bytes(name) == nil)
        KernelKeyring.invalidate(key)
    }

    @Test(
        "RV-M6: what an unlock leaves belongs to the user: a process that knows no more than the name finds it",
        .enabled(if: hasKeyring))
    func userWide() async throws {
        let name = "pavise-test:\(UUID().uuidString)"
        let isKept = try KeyringKeys(in: .user).keep(SecretBytes.random(count: 32), name, seconds: 60)
        #expect(isKept)
        // No home and no secret of one: as ThreatModel.md says of containers of the same user number.
        await #expect(processExitsWith: .success) { [name = name as String] in
            unsafe unsetenv("PAVISE_HOME")
            #expect(KeyringKeys(in: .user).bytes(name)?.count == 32)
        }
        KeyringKeys(in: .user).forget(name)
        await #expect(processExitsWith: .success) { [name = name as String] in
            #expect(!KeyringKeys(in: .user).has(name))
        }
    }

    @Test(
        "RV-M6: under PAVISE_KEYRING=session an unlock is the session's: no other one of the user finds or reads it",
        .enabled(if: hasKeyring))
    func sessionAlone() throws {
        let name = "pavise-test:\(UUID().uuidString)"
        let answers = Monitor<[String: Bool]>([:])
        // A session keyring belongs to a thread's credentials, and goes with its last thread: threads play the
        // containers.
        let container = Thread {
            let isAlone = KernelKeyring.joinNewSession()
            let keys = KeyringKeys(in: .session)
            let isKept = keys.keep(SecretBytes(utf8: String(repeating: "k", count: 32)), name, seconds: 60)
            let number = KernelKeyring.find(name, in: .session)
            let inside = Thread { answers.change { $0["inside"] = KeyringKeys(in: .session).bytes(name)?.count == 32 } }
            let outside = Thread {
                _ = KernelKeyring.joinNewSession()
                let ways = [KernelKeyring.Ring.session, .user].map { KeyringKeys(in: $0).bytes(name) != nil }
                let byNumber = number.map { KernelKeyring.holds($0) || KernelKeyring.read($0, count: 36) != nil }
                answers.change { $0["outside"] = ways.contains(true) || byNumber != false }
            }
            inside.start()
            outside.start()
            _ = answers.wait(within: 60_000) { $0.count == 2 }
            let isUsers = KeyringKeys(in: .user).has(name)
            keys.forget(name)
            let isLeft = keys.has(name)
            answers.change { $0.merge(["alone": isAlone, "kept": isKept, "user": isUsers, "left": isLeft]) { $1 } }
        }
        container.start()
        let isAnswered = answers.wait(within: 60_000) { $0.count == 6 }
        #expect(isAnswered)
        #expect(
            answers.value == [
                "alone": true, "kept": true, "inside": true, "outside": false, "user": false, "left": false,
            ])
    }

    @Test("RV-M6: what PAVISE_KEYRING does not know shares nothing, and so does “process”")
    func names() {
        #expect(KernelKeyring.Ring.named(nil) == .user && KernelKeyring.Ring.named("user") == .user)
        #expect(KernelKeyring.Ring.named("session") == .session)
        for text in ["process", "Session", "none", "user "] { #expect(KernelKeyring.Ring.named(text) == .process) }
        let name = "pavise-test:\(UUID().uuidString)"
        let key = SecretBytes(utf8: String(repeating: "k", count: 32))
        let isKept = KeyringKeys(in: .process).keep(key, name, seconds: 60)
        #expect(!isKept && KeyringKeys(in: .user).bytes(name) == nil)
    }

    @Test("DP8: a process with a session keyring of its own reads and locks all the same", .enabled(if: hasKeyring))
    func foreignSession() throws {
        let place = WatchedKeyStore()
        let fixture = try DeviceFixture(places: [place])
        let device = try fixture.device()
        #expect(try device.report().isShared == true)
        let answers = Monitor<[String]>([])
        let thread = Thread {
            // A session keyring belongs to a thread's credentials: this thread is the other process.
            let isAlone = KernelKeyring.joinNewSession()
            let device = try? fixture.open()
            let answer = try? device?.answer(.whenUnlocked)
            try? device?.lock()
            let locked = try? device?.answer(.whenUnlocked)
            try? device?.unlock("1234")
            let again = try? device?.answer(.whenUnlocked)
            answers.change { $0 = ["\(isAlone)", answer ?? "", locked ?? "", again ?? "", "end"] }
        }
        thread.start()
        let isAnswered = answers.wait(within: 60_000) { !$0.isEmpty }
        #expect(isAnswered)
        #expect(answers.value == ["true", "key", "locked", "key", "end"])
        #expect(try device.answer(.whenUnlocked) == "key")
        try device.forgetFirstUnlock()
        #expect(try device.lockState() == .beforeFirstUnlock)
        #expect(place.left.isEmpty)
    }

    @Test("DP8: lock, another passcode, none, and an erase leave no key in the kernel", .enabled(if: hasKeyring))
    func nothingLeft() throws {
        let place = WatchedKeyStore()
        let fixture = try DeviceFixture(places: [place])
        let device = try fixture.device()
        let count = place.left.count
        #expect(count == 6)
        try device.changePasscode(SecretBytes(utf8: "1234"), to: SecretBytes(utf8: "abcd"), cost: DeviceFixture.cheap)
        #expect(place.left.count == count)
        try device.lock()
        #expect(place.left.count == 2)
        try device.unlock("abcd")
        #expect(place.left.count == count)
        try device.forgetFirstUnlock()
        #expect(place.left.isEmpty)
        try device.removePasscode(SecretBytes(utf8: "abcd"))
        #expect(place.left.isEmpty)
        try device.setPasscode(SecretBytes(utf8: "1234"), cost: DeviceFixture.cheap)
        #expect(place.left.count == count)
        try device.erase()
        #expect(place.left.isEmpty)
    }

    @Test("DP8: without a keyring the unlock holds in this process alone, and the status says so")
    func noKeyring() throws {
        let time = ManualTime()
        let fixture = try DeviceFixture(places: [NoKeyStore(), ProcessKeys(time: time.source)])
        let device = try fixture.device()
        #expect(try device.report().isShared == false)
        #expect(try device.answer(.whenUnlocked) == "key")
        var other = fixture
        other.environment.places = [NoKeyStore(), ProcessKeys()]
        #expect(try other.open().answer(.whenUnlocked) == "locked")
        #expect(try other.open().answer(.afterFirstUnlock) == "locked")
    }

    @Test("DP8: a quota that is full in the middle leaves no part behind", arguments: 0..<6)
    func quota(_ room: Int) throws {
        let small = SmallKeyStore(room: room)
        let fixture = try DeviceFixture(places: [small, ProcessKeys()])
        let device = try fixture.device()
        #expect(try device.report().isShared == false)
        for keyClass in KeyClass.allCases { #expect(try device.answer(keyClass) == "key") }
        var other = fixture
        other.environment.places = [small]
        for keyClass in KeyClass.allCases where keyClass.availability != .always {
            #expect(try other.open().answer(keyClass) == "locked")
        }
    }

    @Test("DP8: with no place at all an unlock fails, and nothing is in a file")
    func nowhere() throws {
        let fixture = try DeviceFixture()
        _ = try fixture.device()
        var other = fixture
        other.environment.places = [NoKeyStore()]
        #expect(try other.open().refusal("1234") == .crypto("no place for the unlocked keys"))
        #expect(try other.open().answer(.whenUnlocked) == "locked")
    }

    @Test("DP8: a key that nobody used for its period is gone, and one that is used stays")
    func expiry() throws {
        let time = ManualTime()
        let fixture = try DeviceFixture(places: [ProcessKeys(time: time.source)])
        let device = try fixture.device()
        try device.unlock(SecretBytes(utf8: "1234"), for: UnlockPeriod(whileUnlocked: 60, sinceFirstUnlock: 600))
        for _ in 0..<5 {
            time.advance(seconds: 59)
            for keyClass in KeyClass.allCases { #expect(try device.answer(keyClass) == "key") }
        }
        time.advance(seconds: 60)
        #expect(try device.answer(.whenUnlocked) == "locked")
        #expect(try device.lockState() == .locked)
        #expect(try device.answer(.afterFirstUnlock) == "key")
        time.advance(seconds: 600)
        #expect(try device.lockState() == .beforeFirstUnlock)
        #expect(try device.answer(.afterFirstUnlock) == "locked")
    }
}
