import PavisePrimitives
import PavisePrivacy
import PaviseVault
import Synchronization
import Testing

@Suite struct PushNoticeTests {
    private static let now = 1_700_000_000
    private static let route = "000102030405060708090a0b0c0d0e0f"
    private let store = VolatileStore()

    private static func texts(_ key: String) -> String {
        switch key {
        case "notice.messages.title", "notice.neutral.title": "Diary"
        case "notice.messages.body": "%@ new messages"
        case "notice.reminder.body": "At %@, for %@"
        case "notice.neutral.body": "Something is new."
        default: ""
        }
    }

    private func reader(_ key: PushKey?) -> PushNotice.Reader {
        PushNotice.Reader(key: key, keys: ["notice.messages", "notice.reminder"], texts: Self.texts)
    }

    private func failure(_ packet: String?, _ key: PushKey?, at now: Int = now) -> PushNotice.Failure? {
        do throws(PushNotice.Failure) {
            _ = try reader(key).notice(in: packet, at: now)
            return nil
        } catch { return error }
    }

    @Test func `E3: a packet that another maker's library sealed is shown in the app's own words`() throws {
        // Made with Python's cryptography: key 00 to 1f, nonce 00 to 0b, the header's members in the other order.
        let packet =
            "eyJlbmMiOiJBMjU2R0NNIiwiYWxnIjoiZGlyIn0..AAECAwQFBgcICQoL.PCC9frzH-DnjLuPi0oxWAOal9FWXHixeFEWM9m4cZd"
            + "YjKp_Ln_EiqESUT92kpVhZnDgN6C6z0akdrXFiOoCam55I5EDgrHtNPibFG5vqLNIauvlSR1NhWM7NqvxNwI-9_Mhh1p1xqSr8LF"
            + "2CLEVET9xFHw.QYZa_7pYzDxjAszy-WyIqA"
        let name = try #require(ItemName(service: "org.pavise.push", account: "key"))
        let bytes: [UInt8] = Array(0..<32)
        try store.add(bytes.span, as: name)
        let words = reader(try PushKey.find(in: store)).shown(for: packet, at: Self.now + 5)
        #expect(words.title == "Diary" && words.body == "3 new messages" && words.route == NoticeRoute(Self.route))
    }

