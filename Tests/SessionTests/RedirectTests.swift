import PaviseLab
import PavisePrimitives
import PaviseTransport
import Synchronization
import TestSupport
import Testing

@testable import PaviseSession

/// oauth A9, RFC 8252 §7.1 and §7.2: an app's own redirect addresses, and whole sign-ins with them.
@Suite struct RedirectTests {
    private static let custom = "org.example.app:/signed-in"
    private static let claimed = "https://app.example.org/signed-in"

    private func world() throws -> LabWorld {
        var configuration = AuthorityConfiguration()
        configuration.redirects = [Self.custom, Self.claimed]
        return try LabWorld(configuration)
    }

    /// A sign-in in which the test is the browser and the system: `deliver` gets the callback that the authority made.
    private func signIn(
        _ world: LabWorld, _ receiver: RedirectReceiver, patience: Duration = .seconds(30),
        deliver: @escaping @Sendable (String) async throws -> Void
    ) async throws(SignInFailure) -> SignIn.Success {
        let authority = world.authority
        let browser = AddressReader { (url) throws(BrowserFailure) in
            do { try await deliver(try authority.approve(url.description)) } catch { throw BrowserFailure("\(error)") }
        }
        return try await world.run(SignIn(client: world.client, browser: browser), patience: patience) {
            $0.receiver = receiver
        }
    }

    @Test(arguments: [
        claimed, "https://app.example.org/", "https://app.example.org/a/b/", "https://xn--bcher-kva.example/~a_b-c.d",
        custom, "org.example.app:/", "org.example.app://signed-in", "org.example.app://signed-in/done",
        "com.example.apps.1234-abcd:/oauth2redirect", "a.b:/c",
    ])
    func `an app's address is a claimed one, or a custom one by a domain backwards`(_ text: String) throws {
        let address = try RedirectAddress(text)
        #expect(address.description == text && address.isClaimed == text.hasPrefix("https:"))
    }

    @Test(arguments: [
        ("", RedirectAddress.Problem.malformed), ("/signed-in", .malformed), ("org.example.app", .malformed),
        ("https://user@app.example.org/a", .malformed), ("https://app.example.org:443/a", .malformed),
        ("https://app.example.org/a?b=c", .malformed), ("https://app.example.org/a#b", .malformed),
        ("https://app.example.org/a%2Fb", .malformed), ("https://app.example.org/a b", .malformed),
        ("https://app.example.org\\a", .malformed), ("https://[::1]/a", .malformed),
        ("https://bücher.example/a", .malformed),
        ("org.example.app:/a\u{0}", .malformed), ("org.example.app:/\(String(repeating: "a", count: 512))", .malformed),
        ("org.example.app:/a?b", .malformed), ("org.example.app:/a#", .malformed), ("javascript:alert(1)", .malformed),
        ("intent://scan/#Intent;scheme=zxing;end", .malformed), ("data:text/html,hello", .malformed),
        ("HTTPS://app.example.org/a", .notLowercase), ("https://App.example.org/a", .notLowercase),
        ("org.Example.app:/a", .notLowercase), ("org.example.app://Signed-In", .notLowercase),
        ("myapp:/a", .scheme), ("myapp://a", .scheme), ("http://app.example.org/a", .scheme),
        ("http://127.0.0.1/callback", .scheme), ("http://localhost/a", .scheme), ("javascript:/a", .scheme),
        ("file:///etc/passwd", .scheme), ("intent://a/b", .scheme), ("data:/a", .scheme), ("about:/a", .scheme),
        ("ws://a.b/c", .scheme), (":/a", .scheme), (".app:/a", .scheme), ("org.:/a", .scheme), ("org..app:/a", .scheme),
        ("1org.example:/a", .scheme), ("-org.example:/a", .scheme), ("org.-example:/a", .scheme),
        ("org.a_b:/a", .scheme),
        ("https:/a", .host), ("https:///a", .host), ("https://localhost/a", .host), ("https://127.0.0.1/a", .host),
        ("https://app.example.org./a", .host), ("https://.example.org/a", .host), ("https://-a.example/a", .host),
        ("org.example.app:///a", .host), ("org.example.app://", .host), ("org.example.app://-/a", .host),
        ("https://app.example.org", .path), ("https://app.example.org/../a", .path),
        ("https://app.example.org/./a", .path),
        ("https://app.example.org//a", .path), ("https://app.example.org/a//b", .path),
        ("https://app.example.org/a//", .path),
        ("org.example.app:", .path), ("org.example.app:a", .path), ("org.example.app:/..", .path),
    ])
    func `anything else is no redirect address`(_ text: String, _ problem: RedirectAddress.Problem) {
        #expect(throws: problem) { try RedirectAddress(text) }
    }

