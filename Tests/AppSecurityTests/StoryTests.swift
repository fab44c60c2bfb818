import Foundation
import Pavise
import PaviseAppLock
import PaviseLab
import PavisePrimitives
import PaviseSession
import PaviseStorage
import PaviseTransport
import PaviseVault
import Synchronization
import TestSupport
import Testing

/// The program that an app developer writes, against the lab's authority.
@Suite struct `An app's security` {
    private struct Me: Decodable, Sendable { let user: String }

    @Test func `from the PIN to the wipe`() async throws {
        let world = try SecurityWorld()
        try await world.inHome {
            let app = try world.app()
            #expect(app.lock.state == .unset)
            try await app.lock.setPIN(SecurityWorld.pin)
            let account = try await world.signedIn(app)
            #expect(await account.state == .signedIn)
            #expect(try app.accountNames() == ["work"])

            let before = world.calls
            #expect(try await account.get("/api/me", as: Me.self).user == "alice")
            app.lock.lockNow()
            #expect(await account.state == .unknown(.appLocked))
            await #expect {
                _ = try await account.get("/api/me", as: Me.self)
            } throws: {
                ($0 as? PaviseError)?.recovery == .unlock
            }
            await #expect {
                for try await _ in account.stream("/api/me") {}
            } throws: {
                ($0 as? PaviseError)?.code == .appLocked
            }
            #expect(world.calls == before + 1)
            await #expect { try await app.lock.unlock("111222") } throws: { ($0 as? PaviseError)?.code == .wrongPIN }
            #expect(try await app.lock.unlock(SecurityWorld.pin).wrongBefore == 1)
            #expect(await account.state == .signedIn)

