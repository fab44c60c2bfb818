import PaviseCrypto
import PaviseJWT
import PaviseLab
import PavisePrimitives
import PaviseTransport
import PaviseVault
import TestSupport
import Testing

@testable import Pavise

/// The maker of an app with a key, who signs lists of pins: right ones, and wrong ones.
struct PinListMaker {
    static let issuer = "https://maker.example.org"
    static let app = "org.example.diary"
    let keys: [(name: String, key: ECPrivateKey)]

    init() throws {
        keys = try ["first", "spare"].map { ($0, try ECPrivateKey(generating: .p256)) }
    }

    private func jwk(_ place: Int) -> String {
        let point = keys[place].key.publicKey.x963
        let (x, y) = (Base64URL.encode(point[1..<33]), Base64URL.encode(point[33...]))
        return #"{"kty":"EC","crv":"P-256","alg":"ES256","kid":"\#(keys[place].name)","x":"\#(x)","y":"\#(y)"}"#
    }

    /// What the app is built with.
    func keySet(_ places: [Int] = [0, 1]) -> [UInt8] {
        Array(#"{"keys":[\#(places.map(jwk).joined(separator: ","))]}"#.utf8)
    }

    /// A list; a test changes one thing of it.
    struct Words {
        var number: JSONValue = .integer(1)
        var key: String? = "first"
        var algorithm = "ES256"
        var type = SignedPinList.type
        var issuer = PinListMaker.issuer
        var audience = PinListMaker.app
        var issued: Int64
        var life: Int64 = 86_400
        /// `nbf`.
        var start: Int64?
        var pins: JSONValue
    }

    func sign(_ words: Words, by place: Int = 0) throws -> String {
        let header = JSONValue.fields([
            "alg": .string(words.algorithm), "kid": words.key.map { .string($0) }, "typ": .string(words.type),
        ])
        let claims = JSONValue.fields([
            "iss": .string(words.issuer), "aud": .string(words.audience), "iat": .integer(words.issued),
            "exp": .integer(words.issued + words.life), "nbf": words.start.map { .integer($0) },
            "number": words.number, "pins": words.pins,
        ])
        let input = [header, claims].map { Base64URL.encode(Array($0.text.utf8)) }.joined(separator: ".")
        let der = try keys[place].key.sign(digest: Hash.digest(.sha256, Array(input.utf8)))
        return input + "." + Base64URL.encode(ECDSASignature.raw(der: der, curve: .p256) ?? [])
    }
}

/// FD18: pins are renewed by a list that the app's maker signed, and never by what a pinned server says.
@Suite struct PinRenewalTests {
    private let maker: PinListMaker
    private static let now: Int64 = 1_900_000_000
    /// Keys that no server here has.
    fileprivate static let other = ["A", "B"].compactMap { Pin(String(repeating: $0, count: 42) + "A=") }

    init() throws { maker = try PinListMaker() }

    private func pins(_ host: String, _ pins: [Pin]) -> JSONValue {
        .array([
            .fields([
                "hosts": .array([.string(host)]), "leaf": .array(pins.map { .string($0.base64) }),
            ])
        ])
    }

    private func words(
        _ host: String = "cloud.example.org", _ keys: [Pin] = PinRenewalTests.other
    ) -> PinListMaker.Words {
        PinListMaker.Words(issued: Self.now, pins: pins(host, keys))
    }

    private func rules(
        _ afterExpiry: SecurityConfiguration.Pins.AfterExpiry = .refuse
    ) throws -> PinRenewal {
        try PinRenewal(issuer: PinListMaker.issuer, keys: maker.keySet(), afterExpiry: afterExpiry)
    }

    private func judge(_ text: String, at seconds: Int64? = now) throws -> SignedPinList {
        try SignedPinList(text, by: rules(), for: PinListMaker.app, at: seconds)
    }

    @Test func `a right list is taken, by either key of the maker`() throws {
        #expect(try judge(maker.sign(words())).number == 1)
        // The first key is lost: the spare one signs.
        var spare = words()
        (spare.key, spare.number) = ("spare", .integer(2))
        #expect(try judge(maker.sign(spare, by: 1)).number == 2)
    }

