import Foundation
import PaviseAppLock
import PaviseDevice
import PaviseJWT
import PavisePrimitives
import PaviseVault
import SecurityFramework
import Synchronization
import TestSupport
import Testing

/// Processes that are killed, and processes that try at the same time (AL16, AL17, AL21, AL47).
@Suite struct LockCrashTests {
    let fixture: LockFixture
    init() throws { fixture = try LockFixture() }

    private static let few = try? AppLockPolicy(freeAttempts: 3, attempts: 3)

    @Test(
        "AL16: a try that is killed after its count is counted, and gives nothing",
        arguments: [AppLockStep.counted, .judged])
    func killedTry(_ step: AppLockStep) async throws {
        try fixture.run { try fixture.lock().set("830597") }
        for round in 1...2 {
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [home = fixture.home.path as String, step = step.rawValue as String] in
                ChildLock.die(after: step, in: home) { try $0.open("830597") }
            }
            fixture.run {
                #expect(fixture.lock().known == round)
                #expect(!fixture.lock().state.isOpen)
            }
        }
        fixture.run { #expect(fixture.lock().refusal("830597") == nil) }
    }

    @Test(
        "AL21: a wipe that is killed is gone on with at the next start",
        arguments: [AppLockStep.ending, .destroyed, .handled])
    func killedWipe(_ step: AppLockStep) async throws {
        let policy = try #require(Self.few)
        try fixture.run {
            try fixture.lock(policy).set("830597")
            for number in 1...2 { _ = fixture.lock(policy).refusal("94027\(number)") }
        }
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [home = fixture.home.path as String, step = step.rawValue as String] in
            ChildLock.die(after: step, in: home, attempts: 3) { try $0.open("940273") }
        }
        fixture.run {
            #expect(fixture.lock(policy).state == .ended(.wipe))
            #expect(fixture.ends.withLock { $0 } == [.wipe])
            #expect(fixture.lock(policy).state == .unset)
            #expect(fixture.lock(policy).refusal("830597") == .notSet)
        }
    }

    @Test(
        "AL25: an order that is killed is gone on with at the next start, and is not taken again",
        arguments: [AppLockStep.noted, .ending, .destroyed, .handled, .obeyed])
    func killedOrder(_ step: AppLockStep) async throws {
        let pen = try OrderPen()
        let order = try fixture.run {
            try fixture.lock().set("830597")
            return try pen.write(fixture.lock().installation().identifier)
        }
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [
                home = fixture.home.path as String, step = step.rawValue as String, order = order as String,
                jwk = pen.jwk as String
            ] in
            ChildLock.die(after: step, in: home) {
                let key = try JSONWebKey(json: Array(jwk.utf8))
                _ = try $0.obey(order, by: OrderRules(issuer: OrderPen.issuer, keys: [key]))
            }
        }
        fixture.run {
            let lock = fixture.lock()
            #expect(lock.state == .unset)
            #expect(fixture.ends.withLock { $0 } == [.wipe])
            guard case .replayed(let receipt) = orderFailure({ try fixture.lock().obey(order, by: pen.rules) }) else {
                Issue.record("taken again")
                return
            }
            #expect(receipt.result == .done)
            #expect(fixture.ends.withLock { $0 } == [.wipe])
        }
    }

    @Test("AL25: one order that comes to many at once is obeyed once")
    func orderedTogether() async throws {
        let pen = try OrderPen()
        let order = try fixture.run {
            try fixture.lock().set("830597")
            return try pen.write(fixture.lock().installation().identifier)
        }
        let obeyed = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<8 {
                group.addTask { [fixture] in
                    fixture.run { orderFailure { try fixture.lock().obey(order, by: pen.rules) } == nil ? 1 : 0 }
                }
            }
            return await group.reduce(0, +)
        }
        #expect(obeyed == 1)
        #expect(fixture.ends.withLock { $0 } == [.wipe])
    }

    @Test(
        "UC-159: a change that is killed at any step leaves one PIN that opens",
        arguments: [AppLockStep.wrapped, .rewrapped, .unwrapped])
    func killedChange(_ step: AppLockStep) async throws {
        try fixture.run { try fixture.lock().set("830597") }
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [home = fixture.home.path as String, step = step.rawValue as String] in
            ChildLock.die(after: step, in: home) {
                try $0.changePIN(SecretBytes(utf8: "830597"), to: SecretBytes(utf8: "940276"))
            }
        }
        try fixture.run {
            // Before the new wrapping is durable the old PIN opens, afterwards the new one; never neither, never both.
            let isOld = step == .wrapped
            #expect(fixture.lock().refusal(isOld ? "940276" : "830597") == wrong)
            #expect(fixture.lock().refusal(isOld ? "830597" : "940276") == nil)
            // The guard of the old PIN, or of the one that never became one, went with the next unlock.
            let guards = try fixture.guardCount()
            #expect(guards == 1)
        }
    }

    @Test(
        "UC-159: a first PIN that is killed leaves nothing in the element that no record names",
        arguments: [AppLockStep.begun, .written])
    func killedFirst(_ step: AppLockStep) async throws {
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [home = fixture.home.path as String, step = step.rawValue as String] in
            ChildLock.die(after: step, in: home) { try $0.set("830597") }
        }
        try fixture.run {
            let lock = fixture.lock()
            let isSet = lock.state != .unset
            #expect(isSet == (step == .written))
            if isSet { #expect(lock.refusal("830597") == nil) }
            let guards = try fixture.guardCount()
            #expect(guards == (isSet ? 1 : 0))
        }
    }

    @Test("a removal that is killed leaves no PIN, and locks nobody out")
    func killedRemoval() async throws {
        try fixture.run { try fixture.lock().set("830597") }
        await #expect(processExitsWith: .signal(SIGKILL)) { [home = fixture.home.path as String] in
            ChildLock.die(after: "erased", in: home) { try $0.removePIN(SecretBytes(utf8: "830597")) }
        }
        try fixture.run {
            #expect(fixture.lock().state == .unset)
            try fixture.lock().set("940276")
            #expect(fixture.lock().refusal("940276") == nil)
        }
    }

    @Test("AL17: two that read the count at the same moment are judged one after the other")
    func readTogether() async throws {
        try fixture.run { try fixture.lock().set("830597") }
        let vault = TokenVault(store: MeetingStore(), key: EnclaveKey(tag: "org.pavise.key.applock"))
        let judged = await withTaskGroup(of: Int.self) { group in
            for start in [555_120, 940_270] {
                group.addTask { [fixture] in
                    fixture.run { ChildLock.judged(by: { fixture.lock { $0.vault = vault } }, start..<start + 4) }
                }
            }
            return await group.reduce(0, +)
        }
        #expect(judged == 4)
        fixture.run { #expect(fixture.lock().known == 4) }
    }

    @Test("AL17: tries of many threads and processes at once are counted in one place, and the delay holds for all")
    func together() async throws {
        try fixture.run { try fixture.lock().set("830597") }
        let notes = (0..<2).map { "\(fixture.folder.path)/judged-\($0)" }
        let here = await withTaskGroup(of: Int.self) { group in
            for note in notes {
                group.addTask { [home = fixture.home.path] in
                    await #expect(processExitsWith: .success) { [home = home as String, note = note as String] in
                        let lock = ChildLock.lock(home)
                        let judged = ChildLock.run(home) { ChildLock.judged(by: { lock }, 940_270..<940_290) }
                        try DurableFile.write(Array("\(judged)".utf8).span, to: note)
                    }
                    return 0
                }
            }
            for _ in 0..<4 {
                group.addTask { [fixture] in
                    fixture.run { ChildLock.judged(by: { fixture.lock() }, 555_120..<555_140) }
                }
            }
            return await group.reduce(0, +)
        }
        let there = try notes.map { Int(try String(contentsOfFile: $0, encoding: .utf8)) ?? -100 }
        // Three without a delay, and the one that began the delay of half a minute.
        #expect(here + there.reduce(0, +) == 4)
        fixture.run {
            #expect(fixture.lock().known == 4)
            #expect(fixture.lock().refusal("830597") == .tryLater(seconds: 30))
        }
    }
}