            let report = await account.signOut()
            #expect(report.localFailure == nil)
            #expect(report.revocation == .done)
            #expect(await account.state == .signedOut)
            try await app.wipe()
            #expect(try app.accountNames() == [])
            #expect(app.lock.state == .unset)
        }
    }

    @Test func `what a sign-in warns of reaches the app`() async throws {
        let world = try SecurityWorld()
        try await world.inHome {
            let app = try world.app()
            #expect(try await !world.signedIn(app).signInWarnings.contains(.proofKeyNotAdvertised))
            world.authority.configuration.challengeMethods = []
            #expect(try await world.signedIn(app).signInWarnings.contains(.proofKeyNotAdvertised))
            #expect(try app.account("work").signInWarnings == [])
        }
    }

    @Test func `FD15: a wipe goes on past an account that cannot be removed, and with the next start`() async throws {
        let world = try SecurityWorld()
        try await world.inHome {
            let app = try world.app()
            try await app.lock.setPIN(SecurityWorld.pin)
            _ = try await world.signedIn(app)
            _ = try app.files.put([1], named: "app's", protection: .complete)
            let files = world.home + "/apps/org.example.diary/protected"
            #expect(FileManager.default.fileExists(atPath: files))
            let observer = FileObserver(failure: { $0.path.contains("/removed") && $0.call != .open ? EIO : nil })
            await FileObserver.$current.withValue(observer) {
                await #expect(throws: PaviseError.self) { try await app.wipe() }
            }
            #expect(!FileManager.default.fileExists(atPath: files))
            #expect(!app.lock.state.isOpen)

            #expect(try world.app().lock.state == .ended(.wipe))
            let next = try world.app()
            #expect(next.lock.state == .unset)
            #expect(try next.accountNames() == [])
        }
    }

    @Test(arguments: [false, true])
    func `a sign-out or a removal ends every value of the account`(
        isRemoval: Bool
    ) async throws {
        let world = try SecurityWorld()
        try await world.inHome {
            let app = try world.app()
            let account = try await world.signedIn(app)
            let other = try app.account("work")
            #expect(try await other.get("/api/me", as: Me.self).user == "alice")
            let session = try #require(other.connection.session)
            #expect(await session.isHolding)
            if isRemoval { _ = try await app.remove("work") } else { _ = await account.signOut() }
            #expect(await !session.isHolding)
            #expect(await other.state == .signedOut)
            let before = world.calls
            await #expect(throws: PaviseError.self) { try await other.get("/api/me", as: Me.self) }
            #expect(world.calls == before)
        }
    }

    @Test func `a sign-in reaches every value of an account that was signed in before`() async throws {
        let world = try SecurityWorld()
        try await world.inHome {
            let app = try world.app()
            _ = try await world.signedIn(app)
            let session = try #require(try app.account("work").connection.session)
            let before = try await session.accessToken().stamp
            _ = try await world.signedIn(app)
            #expect(try await session.accessToken().stamp.epoch > before.epoch)
        }
    }

    @Test func `a wrong PIN for its removal changes nothing about how sessions are sealed afterwards`() async throws {
        let world = try SecurityWorld()
        try await world.inHome {
            let app = try world.app()
            try await app.lock.setPIN(SecurityWorld.pin)
            let account = try await world.signedIn(app)
            let item = ItemName.session(of: account.connection.descriptor.id)
            await #expect { try await app.lock.removePIN(SecretBytes(utf8: "111222")) } throws: {
                ($0 as? PaviseError)?.code == .wrongPIN
            }
            try await app.lock.unlock(SecurityWorld.pin)
            // Written anew, as after each refresh.
            try await app.connections.sealAgain()
            guard case .found(let packet) = try KeychainStore().read(item) else {
                Issue.record("no session")
                return
            }
            #expect(packet.withBytes { LockedKey.isBoxed($0) })
            #expect(await account.state == .signedIn)
        }
    }

    @Test func `TL2: an app that demands the word of logs gets it, or nobody approves the server`() async throws {
        let world = try SecurityWorld(isTrusted: false)
        var configuration = SecurityWorld.quiet
        configuration.transparency = TransparencyPolicy(logs: [], date: nil, scope: .everyServer)
        try await world.inHome {
            let server = try await world.app("org.example.diary", configuration).review(world.authority.issuer)
            guard case .refused(let error) = server.verdict else {
                Issue.record("\(server.verdict)")
                return
            }
            #expect(error.code == .certificateRefused)
            try await server.approve()
            guard case .refused = server.verdict else {
                Issue.record("a person has approved it")
                return
            }
            // Without the demand a person may.
            guard case .needsApproval = try await world.app("org.example.other").review(world.authority.issuer).verdict
            else {
                Issue.record("nobody is asked")
                return
            }
        }
    }

    @Test func `a server whose certificate is refused gets nothing before a person has approved it`() async throws {
        let world = try SecurityWorld(isTrusted: false)
        try await world.inHome {
            let app = try world.app()
            let server = try await app.review(world.authority.issuer)
            guard case .needsApproval(let review) = server.verdict else {
                Issue.record("\(server.verdict)")
                return
            }
            #expect(review.failures == [.unknownAuthority])
            await #expect {
                _ = try await app.connect(server, as: "work", clientID: "pavise-lab", options: world.willing)
            } throws: {
                ($0 as? PaviseError)?.code == .approvalNeeded
            }
            #expect(world.authority.server.requests.isEmpty)
            #expect(try app.accountNames() == [])
            try await server.approve()
            guard case .trusted = server.verdict else {
                Issue.record("\(server.verdict)")
                return
            }
            let account = try await app.connect(server, as: "work", clientID: "pavise-lab", options: world.willing)
            #expect(await account.state == .signedIn)
            #expect(
                try await account.connection.send(HTTPRequest("GET", account.connection.url("/api/me"))).status == 200)
        }
    }

    @Test func `who signs in again is not asked again about what the account approved, and is about another key`()
        async throws
    {
        let world = try SecurityWorld(isTrusted: false)
        try await world.inHome {
            let app = try world.app()
            let first = try await app.review(world.authority.issuer)
            try await first.approve()
            let account = try await app.connect(first, as: "work", clientID: "pavise-lab", options: world.willing)
            world.authority.revokeEverything()
            world.authority.expireAccessTokens()
            await #expect(throws: PaviseError.self) { _ = try await account.get("/api/me", as: Me.self) }
            guard case .needsSignIn = await account.state else {
                Issue.record("\(await account.state)")
                return
            }

            let again = try await account.review()
            guard case .trusted = again.verdict else {
                Issue.record("\(again.verdict)")
                return
            }
            let signedIn = try await app.connect(again, as: "work", clientID: "pavise-lab", options: world.willing)
            #expect(try await signedIn.get("/api/me", as: Me.self).user == "alice")
            #expect(try app.accountNames() == ["work"])
            // A server of no account is asked about as ever.
            guard case .needsApproval = try await app.review(world.authority.issuer).verdict else {
                Issue.record("an approval of one account counted for all")
                return
            }

            let other = try CertificateAuthority().issue()
            try world.authority.server.use(other)
            let changed = try await signedIn.review()
            guard case .needsApproval(let review) = changed.verdict else {
                Issue.record("\(changed.verdict)")
                return
            }
            #expect(review.summary.fingerprint == other.fingerprint)
            let before = world.authority.server.requests.count
            await #expect {
                _ = try await app.connect(changed, as: "work", clientID: "pavise-lab", options: world.willing)
            } throws: {
                ($0 as? PaviseError)?.code == .approvalNeeded
            }
            #expect(world.authority.server.requests.count == before)
        }
    }

    @Test func `who asks a lock while it looks for the first time waits for it`() async throws {
        let world = try SecurityWorld()
        try await world.inHome {
            for _ in 0..<20 {
                let app = try world.app()
                let states = await withTaskGroup(of: AppLockState.self) { group in
                    for _ in 0..<8 { group.addTask { app.lock.state } }
                    return await group.reduce(into: []) { $0.append($1) }
                }
                #expect(states.allSatisfy { $0 == .unset })
            }
        }
    }

    @Test func `FD16: nobody signs in while the app is locked`() async throws {
        let world = try SecurityWorld()
        try await world.inHome {
            let app = try world.app()
            try await app.lock.setPIN(SecurityWorld.pin)
            let server = try await app.review(world.authority.issuer)
            app.lock.lockNow()
            await #expect {
                _ = try await app.connect(server, as: "work", clientID: "pavise-lab", options: world.willing)
            } throws: {
                ($0 as? PaviseError)?.code == .appLocked
            }
            #expect(world.authority.server.requests.isEmpty)
        }
    }

    @Test func `FD16: nothing is sent without the PIN that an administrator asks for, and it cannot be removed`()
        async throws
    {
        let world = try SecurityWorld()
        try await world.inHome {
            let rules = try world.managed("{}")
            let app = try world.app(managed: rules)
            let account = try await world.signedIn(app)
            let required = try world.managed(#"{"appLock":{"required":true}}"#)
            let later = try world.app(managed: required)
            let calls = world.calls
            await #expect { _ = try await later.account("work").get("/api/me", as: Me.self) } throws: {
                ($0 as? PaviseError)?.code == .noPIN
            }
            await #expect { _ = try await world.signedIn(later) } throws: { ($0 as? PaviseError)?.code == .noPIN }
            #expect(world.calls == calls)
            try await later.lock.setPIN(SecurityWorld.pin)
            #expect(try await later.account("work").get("/api/me", as: Me.self).user == "alice")
            await #expect { try await later.lock.removePIN(SecretBytes(utf8: SecurityWorld.pin)) } throws: {
                ($0 as? PaviseError)?.code == .noPIN
            }
            #expect(later.lock.state.isOpen && later.lock.state != .unset)
            _ = account
        }
    }

    @Test func `a sign-in that fails leaves no account`() async throws {
        let world = try SecurityWorld()
        try await world.inHome {
            let app = try world.app()
            let server = try await app.review(world.authority.issuer)
            await #expect {
                _ = try await app.connect(server, as: "work", clientID: "somebody-else", options: world.willing)
            } throws: {
                ($0 as? PaviseError)?.recovery == .signIn
            }
            #expect(try app.accountNames() == [])
            #expect { _ = try app.account("work") } throws: { ($0 as? PaviseError)?.code == .unknownName }
        }
    }

    @Test func `a client of its own is registered for the address to which the system brings the answer`() async throws
    {
        let text = "org.example.diary:/signed-in"
        var configuration = AuthorityConfiguration()
        configuration.redirects = [text]
        let world = try SecurityWorld(configuration)
        try await world.inHome {
            let app = try world.app()
            let receiver = RedirectReceiver(try RedirectAddress(text))
            let authority = world.authority
            var options = SignInOptions()
            options.registersClient = true
            options.receiver = receiver
            options.browser = AddressReader { (url) throws(BrowserFailure) in
                do { receiver.deliver(try authority.approve(url.description)) } catch {
                    throw BrowserFailure("\(error)")
                }
            }
            let server = try await app.review(authority.issuer)
            let account = try await app.connect(server, as: "work", clientID: "none", options: options)
            #expect(try await account.get("/api/me", as: Me.self).user == "alice")
            #expect(authority.registeredClients.count == 1)
        }
    }

    @Test func `C1: what a failed sign-in cannot take back is told, and is gone after the next start`() async throws {
        let world = try SecurityWorld()
        try await world.inHome {
            let app = try world.app()
            let server = try await app.review(world.authority.issuer)
            let observer = FileObserver(failure: { $0.path.contains("/removed") && $0.call != .open ? ENOSPC : nil })
            var failure: PaviseError?
            do {
                _ = try await FileObserver.$current.withValue(observer) {
                    try await app.connect(server, as: "work", clientID: "somebody-else", options: world.willing)
                }
            } catch {
                failure = error as? PaviseError
            }
            #expect(failure?.hasLeftovers == true && failure?.recovery == .signIn)
            #expect(failure?.message(in: .english).contains("could not be removed yet") == true)
            #expect(failure?.message(in: .german).contains("nächsten Start") == true)
            #expect(try world.app().accountNames() == [])
        }
    }

    @Test func `C1: an account that a failed sign-in left behind is none to sign in to again`() async throws {
        let world = try SecurityWorld()
        try await world.inHome {
            let app = try world.app()
            let server = try await app.review(world.authority.issuer)
            let observer = FileObserver(failure: { $0.path.contains("/removed") && $0.call != .open ? ENOSPC : nil })
            await FileObserver.$current.withValue(observer) {
                _ = try? await app.connect(server, as: "work", clientID: "somebody-else", options: world.willing)
            }
            let account = try await world.signedIn(app)
            #expect(await account.state == .signedIn)
            #expect(try world.app().accountNames() == ["work"])
        }
    }

    @Test func `C1: the authority of a sign-in is judged, and its certificate is what a person is asked about`()
        async throws
    {
        let world = try SecurityWorld(isTrusted: false)
        let other = try LabAuthority.start(world.identity)
        try await world.inHome {
            let app = try world.app()
            let server = try await app.review(world.authority.issuer)
            try await server.approve()
            var options = world.willing
            options.issuer = other.issuer
            await #expect {
                _ = try await app.connect(server, as: "work", clientID: "pavise-lab", options: options)
            } throws: {
                ($0 as? PaviseError)?.code == .approvalNeeded
            }
            #expect(try server.origin == WebURL(other.issuer).origin)
            guard case .needsApproval = server.verdict else {
                Issue.record("\(server.verdict)")
                return
            }
            #expect(other.server.requests.isEmpty && world.authority.server.requests.isEmpty)
        }
    }

    @Test func `C1: servers that only the metadata names need a word, once for each list of them`() async throws {
        var configuration = AuthorityConfiguration()
        configuration.elsewhere = [.token]
        let world = try SecurityWorld(configuration)
        try await world.inHome {
            let app = try world.app()
            let server = try await app.review(world.authority.issuer)
            func connect(_ server: ReviewedServer) async throws -> Account {
                try await app.connect(server, as: "work", clientID: "pavise-lab", options: world.willing)
            }
            await #expect { _ = try await connect(server) } throws: {
                ($0 as? PaviseError)?.code == .consentNeeded && ($0 as? PaviseError)?.recovery == .approve
            }
            #expect(server.others.map(\.origin) == [try WebURL(world.authority.address(.token)).origin])
            #expect(server.others.first?.purposes == ["token_endpoint"])
            #expect(server.others.first?.certificate?.fingerprint == world.identity.fingerprint)
            #expect(try app.accountNames() == [] && world.authority.counters.tokenRequests == 0)
            server.acceptOthers()
            #expect(await (try connect(server)).state == .signedIn)
            // The same list is not asked about again, another one is.
            #expect(await (try connect(try await app.review(world.authority.issuer))).state == .signedIn)
            world.authority.configuration.elsewhere = []
            #expect(await (try connect(try await app.review(world.authority.issuer))).state == .signedIn)
            world.authority.configuration.elsewhere = [.token, .jwks]
            let before = world.authority.counters.tokenRequests
            let later = try await app.review(world.authority.issuer)
            await #expect { _ = try await connect(later) } throws: { ($0 as? PaviseError)?.code == .consentNeeded }
            #expect(later.others.first?.purposes == ["token_endpoint", "jwks_uri"])
            #expect(world.authority.counters.tokenRequests == before)
        }
    }

    @Test func `C1: a sign-in again that fails leaves the account's description as it was`() async throws {
        let world = try SecurityWorld()
        try await world.inHome {
            let app = try world.app()
            let before = try await world.signedIn(app).connection.descriptor
            world.authority.configuration.elsewhere = [.token]
            var options = world.willing
            options.browser = AddressReader { (_) throws(BrowserFailure) in throw BrowserFailure("closed") }
            let server = try await app.review(world.authority.issuer)
            for code in [PaviseError.Code.consentNeeded, .signInFailed] {
                await #expect {
                    _ = try await app.connect(server, as: "work", clientID: "pavise-lab", options: options)
                } throws: {
                    ($0 as? PaviseError)?.code == code
                }
                server.acceptOthers()
            }
            let after = try app.account("work").connection.descriptor
            #expect(before.acceptedServers == [] && after.acceptedServers == [])
            #expect(after.redirectPort == before.redirectPort && after.identity == before.identity)
        }
    }

    @Test func `C1: a sign-in again changes the account's description when somebody has signed in, and not before`()
        async throws
    {
        let world = try SecurityWorld()
        try await world.inHome {
            let app = try world.app()
            _ = try await world.signedIn(app)
            let authority = world.authority
            // What a kill would leave while the browser is open.
            let during = Mutex<ConnectionDescriptor?>(nil)
            var options = SignInOptions()
            options.registersClient = true
            options.browser = AddressReader { [connections = app.connections] (url) throws(BrowserFailure) in
                do {
                    let found = try connections.list().first?.descriptor.get()
                    during.withLock { $0 = found }
                    _ = try LabBrowser.open(try authority.approve(url.description))
                } catch {
                    throw BrowserFailure("\(error)")
                }
            }
            let server = try await app.review(authority.issuer)
            let account = try await app.connect(server, as: "work", clientID: "pavise-lab", options: options)
            #expect(during.withLock { $0?.clientID } == "pavise-lab")
            let registered = authority.registeredClients
            #expect(registered.count == 1 && account.connection.descriptor.clientID == registered.first)
            let after = try world.app().account("work")
            #expect(after.connection.descriptor.clientID == registered.first)
            #expect(try await after.get("/api/me", as: Me.self).user == "alice")
        }
    }

    @Test func `C1: who signs in again to an account that another process removes meanwhile leaves no session behind`()
        async throws
    {
        let world = try SecurityWorld()
        try await world.inHome {
            let app = try world.app()
            let id = try await world.signedIn(app).connection.descriptor.id
            let authority = world.authority
            let mark = "\(world.home)/apps/org.example.diary/connections/\(id)/removed"
            var options = SignInOptions()
            options.browser = AddressReader { (url) throws(BrowserFailure) in
                do {
                    // As far as the other process has come: it has erased everything but the folder.
                    try DurableFile.write(Array("PVRM1 \(id)\n".utf8), to: mark)
                    try KeychainStore().delete(.session(of: id))
                    try KeychainStore().delete(.connectionKey(of: id))
                    _ = try LabBrowser.open(try authority.approve(url.description))
                } catch {
                    throw BrowserFailure("\(error)")
                }
            }
            let server = try await app.review(authority.issuer)
            await #expect {
                _ = try await app.connect(server, as: "work", clientID: "pavise-lab", options: options)
            } throws: {
                ($0 as? PaviseError)?.code == .unknownName
            }
            guard case .absent = try KeychainStore().read(.session(of: id)) else {
                Issue.record("the session is there")
                return
            }
            let given = try #require(authority.issuedTokens.last { $0.kind == .refresh })
            #expect(authority.isRevoked(given.value))
        }
    }

    @Test func `C1: a key that is gone alone is no removal, and destroys nothing of the account`() async throws {
        let world = try SecurityWorld()
        try await world.inHome {
            let app = try world.app()
            let account = try await world.signedIn(app)
            let id = account.connection.descriptor.id
            let file = try account.files.put([1, 2, 3], named: "note", protection: .complete)
            let authority = world.authority
            let key = Mutex<[UInt8]>([])
            var options = SignInOptions()
            options.browser = AddressReader { (url) throws(BrowserFailure) in
                do {
                    // As a keychain that has begun anew.
                    guard case .found(let content) = try KeychainStore().read(.connectionKey(of: id)) else { return }
                    let bytes = content.withBytes { bytes in (0..<bytes.count).map { bytes[$0] } }
                    key.withLock { $0 = bytes }
                    try KeychainStore().delete(.connectionKey(of: id))
                    _ = try LabBrowser.open(try authority.approve(url.description))
                } catch {
                    throw BrowserFailure("\(error)")
                }
            }
            let server = try await app.review(authority.issuer)
            await #expect {
                _ = try await app.connect(server, as: "work", clientID: "pavise-lab", options: options)
            } throws: {
                ($0 as? PaviseError)?.code != .unknownName
            }
            let kept = key.withLock { $0 }
            #expect(!kept.isEmpty)
            try KeychainStore().add(kept.span, as: .connectionKey(of: id))
            #expect(try world.app().account("work").files.get(file, limit: 10) == [1, 2, 3])
        }
    }

    @Test func `a name belongs to one server, and connecting again signs in again`() async throws {
        let world = try SecurityWorld()
        let other = try LabAuthority.start(world.identity)
        try await world.inHome {
            let app = try world.app()
            _ = try await world.signedIn(app)
            _ = try await world.signedIn(app)
            #expect(try app.accountNames() == ["work"])
            let server = try await app.review(other.issuer)
            await #expect {
                _ = try await app.connect(server, as: "work", clientID: "pavise-lab", options: world.willing)
            } throws: {
                ($0 as? PaviseError)?.code == .nameTaken
            }
        }
    }

    @Test func `FD15: two apps may both have “work”, and neither's lock nor wipe reaches the other`() async throws {
        let world = try SecurityWorld()
        try await world.inHome {
            let (one, two) = (try world.app("org.example.one"), try world.app("org.example.two"))
            let first = try await world.signedIn(one)
            let second = try await world.signedIn(two)
            try await one.lock.setPIN(SecurityWorld.pin)
            one.lock.lockNow()
            #expect(await first.state == .unknown(.appLocked))
            #expect(two.lock.state == .unset)
            #expect(await second.state == .signedIn)
            try await two.wipe()
            #expect(await second.state == .signedOut)
            try await one.lock.unlock(SecurityWorld.pin)
            #expect(try one.accountNames() == ["work"])
            #expect(try await first.connection.send(HTTPRequest("GET", first.connection.url("/api/me"))).status == 200)
        }
    }

    @Test(.long) func `FD15: of fifty accounts at once, with answers that come late, none gets another one's`()
        async throws
    {
        let world = try SecurityWorld()
        try await world.inHome {
            let app = try world.app()
            var accounts: [String: Account] = [:]
            for number in 1...50 {
                accounts["account-\(number)"] = try await world.signedIn(app, as: "account-\(number)")
            }
            let before = world.authority.server.requests.count
            world.authority.fail(.api, with: .delayed(seconds: 1), times: 25)
            try await withThrowingTaskGroup(of: (String, String).self) { group in
                for (name, account) in accounts {
                    group.addTask {
                        let url = try account.connection.url("/api/echo")
                        let answer = try await account.send(HTTPRequest("POST", url, body: Array(name.utf8)))
                        return (name, String(decoding: answer.body, as: UTF8.self))
                    }
                }
                for try await (name, answer) in group { #expect(answer == name) }
            }
            // Each with a token of its own.
            let seen = world.authority.server.requests.dropFirst(before).filter { $0.path == "/api/echo" }
            #expect(seen.count == 50 && Set(seen.map { $0.field("Authorization") }).count == 50)
            world.authority.heal()
            // One that is signed out ends alone.
            _ = await accounts["account-7"]?.signOut()
            for (name, account) in accounts {
                #expect(await account.state == (name == "account-7" ? .signedOut : .signedIn), "\(name)")
            }
        }
    }

    @Test func `the last wrong PIN wipes the accounts`() async throws {
        let world = try SecurityWorld()
        try await world.inHome {
            var configuration = SecurityConfiguration()
            configuration.lock = try AppLockPolicy(freeAttempts: 3, attempts: 3)
            let app = try world.app("org.example.diary", configuration)
            try await app.lock.setPIN(SecurityWorld.pin)
            _ = try await world.signedIn(app)
            app.lock.lockNow()
            var codes: [PaviseError.Code] = []
            for _ in 0..<3 {
                do throws(PaviseError) { try await app.lock.unlock("111222") } catch { codes.append(error.code) }
            }
            #expect(codes == [.wrongPIN, .wrongPIN, .wiped])
            #expect(try app.accountNames() == [])
        }
    }

    @Test(arguments: ["", ".", "..", "../x", "a/b", "a..b", ".a", "a.", "naïve", String(repeating: "x", count: 101)])
    func `anything else is no identifier`(_ text: String) throws {
        let world = try SecurityWorld()
        #expect { _ = try world.app(text) } throws: { ($0 as? PaviseError)?.code == .invalidInput }
    }

    @Test(arguments: ["", "nonsense", "http://a.example", "ftp://a.example", "https://"])
    func `an address that is no https address is not looked at`(_ text: String) async throws {
        let world = try SecurityWorld()
        try await world.inHome {
            let app = try world.app()
            await #expect { _ = try await app.review(text) } throws: { ($0 as? PaviseError)?.recovery == .correct }
        }
    }
}