    @Test(arguments: [custom, claimed])
    func `a person signs in to an app that the system brings the answer to`(_ address: String) async throws {
        let world = try world()
        let receiver = RedirectReceiver(try RedirectAddress(address))
        let deliveries = Mutex<[String]>([])
        let success = try await signIn(world, receiver) { callback in
            deliveries.withLock { $0.append(callback) }
            #expect(receiver.deliver(callback))
        }
        #expect(success.subject == "alice")
        #expect(try await world.firstAnswer(of: success.session) == 200)
        let callback = try #require(deliveries.withLock { $0.first })
        #expect(callback.hasPrefix(address + "?code="))
        let sent = world.authority.server.requests.compactMap { $0.form("redirect_uri") }
        #expect(sent == [address])
        // Once more: it is dealt with, and nothing happens.
        #expect(receiver.deliver(callback))
        #expect(world.authority.counters.tokenRequests == 1)
    }

    @Test(
        .long,
        arguments: [
            ("org.example.app:/", "ORG.example.app:/"), ("/signed-in", "/Signed-In"), ("/signed-in?", "/signed-in/?"),
            ("/signed-in?", "/signed-in/more?"), ("/signed-in?", "/signed-in;a=b?"), ("/signed-in?", "/signed-in%3F"),
            ("/signed-in?", "/signed-in%2F?"), ("/signed-in", "/signed%2Din"), ("/signed-in", "//signed-in"),
            ("/signed-in", "/./signed-in"), ("/signed-in", "/a/../signed-in"), ("/signed-in?", "?"),
            ("/signed-in?", "/signed-in&"),
            ("/signed-in?", "/signed-in2?"), ("/signed-in?", "/signed-i?"),
            ("org.example.app:/", "org.example.app://signed-in/"),
            ("org.example.app:/", "org.example.app:///"), ("org.example.app:/", "org.example:/"),
            ("org.example.app:/", "com.example.app:/"), ("org.example.app:/", "org.example.app2:/"),
            ("org.example.app:/", "org.example.app://user@/"), ("org.example.app:/", " org.example.app:/"),
            ("org.example.app:/", "https://org.example.app/"), ("org.example.app:/", "javascript:org.example.app:/"),
            ("https://app", "https://App"), ("https://app", "HTTPS://app"), ("https://app", "http://app"),
            ("https://app", "https://user@app"), ("https://app", "https://user:password@app"),
            ("https://app", "https://www.app"),
            ("example.org/", "example.org:443/"), ("example.org/", "example.org:8443/"),
            ("example.org/", "example.org./"),
            ("example.org/", "example.org.evil.test/"), ("example.org/", "example.org@evil.test/"),
            ("example.org/", "example.com/"), ("example.org/", "example.org\\"), ("https://app", "file://app"),
            ("https://app", "intent://app"), ("https://app", "https:/app"),
        ])
    func `a near miss is not the app's, and the true answer still completes`(_ piece: String, _ other: String)
        async throws
    {
        let addresses = [Self.custom, Self.claimed].filter { "\($0)?".contains(piece) }
        #expect(!addresses.isEmpty)
        for address in addresses {
            let world = try world()
            let receiver = RedirectReceiver(try RedirectAddress(address))
            let success = try await signIn(world, receiver) { callback in
                let miss = callback.replacing(piece, with: other, maxReplacements: 1)
                #expect(miss != callback && !receiver.deliver(miss))
                #expect(world.authority.counters.tokenRequests == 0)
                #expect(receiver.deliver(callback))
            }
            #expect(success.subject == "alice")
        }
    }