    @Test func `times and durations come with it, and places without a parameter are empty`() throws {
        let key = try PushKey.make(in: store)
        let packet = PushNotice.packet(
            #"{"key":"notice.reminder","issued":1700000000,"parameters":[{"time":"07:05"},{"minutes":90}]}"#, key: key)
        #expect(reader(key).shown(for: packet, at: Self.now).body == "At 07:05, for 90 min")
        let bare = PushNotice.packet(#"{"key":"notice.messages","issued":1700000000}"#, key: key)
        #expect(reader(key).shown(for: bare, at: Self.now).body == " new messages")
    }

    @Test(arguments: [
        #"{"issued":1700000000}"#, #"{"key":"notice.messages"}"#, #"{"key":"notice.diagnosis","issued":1700000000}"#,
        #"{"key":"notice.messages","issued":1700000000,"parameters":[{"text":"insomnia"}]}"#,
        #"{"key":"notice.messages","issued":1700000000,"parameters":["insomnia"]}"#,
        #"{"key":"notice.messages","issued":1700000000,"parameters":"insomnia"}"#,
        #"{"key":"notice.messages","issued":1700000000,"parameters":{"count":3}}"#,
        #"{"key":"notice.messages","issued":1700000000,"parameters":null}"#,
        #"{"key":"notice.messages","issued":1700000000,"parameters":[{"time":"insomnia"}]}"#,
        #"{"key":"notice.messages","issued":1700000000,"parameters":[{"time":"24:00"}]}"#,
        #"{"key":"notice.messages","issued":1700000000,"parameters":[{"time":"+7:05"}]}"#,
        #"{"key":"notice.messages","issued":1700000000,"parameters":[{"time":"-0:05"}]}"#,
        #"{"key":"notice.messages","issued":1700000000,"parameters":[{"count":3,"text":"insomnia"}]}"#,
        #"{"key":"notice.messages","issued":1700000000,"route":"insomnia"}"#,
        #"{"key":"notice.messages","issued":1700000000,"route":7}"#, "[]", "insomnia", "",
    ])
    func `PR14: what was sealed cannot bring text either`(_ content: String) throws {
        let key = try PushKey.make(in: store)
        let packet = PushNotice.packet(content, key: key)
        #expect(failure(packet, key) == .content)
        #expect(reader(key).shown(for: packet, at: Self.now).body == "Something is new.")
    }

    @Test func `what was not sealed for this installation, or was changed, is neutral`() throws {
        let key = try PushKey.make(in: store)
        let content = #"{"key":"notice.messages","issued":1700000000}"#
        let packet = try #require(PushNotice.packet(content, key: key))
        #expect(failure(packet, key) == nil)
        #expect(failure(packet, try PushKey.make(in: VolatileStore())) == .sealed)
        #expect(failure(packet, nil) == .absent && failure(nil, key) == .absent)
        let parts = packet.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        for index in [0, 2, 3, 4] {
            var changed = parts
            changed[index] = String(parts[index].reversed())
            let found = failure(changed.joined(separator: "."), key)
            #expect(found == .sealed || found == .malformed)
        }
        // No other algorithm, and none that says of itself that it needs no key.
        for header in [#"{"alg":"none","enc":"A256GCM"}"#, #"{"alg":"dir","enc":"A256GCM","zip":"DEF"}"#] {
            var changed = parts
            changed[0] = Base64URL.encode(Array(header.utf8))
            #expect(failure(changed.joined(separator: "."), key) == .malformed)
        }
        for text in ["", ".", "....", String(repeating: "a", count: 5_000), packet + ".", "a" + packet] {
            #expect(failure(text, key) == .malformed)
        }
    }

    @Test func `a packet of last year, and one of next year, are neutral`() throws {
        let key = try PushKey.make(in: store)
        let packet = PushNotice.packet(#"{"key":"notice.messages","issued":1700000000}"#, key: key)
        #expect(failure(packet, key, at: Self.now + PushNotice.longestAge) == nil)
        #expect(failure(packet, key, at: Self.now + PushNotice.longestAge + 1) == .stale)
        #expect(failure(packet, key, at: Self.now - 600) == nil)
        #expect(failure(packet, key, at: Self.now - 601) == .stale)
    }

    @Test func `PR16: after a sign-out a notice says nothing`() throws {
        let key = try PushKey.make(in: store)
        let packet = PushNotice.packet(#"{"key":"notice.messages","issued":1700000000}"#, key: key)
        try PushKey.forget(in: store)
        let words = reader(try PushKey.find(in: store)).shown(for: packet, at: Self.now)
        #expect(words.title == "Diary" && words.body == "Something is new." && words.route == nil)
        // The next person's key opens none of the packets that are still on their way.
        #expect(failure(packet, try PushKey.make(in: store)) == .sealed)
    }
}

/// An app and its server: which tokens the server knows, and what happened.
private final class PushWorld: PushServices {
    struct Unreachable: Error {}
    struct State {
        var known: Set<[UInt8]> = []
        var log: [String] = []
        var isAllowed = true
        var isReachable = true
    }
    let state = Mutex(State())

    private func note(_ word: String) { state.withLock { $0.log.append(word) } }

    func askPermission(_ action: UserAction) async -> Bool {
        note("ask")
        return state.withLock { $0.isAllowed }
    }

    func isAllowed() async -> Bool { state.withLock { $0.isAllowed } }

    func register() async { note("register") }
    func removeNotices() async { note("remove") }

    func send(_ token: [UInt8]) async throws {
        note("send")
        try state.withLock { state in
            guard state.isReachable else { throw Unreachable() }
            state.known.insert(token)
        }
    }

    func delete(_ token: [UInt8]) async throws {
        note("delete")
        try state.withLock { state in
            guard state.isReachable else { throw Unreachable() }
            state.known.remove(token)
        }
    }
}

/// The same with a server that says nothing about a token to forget before it is told to go on.
private final class SilentWorld: PushServices {
    let world = PushWorld()
    private let asked = AsyncStream.makeStream(of: Void.self)
    private let silence = AsyncStream.makeStream(of: Void.self)

    /// Waits until the server was told to forget a token.
    func deletionBegins() async { for await _ in asked.stream { break } }
    func goOn() { silence.continuation.finish() }

    func askPermission(_ action: UserAction) async -> Bool { await world.askPermission(action) }
    func isAllowed() async -> Bool { await world.isAllowed() }
    func register() async { await world.register() }
    func removeNotices() async { await world.removeNotices() }
    func send(_ token: [UInt8]) async throws { try await world.send(token) }

    func delete(_ token: [UInt8]) async throws {
        asked.continuation.yield()
        for await _ in silence.stream {}
        try await world.delete(token)
    }
}

/// A store that is cut off after so many changes, as by kill -9.
private final class CutStore: SecretStore {
    let whole: VolatileStore
    private let left: Mutex<Int>

    init(_ whole: VolatileStore, after count: Int) {
        self.whole = whole
        left = Mutex(count)
    }

    private func change() throws(VaultFailure) {
        let isLeft = left.withLock { left in
            left -= 1
            return left >= 0
        }
        guard isLeft else { throw .busy }
    }

    func read(_ name: ItemName) throws(VaultFailure) -> StoreResult { try whole.read(name) }
    func add(_ bytes: Span<UInt8>, as name: ItemName) throws(VaultFailure) {
        try change()
        try whole.add(bytes, as: name)
    }
    func replace(_ bytes: Span<UInt8>, as name: ItemName) throws(VaultFailure) {
        try change()
        try whole.replace(bytes, as: name)
    }
    func delete(_ name: ItemName) throws(VaultFailure) {
        try change()
        try whole.delete(name)
    }
}

@Suite struct PushRegistrationTests {
    private let world = PushWorld()
    private let store = VolatileStore()

    private var log: [String] { world.state.withLock { $0.log } }
    private var known: Set<[UInt8]> { world.state.withLock { $0.known } }

    @Test func `an action, a permission and a token lead to the server, and a sign-out away from it`() async throws {
        let push = PushRegistration(world, in: store)
        try await push.handle(.token([1]))
        #expect(log.isEmpty)
        try await push.handle(.personAsked(UserAction()))
        try await push.handle(.token([1]))
        #expect(log == ["ask", "register", "send"] && known == [[1]])
        try await push.handle(.signOut)
        #expect(log.suffix(2) == ["remove", "delete"] && known.isEmpty)
        #expect(try await push.state() == .none)
    }

    @Test func `without permission nothing is registered`() async throws {
        world.state.withLock { $0.isAllowed = false }
        let push = PushRegistration(world, in: store)
        try await push.handle(.personAsked(UserAction()))
        try await push.handle(.token([1]))
        #expect(log == ["ask"] && known.isEmpty)
    }

    @Test(arguments: [PushTokenMachine.Event.started, .becameActive])
    func `PR15: a permission that was taken back in the system's settings takes the token from the server`(
        _ event: PushTokenMachine.Event
    ) async throws {
        let push = PushRegistration(world, in: store)
        try await push.handle(.personAsked(UserAction()))
        try await push.handle(.token([1]))
        world.state.withLock { $0.isAllowed = false }
        try await push.handle(event)
        #expect(log.suffix(2) == ["remove", "delete"] && known.isEmpty)
        #expect(try await push.state() == .none)
        try await push.handle(.started)
        try await push.handle(.token([2]))
        #expect(known.isEmpty && log.count { $0 == "register" } == 1)
    }

    @Test func `PR15: a token that comes after the permission was taken back is not sent`() async throws {
        let push = PushRegistration(world, in: store)
        try await push.handle(.personAsked(UserAction()))
        world.state.withLock { $0.isAllowed = false }
        try await push.handle(.token([1]))
        #expect(!log.contains("send") && known.isEmpty)
        #expect(try await push.state() == .none)
    }

    @Test func `PR16: what the server did not take is tried again when the app comes to the front`() async throws {
        let push = PushRegistration(world, in: store)
        try await push.handle(.personAsked(UserAction()))
        world.state.withLock { $0.isReachable = false }
        try await push.handle(.token([1]))
        world.state.withLock { $0.isReachable = true }
        try await push.handle(.becameActive)
        #expect(known == [[1]])
        try await push.handle(.becameActive)
        #expect(log == ["ask", "register", "send", "send"], "nothing is left to be done")
        world.state.withLock { $0.isReachable = false }
        try await push.handle(.signOut)
        world.state.withLock { $0.isReachable = true }
        try await push.handle(.becameActive)
        #expect(known.isEmpty)
        #expect(try await push.state() == .none)
    }

    @Test func `PR16: an unreachable server is told at a later start`() async throws {
        var push = PushRegistration(world, in: store)
        try await push.handle(.personAsked(UserAction()))
        try await push.handle(.token([1]))
        world.state.withLock { $0.isReachable = false }
        try await push.handle(.signOut)
        #expect(known == [[1]])
        push = PushRegistration(world, in: store)
        try await push.handle(.started)
        #expect(try await push.state() == .deleting([1]))
        world.state.withLock { $0.isReachable = true }
        push = PushRegistration(world, in: store)
        try await push.handle(.started)
        #expect(known.isEmpty)
        #expect(try await push.state() == .none)
    }

    // The system may give the next account the same token, or another one.
    @Test(arguments: [[1], [2]] as [[UInt8]])
    func `PR16: the next account waits for no server of the one before, and keeps its token`(_ token: [UInt8])
        async throws
    {
        let push = PushRegistration(world, in: store)
        try await push.handle(.personAsked(UserAction()))
        try await push.handle(.token([1]))
        world.state.withLock { $0.isReachable = false }
        try await push.handle(.signOut)
        try await push.handle(.personAsked(UserAction()))
        #expect(log.suffix(2) == ["ask", "register"])
        // The new server is there; that of the account before comes back later.
        world.state.withLock { $0.isReachable = true }
        try await push.handle(.token(token))
        #expect(known.contains(token))
        let again = PushRegistration(world, in: store)
        try await again.handle(.becameActive)
        #expect(known == [token])
        #expect(try await again.state() == .sent(token))
        let count = log.count
        try await again.handle(.becameActive)
        #expect(log.count == count, "nothing is left to be done")
    }

    // Without that it would wait for ever.
    @Test(arguments: [[1], [2]] as [[UInt8]])
    func `PR16: while a server is silent about a token to forget, the next account is registered`(_ token: [UInt8])
        async throws
    {
        let silent = SilentWorld()
        let push = PushRegistration(silent, in: store)
        try await push.handle(.personAsked(UserAction()))
        try await push.handle(.token([1]))
        let signOut = Task { try await push.handle(.signOut) }
        await silent.deletionBegins()
        try await push.handle(.personAsked(UserAction()))
        try await push.handle(.token(token))
        #expect(try await push.state() == .sent(token))
        // It is asked once at a time.
        try await push.handle(.becameActive)
        #expect(silent.world.state.withLock { $0.known } == [[1], token])
        silent.goOn()
        try await signOut.value
        #expect(silent.world.state.withLock { $0.known } == [token])
        #expect(silent.world.state.withLock { $0.log.count { $0 == "delete" } } == 1)
        #expect(try await push.state() == .sent(token))
    }

    @Test(arguments: 0..<6)
    func `PR16: a kill at any step leaves no token at the server that nobody forgets`(_ step: Int) async throws {
        let cut = PushRegistration(world, in: CutStore(store, after: step))
        for event: PushTokenMachine.Event in [.personAsked(UserAction()), .token([1]), .signOut] {
            // Nothing of this process happens after the change that was not written.
            do { try await cut.handle(event) } catch { break }
        }
        let again = PushRegistration(world, in: store)
        try await again.handle(.started)
        try await again.handle(.signOut)
        #expect(known.isEmpty)
        #expect(try await again.state() == .none)
    }

    @Test func `PR16: a token in whose place another came is forgotten at the server, however often that fails`()
        async throws
    {
        let push = PushRegistration(world, in: store)
        try await push.handle(.personAsked(UserAction()))
        try await push.handle(.token([1]))
        world.state.withLock { $0.isReachable = false }
        try await push.handle(.token([2]))
        try await push.handle(.token([3]))
        #expect(known == [[1]])
        // Another process, and a sign-out, before the server is there again.
        let again = PushRegistration(world, in: store)
        try await again.handle(.started)
        try await again.handle(.signOut)
        world.state.withLock { $0.isReachable = true }
        let last = PushRegistration(world, in: store)
        try await last.handle(.started)
        #expect(known.isEmpty)
        #expect(try await last.state() == .none)
        let name = try #require(ItemName(service: "org.pavise.push", account: "token"))
        if case .found = try store.read(name) { Issue.record("something is left to be done") }
    }

    @Test func `a state that nobody wrote is damage, and nothing is done`() async throws {
        let name = try #require(ItemName(service: "org.pavise.push", account: "token"))
        let bytes: [UInt8] = [9, 1]
        try store.add(bytes.span, as: name)
        let push = PushRegistration(world, in: store)
        await #expect(throws: VaultFailure.self) { try await push.handle(.started) }
        #expect(log.isEmpty)
    }
}