    @Test func `renewal wants two named keys, so that the loss of one locks nobody out`() throws {
        for keys in [maker.keySet([0]), maker.keySet([]), Array("{}".utf8), []] {
            var pins = SecurityConfiguration.Pins()
            #expect(throws: PaviseError.self) { try pins.allowRenewal(by: PinListMaker.issuer, keys: keys) }
        }
        // Two names of one key are one key.
        let first = String(decoding: maker.keySet([0]).dropFirst(9).dropLast(2), as: UTF8.self)
        let twice = Array(#"{"keys":[\#(first),\#(first.replacing("first", with: "spare"))]}"#.utf8)
        #expect(throws: PinListFailure.unusableKeys) {
            _ = try PinRenewal(issuer: PinListMaker.issuer, keys: twice, afterExpiry: .refuse)
        }
        var pins = SecurityConfiguration.Pins()
        #expect(throws: PaviseError.self) { try pins.allowRenewal(by: "", keys: maker.keySet()) }
        try pins.allowRenewal(by: PinListMaker.issuer, keys: maker.keySet())
    }

    private static let wrong: [(String, @Sendable (inout PinListMaker.Words) -> Void)] = [
        ("no key is named", { $0.key = nil }), ("an unknown key", { $0.key = "third" }),
        ("the other key's name", { $0.key = "spare" }), ("another algorithm", { $0.algorithm = "HS256" }),
        ("no signature", { $0.algorithm = "none" }), ("another kind of token", { $0.type = "pavise-order+jwt" }),
        ("another issuer", { $0.issuer = "https://maker.example.com" }), ("another app", { $0.audience = "org.other" }),
        ("over", { $0.issued -= 2 * 86_400 }), ("of tomorrow", { $0.issued += 86_400 }),
        ("for ever", { $0.life = 401 * 86_400 }), ("no number", { $0.number = .string("1") }),
        ("number 0", { $0.number = .integer(0) }), ("no pins", { $0.pins = .array([]) }),
        ("no host", { $0.pins = .array([.fields(["leaf": .array([.string("x")])])]) }),
        (
            "a pin that is none",
            {
                $0.pins = .array([
                    .fields(["hosts": .array([.string("a.example")]), "leaf": .array([.string("x"), .string("y")])])
                ])
            }
        ),
        (
            "subdomains by another word",
            {
                $0.pins = .array([
                    .fields([
                        "hosts": .array([.string("a.example")]), "subdomains": .string("some"),
                        "leaf": .array(PinRenewalTests.other.map { .string($0.base64) }),
                    ])
                ])
            }
        ),
        (
            "one pin without a second",
            {
                $0.pins = .array([
                    .fields([
                        "hosts": .array([.string("a.example")]),
                        "leaf": .array([.string(PinRenewalTests.other[0].base64)]),
                    ])
                ])
            }
        ),
    ]

    @Test(arguments: wrong.indices)
    func `a list with one thing wrong is no list`(_ place: Int) throws {
        var words = words()
        Self.wrong[place].1(&words)
        let text = try maker.sign(words)
        #expect(throws: PinListFailure.self, "\(Self.wrong[place].0)") { _ = try judge(text) }
    }

    @Test func `a list that was signed ahead of its time counts from then on, and is no forgotten one`() throws {
        var ahead = words()
        ahead.start = Self.now + 3_600
        let text = try maker.sign(ahead)
        #expect(throws: PinListFailure.self) { try judge(text) }
        #expect(try judge(text, at: Self.now + 3_600) == judge(text, at: nil))
    }

    @Test func `a list that was altered, cut or is too long is no list`() throws {
        let text = try maker.sign(words())
        for bad in ["", "a.b.c", String(text.dropLast(3)), text + "A", String(repeating: "A", count: 70_000)] {
            #expect(throws: PinListFailure.self) { _ = try judge(bad) }
        }
    }

    @Test func `a list replaces the pins of its hosts and takes no other host's away`() throws {
        let built = [
            try PinSet(hosts: ["cloud.example.org", "login.example.org"], leaf: [Self.other[0]], backup: .notRequired)
        ]
        let sets = try judge(maker.sign(words("cloud.example.org", Self.other))).joined(to: built, .refuse)
        let match = { (host: String, pin: Pin, seconds: Int64) in
            PinSet.match(sets, host: host, path: [pin], at: seconds)
        }
        #expect(match("cloud.example.org", Self.other[1], Self.now) == .matched)
        #expect(match("login.example.org", Self.other[0], Self.now) == .matched)
        guard case .mismatch = match("login.example.org", Self.other[1], Self.now) else {
            Issue.record("a host that the list does not name lost its pins")
            return
        }
        #expect(match("cloud.example.org", Self.other[1], Self.now + 86_401) == .expired)
        #expect(match("login.example.org", Self.other[0], Self.now + 86_401) == .matched)
    }