/// A store in which two readers wait for each other for a moment, so that both know the same before one of them writes.
private final class MeetingStore: SecretStore {
    private let readers = Mutex(0)

    func read(_ name: ItemName) throws(VaultFailure) -> StoreResult {
        let answer = try KeychainStore().read(name)
        let own = readers.withLock { count in
            count += 1
            return count
        }
        // Whoever comes first waits for the second one; alone, for as long as a lock may keep the other away.
        for _ in 0..<20_000 where readers.withLock({ $0 }) < own + own % 2 { sched_yield() }
        return answer
    }

    func add(_ bytes: Span<UInt8>, as name: ItemName) throws(VaultFailure) { try KeychainStore().add(bytes, as: name) }
    func replace(_ bytes: Span<UInt8>, as name: ItemName) throws(VaultFailure) {
        try KeychainStore().replace(bytes, as: name)
    }
    func delete(_ name: ItemName) throws(VaultFailure) { try KeychainStore().delete(name) }
}

/// What a test does in another process.
enum ChildLock {
    static func environment(_ home: String) -> SecurityEnvironment {
        var environment = SecurityEnvironment(home: PaviseHome(path: home))
        environment.device = .init(time: ManualTime().source, elements: .init([.software]))
        return environment
    }

    static func run<Result>(_ home: String, _ body: () throws -> Result) rethrows -> Result {
        try SecurityEnvironment.$override.withValue(environment(home)) { try body() }
    }

    static func lock(_ home: String, attempts: Int = 10, place: any UnlockedKeyStore = OwnMemory()) -> AppLock {
        var parts = AppLockParts.platform(
            sharesUnlock: false, home: PaviseHome(path: home), time: ManualTime().source)
        parts.code = PlatformPINKeyDerivation(price: LockFixture.cheap)
        parts.place = place
        return AppLock(parts, policy: (try? AppLockPolicy(attempts: attempts)) ?? .standard) { _ in }
    }

    /// How many of these PINs were looked at, and not turned away before.
    static func judged(by lock: () -> AppLock, _ pins: Range<Int>) -> Int {
        pins.count { pin in
            if case .wrongPIN = lock().refusal("\(pin)") { true } else { false }
        }
    }

    static func die(after step: String, in home: String, attempts: Int = 10, _ body: (AppLock) throws -> Void) {
        let observer: @Sendable (AppLockStep) -> Void = { reached in
            if reached.rawValue == step { ChildProcess.killAtOnce(getpid()) }
        }
        AppLockStep.$observer.withValue(observer) {
            run(home) { try? body(lock(home, attempts: attempts)) }
        }
    }
}