    /// What is wrong with an answer.
    enum Change: Sendable {
        case more(String)
        case other(String, String)
        case withoutQuery

        func made(to callback: String) -> String {
            switch self {
            case .more(let text): callback + text
            case .other(let piece, let text): callback.replacing(piece, with: text)
            case .withoutQuery: String(callback.prefix { $0 != "?" })
            }
        }
    }

    @Test(arguments: [
        (Change.more("&code=second"), CallbackProblem.codeMissing), (.more("&state=second"), .otherState),
        (.more("&iss=https://evil.example"), .otherIssuer), (.more("&access_token=planted"), .tokenInAnswer),
        (.more("#"), .malformed), (.more("#access_token=planted"), .malformed), (.other("?", "#"), .malformed),
        (.other("code=", "code=%zz"), .malformed), (.more("&" + String(repeating: "a", count: 9000)), .malformed),
        (.other("state=", "state=x"), .otherState), (.withoutQuery, .otherState),
        (.other("code=", "error=access_denied&x="), .refused(code: "access_denied")),
        (.other("code=", "kode="), .codeMissing), (.other("iss=", "yss="), .issuerMissing),
    ])
    func `a wrong answer at the right address ends the sign-in without a token request`(
        _ change: Change, _ problem: CallbackProblem
    ) async throws {
        for address in [Self.custom, Self.claimed] {
            let world = try world()
            let receiver = RedirectReceiver(try RedirectAddress(address))
            await #expect(throws: SignInFailure.callback(problem)) {
                try await signIn(world, receiver) { callback in
                    #expect(receiver.deliver(change.made(to: callback)))
                    // The verifier is gone: the true answer comes too late.
                    #expect(receiver.deliver(callback))
                }
            }
            #expect(world.authority.counters.tokenRequests == 0)
            #expect(try world.record == nil)
        }
    }

    @Test func `one sign-in waits at a receiver, and another may when it has ended`() async throws {
        let world = try world()
        let receiver = RedirectReceiver(try RedirectAddress(Self.claimed))
        _ = try await signIn(world, receiver) { callback in
            await #expect(throws: SignInFailure.redirectInUse) {
                try await signIn(world, receiver) { _ in Issue.record("a second browser was opened") }
            }
            #expect(receiver.deliver(callback))
        }
        await #expect(throws: SignInFailure.timeout) {
            try await signIn(world, receiver, patience: .milliseconds(20)) { _ in }
        }
        let started = Turnstile()
        let given = Task { try await signIn(world, receiver) { _ in started.open() } }
        await started.pass()
        given.cancel()
        await #expect(throws: SignInFailure.cancelled) { try await given.value }
        await #expect(throws: SignInFailure.self) {
            try await signIn(world, receiver) { _ in throw LabFailure.request("no browser") }
        }
        _ = try await signIn(world, receiver) { #expect(receiver.deliver($0)) }
    }

    @Test func `a page that the person has closed ends the sign-in, and the next one completes`() async throws {
        let world = try world()
        let receiver = RedirectReceiver(try RedirectAddress(Self.claimed))
        receiver.cancel()
        await #expect(throws: SignInFailure.cancelled) { try await signIn(world, receiver) { _ in receiver.cancel() } }
        #expect(world.authority.counters.tokenRequests == 0)
        #expect(try world.record == nil)
        _ = try await signIn(world, receiver) { #expect(receiver.deliver($0)) }
    }

    private static let session = "com.apple.AuthenticationServices.WebAuthenticationSession"
    private static let elsewhere = "the page came back at an address that is not the app's"
    // What ASWebAuthenticationSession calls back with, and how the sign-in ends.
    private static let endings: [(address: String?, error: (String, Int)?, end: SignInFailure)] = [
        (nil, (session, 1), .cancelled), (nil, nil, .cancelled),
        (nil, (session, 2), .browser("the system did not show the page (\(session) 2)")),
        (nil, (session, 3), .browser("the system did not show the page (\(session) 3)")),
        (nil, ("NSURLErrorDomain", 1), .browser("the system did not show the page (NSURLErrorDomain 1)")),
        ("https://evil.example/signed-in?code=a", nil, .browser(elsewhere)), ("", nil, .browser(elsewhere)),
    ]

    @Test(arguments: endings.indices)
    func `FD3: a sheet that ends without an answer is told as what it was, and the next one completes`(
        _ index: Int
    ) async throws {
        let row = Self.endings[index]
        let world = try world()
        let receiver = RedirectReceiver(try RedirectAddress(Self.claimed))
        let ending = SheetEnding(
            address: row.address, error: row.error.map { (domain: $0.0, code: $0.1) })
        receiver.end(receiver.current, as: ending)
        await #expect(throws: row.end) {
            try await signIn(world, receiver) { _ in receiver.end(receiver.current, as: ending) }
        }
        #expect(world.authority.counters.tokenRequests == 0)
        #expect(try world.record == nil)
        _ = try await signIn(world, receiver) {
            receiver.end(receiver.current, as: SheetEnding(address: $0, error: nil))
        }
    }

    @Test func `FD3: a page of an earlier sign-in that ends late ends none that waits by then`() async throws {
        let world = try world()
        let receiver = RedirectReceiver(try RedirectAddress(Self.claimed))
        let earlier = Mutex<AppCallback?>(nil)
        await #expect(throws: SignInFailure.cancelled) {
            try await signIn(world, receiver) { _ in
                earlier.withLock { $0 = receiver.current }
                receiver.cancel()
            }
        }
        let page = try #require(earlier.withLock { $0 })
        _ = try await signIn(world, receiver) { callback in
            receiver.end(page, as: .closed)
            receiver.end(page, as: .failed("late"))
            receiver.end(page, as: .answer(callback))
            receiver.end(receiver.current, as: .answer(callback))
        }
    }

    @Test func `FD3: a page hears once that its sign-in is over, by its time and by its task too`() async throws {
        let receiver = RedirectReceiver(try RedirectAddress(Self.claimed))
        let heard = Mutex(0)
        let first = try receiver.open()
        first.whenOver { heard.withLock { $0 += 1 } }
        first.start(within: .milliseconds(1)) { _ in false }
        await #expect(throws: LoopbackListener.Failure.timeout) { try await first.wait() }
        first.stop()
        #expect(heard.withLock { $0 } == 1)
        first.whenOver { heard.withLock { $0 += 1 } }
        #expect(heard.withLock { $0 } == 2)
        let second = try receiver.open()
        second.whenOver { heard.withLock { $0 += 1 } }
        second.start(within: .seconds(600)) { _ in false }
        let task = Task { _ = try? await second.wait() }
        task.cancel()
        await task.value
        #expect(heard.withLock { $0 } == 3)
    }

    @Test func `a client that was registered with an app's address signs in with it`() async throws {
        let world = try world()
        let receiver = RedirectReceiver(try RedirectAddress(Self.custom))
        let signIn = SignIn(client: world.client, browser: AddressReader { _ in })
        let server = try await signIn.discover(issuer: world.authority.issuer)
        let made = try await signIn.register(at: server, scopes: ["openid"], address: receiver.address)
        let authority = world.authority
        let browser = AddressReader { (url) throws(BrowserFailure) in
            do { receiver.deliver(try authority.approve(url.description)) } catch { throw BrowserFailure("\(error)") }
        }
        let success = try await world.run(SignIn(client: world.client, browser: browser)) {
            $0.receiver = receiver
            $0.clientID = made.clientID
        }
        #expect(success.subject == "alice")
    }
}