    /// The pin that counts for `host`, where the app was built with the first one and the list has the second.
    private func counting(
        _ host: String, built: (host: String, PinSet.Subdomains), list: (host: String, word: String)
    ) throws -> [Bool] {
        var words = words()
        let third = String(repeating: "C", count: 42) + "A="
        words.pins = .array([
            .fields([
                "hosts": .array([.string(list.host)]), "subdomains": .string(list.word),
                "leaf": .array([.string(Self.other[1].base64), .string(third)]),
            ])
        ])
        let own = try PinSet(hosts: [built.host], subdomains: built.1, leaf: [Self.other[0]], backup: .notRequired)
        let sets = try judge(maker.sign(words)).joined(to: [own], .refuse)
        return [Self.other[0], Self.other[1]].map { pin in
            PinSet.match(sets, host: host, path: [pin], at: Self.now) == .matched
        }
    }

    @Test func `for names below others the nearer pins count, and the list's where both are as near`() throws {
        let (parent, child) = ("example.org", "api.example.org")
        // What the list does not speak of keeps its pins, also below a host that it names.
        #expect(try counting(child, built: (parent, .all), list: (parent, "none")) == [true, false])
        #expect(try counting(parent, built: (parent, .all), list: (parent, "none")) == [false, true])
        #expect(try counting("a." + child, built: (parent, .all), list: (parent, "one")) == [true, false])
        // A host that the list names loses the pins that its parent had.
        #expect(try counting(child, built: (parent, .all), list: (child, "none")) == [false, true])
        #expect(try counting(parent, built: (parent, .all), list: (child, "none")) == [true, false])
        // A list about the parent adds no pin to a host that the app was built with.
        #expect(try counting(child, built: (child, .none), list: (parent, "all")) == [true, false])
        #expect(try counting("b." + parent, built: (child, .none), list: (parent, "all")) == [false, true])
        #expect(try counting(child, built: (parent, .all), list: (parent, "all")) == [false, true])
    }

    @Test func `a list that is over refuses, or reports where the app says so, and is never silent`() throws {
        let list = try judge(maker.sign(words()))
        let stranger = try #require(Pin(String(repeating: "C", count: 42) + "A="))
        let after = Self.now + 86_401
        let refusing = list.joined(to: [], .refuse)
        #expect(PinSet.match(refusing, host: "cloud.example.org", path: [stranger], at: after) == .expired)
        let reporting = list.joined(to: [], .report)
        guard case .mismatch = PinSet.match(reporting, host: "cloud.example.org", path: [stranger], at: Self.now) else {
            Issue.record("the list does not hold before its end")
            return
        }
        #expect(PinSet.match(reporting, host: "cloud.example.org", path: [stranger], at: after) == .notPinned)
        #expect(reporting.contains { $0.enforcement == .reportOnly && $0.expires == nil })
    }

    @Test func `an older list is refused, by another start of the app too`() async throws {
        let world = try SecurityWorld()
        try await world.inHome {
            var pins = SecurityConfiguration.Pins()
            try pins.allowRenewal(by: PinListMaker.issuer, keys: maker.keySet())
            var (first, second) = (words(), words())
            (first.number, second.number) = (.integer(7), .integer(8))
            let (old, new) = (try maker.sign(first), try maker.sign(second))
            let home = PaviseHome(path: "\(world.home)/apps/\(PinListMaker.app)")
            #expect(try AppPinStore(pins, for: PinListMaker.app, in: home).take(old, at: Self.now).number == 7)
            #expect(try AppPinStore(pins, for: PinListMaker.app, in: home).take(new, at: Self.now).number == 8)
            let store = AppPinStore(pins, for: PinListMaker.app, in: home)
            for text in [old, new] {
                #expect(throws: PinListFailure.older(known: 8)) { _ = try store.take(text, at: Self.now) }
            }
            #expect(try store.sets().count == 1)
            #expect(try AppPinStore(pins, for: "org.example.other", in: home).sets().isEmpty)
            #expect(throws: PinListFailure.nobodyMay) {
                _ = try AppPinStore(SecurityConfiguration.Pins(), for: PinListMaker.app, in: home)
                    .take(new, at: Self.now)
            }
        }
    }

    // Another process that takes a list at the same time: an older one must not be written behind a newer one.
    @Test func `one process at a time compares and takes a list`() async throws {
        let world = try SecurityWorld()
        try await world.inHome {
            var pins = SecurityConfiguration.Pins()
            try pins.allowRenewal(by: PinListMaker.issuer, keys: maker.keySet())
            let home = PaviseHome(path: "\(world.home)/apps/\(PinListMaker.app)")
            let store = AppPinStore(pins, for: PinListMaker.app, in: home, wait: .zero)
            var (first, second) = (words(), words())
            (first.number, second.number) = (.integer(7), .integer(8))
            let (old, new) = (try maker.sign(first), try maker.sign(second))
            #expect(try store.take(old, at: Self.now).number == 7)
            let held = try FileLock.tryAcquire(home.path + "/pins.lock")
            #expect(throws: VaultFailure.busy) { _ = try store.take(new, at: Self.now) }
            _ = consume held
            #expect(try store.take(new, at: Self.now).number == 8)
        }
    }

    private func code(_ body: () async throws -> Void) async -> PaviseError.Code? {
        do { try await body() } catch { return (error as? PaviseError)?.code }
        return nil
    }

    @Test func `open connections go by a new list at once, and by no list of somebody else's`() async throws {
        let world = try SecurityWorld()
        try await world.inHome {
            let own = try #require(Pin(world.identity.pin))
            var configuration = SecurityWorld.quiet
            configuration.pins = SecurityConfiguration.Pins([
                try PinSet(hosts: ["127.0.0.1"], leaf: [own, Self.other[0]])
            ])
            try configuration.pins.allowRenewal(by: PinListMaker.issuer, keys: maker.keySet())
            let app = try world.app(PinListMaker.app, configuration)
            let account = try await world.signedIn(app)
            struct Me: Decodable, Sendable { let user: String }
            _ = try await account.get("/api/me", as: Me.self)

            let now = TimeSource.system.wallSeconds
            var list = words("127.0.0.1", Self.other)
            list.issued = now
            #expect(try await app.renewPins(maker.sign(list)) == 1)
            #expect(await code { _ = try await account.get("/api/me", as: Me.self) } == .certificateRefused)
            let calls = world.calls
            list.pins = pins("127.0.0.1", [own, Self.other[1]])
            #expect(await code { _ = try await app.renewPins(maker.sign(list)) } == .forged)
            list.number = .integer(2)
            #expect(await code { _ = try await app.renewPins(PinListMaker().sign(list)) } == .forged)
            #expect(world.calls == calls)
            #expect(try await app.renewPins(maker.sign(list)) == 2)
            _ = try await account.get("/api/me", as: Me.self)
        }
    }

    @Test func `an app's pins refuse a server with a valid certificate and another key`() async throws {
        let world = try SecurityWorld()
        try await world.inHome {
            var configuration = SecurityWorld.quiet
            configuration.pins = SecurityConfiguration.Pins([try PinSet(hosts: ["127.0.0.1"], leaf: Set(Self.other))])
            let server = try await world.app(PinListMaker.app, configuration).review(world.authority.issuer)
            guard case .refused = server.verdict else {
                Issue.record("\(server.verdict)")
                return
            }
        }
    }

    @Test func `the pins of an app's Info.plist hold for its accounts, where no system enforces them`() async throws {
        let world = try SecurityWorld()
        try await world.inHome {
            let own = try #require(Pin(world.identity.pin))
            let keys = [own, Self.other[0]].map { Set([Base64.decode($0.base64) ?? []]) }
            var verdicts: [ReviewedServer.Verdict] = []
            for leaf in keys {
                let domains = PinnedDomains(["127.0.0.1": PinnedDomains.Entry(leaf: leaf)])
                let app = try world.app(PinListMaker.app, pinnedDomains: domains)
                verdicts.append(try await app.review(world.authority.issuer).verdict)
            }
            guard case .trusted = verdicts[0], case .refused = verdicts[1] else {
                Issue.record("\(verdicts)")
                return
            }
        }
    }
}
