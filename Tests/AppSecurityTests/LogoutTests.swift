import Foundation
import Pavise
import PaviseLab
import PavisePrimitives
import PaviseSession
import PaviseStorage
import PaviseTransport
import TestSupport
import Testing

/// What the browser was sent to, in the order of the calls.
private actor Visits {
    private(set) var all: [String] = []
    func add(_ address: String) { all.append(address) }
}

extension SecurityWorld {
    /// A sign-in in which alice agrees, in a browser that follows the logout page's redirect.
    fileprivate func willing(_ visits: Visits, follows: Bool = true) -> SignInOptions {
        var options = SignInOptions()
        let authority = authority
        options.browser = AddressReader { (url) throws(BrowserFailure) in
            await visits.add(url.description)
            do {
                guard url.description.hasPrefix(authority.address(.logout)) else {
                    _ = try LabBrowser.open(try authority.approve(url.description))
                    return
                }
                guard follows, let back = await Self.redirect(of: url, self.trusted) else { return }
                _ = try LabBrowser.open(back)
            } catch {
                throw BrowserFailure("\(error)")
            }
        }
        return options
    }

    private static func redirect(of url: WebURL, _ anchor: [UInt8]) async -> String? {
        let client = try? HTTPClient(policy: TrustPolicy(anchors: .only([anchor])))
        return try? await client?.send(HTTPRequest("GET", url)).fields["Location"]
    }

    fileprivate func account(_ app: AppSecurity, _ visits: Visits, follows: Bool = true) async throws -> Account {
        try await app.connect(
            try await app.review(authority.issuer), as: "work", clientID: "pavise-lab",
            options: willing(visits, follows: follows))
    }
}

@Suite struct `A sign-out that closes the browser's session` {
    @Test func `opens the authority's page last, with the session's id_token, and waits for its state`() async throws {
        let world = try SecurityWorld()
        try await world.inHome {
            let app = try world.app()
            let visits = Visits()
            let account = try await world.account(app, visits)
            let report = await account.signOut(closesBrowserSession: true)
            #expect(report.localFailure == nil && report.revocation == .done)
            #expect(report.authorityPage == .ended)
            #expect(await account.state == .signedOut)
            #expect(world.authority.counters.logouts == 1)
            let page = try #require(await visits.all.last)
            let token = try #require(world.authority.issuedTokens.last { $0.kind == .identity }).value
            #expect(page.contains("id_token_hint=\(token)") && page.contains("client_id=pavise-lab"))
            #expect(page.contains("post_logout_redirect_uri=http") && page.contains("state="))
            // The tokens went back first, and nothing of the session is left to be shown.
            let paths = world.authority.server.requests.map(\.path)
            #expect(paths.lastIndex(of: "/revoke") ?? .max < paths.lastIndex(of: "/logout") ?? 0)
            #expect(try account.connection.hint() == nil)
        }
    }

    @Test func `that does not come back leaves everything else done`() async throws {
        let world = try SecurityWorld()
        try await world.inHome {
            let app = try world.app()
            let account = try await world.account(app, Visits(), follows: false)
            let report = await account.connection.signOut(
                in: world.willing(Visits(), follows: false).browser, receiver: nil, patience: .milliseconds(200))
            #expect(report.revocation == .done && report.authorityPage == .notConfirmed)
            #expect(await account.state == .signedOut)
        }
    }

    @Test func `at an authority without such a page says so, and opens nothing`() async throws {
        var configuration = AuthorityConfiguration()
        configuration.offersLogout = false
        let world = try SecurityWorld(configuration)
        try await world.inHome {
            let visits = Visits()
            let account = try await world.account(try world.app(), visits)
            let report = await account.signOut(closesBrowserSession: true)
            #expect(report.revocation == .done && report.authorityPage == .notOffered)
            #expect(await visits.all.count == 1)
        }
    }

    @Test func `at an authority that is not reached does not say that there is no page`() async throws {
        let world = try SecurityWorld()
        try await world.inHome {
            let visits = Visits()
            let account = try await world.account(try world.app(), visits)
            world.authority.fail(.discovery, with: .status(503))
            world.authority.fail(.metadata, with: .status(503))
            #expect(await account.signOut(closesBrowserSession: true).authorityPage == .notConfirmed)
            #expect(await account.state == .signedOut)
            #expect(await visits.all.count == 1)
        }
    }

    @Test func `is not asked for unless the app says so`() async throws {
        let world = try SecurityWorld()
        try await world.inHome {
            let visits = Visits()
            let account = try await world.account(try world.app(), visits)
            #expect(await account.signOut().authorityPage == nil)
            #expect(await visits.all.count == 1)
            #expect(try account.connection.hint() == nil)
        }
    }

    @Test(arguments: [
        "", "state=", "state=other", "state=S&state=S", "state=Sx", "other=S", "state=%53%", "#state=S",
        "state=S" + String(repeating: "x", count: 9000),
    ])
    func `takes no other answer for the page's`(_ query: String) { #expect(!AuthorityLogout.brings("S", query)) }

    @Test func `takes the page's answer`() { #expect(AuthorityLogout.brings("S", "state=S&x=y")) }

    @Test func `shows no id_token that is too long for an address`() throws {
        let endpoint = try WebURL("https://id.example.org/logout")
        let long = SharedSecretBytes(SecretBytes(utf8: String(repeating: "t", count: 9000)))
        let question = AuthorityLogout.Question(endpoint: endpoint, clientID: "c", hint: long)
        let address = question.address(back: "http://127.0.0.1:1/callback", state: "S").description
        #expect(address.utf8.count < 200 && address.contains("state=S"))
    }
}

@Suite struct `A logout token of the authority` {
    @Test func `ends the session, and the app is told`() async throws {
        let world = try SecurityWorld()
        try await world.inHome {
            let app = try world.app()
            let account = try await world.signedIn(app)
            var states = account.states.makeAsyncIterator()
            #expect(await states.next() == .signedIn)
            var notices = app.notices.makeAsyncIterator()
            let other = try app.account("work")
            #expect(await other.state == .signedIn)
            let held = try #require(other.connection.session)
            #expect(await held.isHolding)
            #expect(try await account.endSession(by: world.authority.logoutToken(name: "1")))
            #expect(await !held.isHolding)
            #expect(await states.next() == .needsSignIn(.revoked))
            #expect(await notices.next()?.code == "ended.revoked")
            #expect(try account.connection.hint() == nil)
            await #expect {
                _ = try await account.send(HTTPRequest("GET", account.connection.url("/api/me")))
            } throws: {
                ($0 as? PaviseError)?.recovery == .signIn
            }
            // The same after a start.
            #expect(await (try world.app().account("work")).state == .needsSignIn(.revoked))
            let again = try await world.signedIn(app)
            #expect(await again.state == .signedIn)
        }
    }

    @Test(arguments: LogoutTokenFault.allCases)
    func `that is wrong in any way ends nothing`(_ fault: LogoutTokenFault) async throws {
        let world = try SecurityWorld()
        try await world.inHome {
            let account = try await world.signedIn(try world.app())
            let token = world.authority.logoutToken(name: "1", fault: fault)
            await #expect { _ = try await account.endSession(by: token) } throws: {
                ($0 as? PaviseError)?.code == .forged && ($0 as? PaviseError)?.isSecurityEvent == true
            }
            #expect(await account.state == .signedIn)
        }
    }

    @Test func `costs the authority no request where it is none`() async throws {
        let world = try SecurityWorld()
        try await world.inHome {
            let account = try await world.signedIn(try world.app())
            let before = world.authority.server.requests.count
            let tokens = [
                "", "x", "a.b.c", String(repeating: "x", count: 20_000), world.authority.sampleIDToken(),
                world.authority.logoutToken(name: "1", fault: .untyped),
            ]
            for token in tokens {
                await #expect { _ = try await account.endSession(by: token) } throws: {
                    ($0 as? PaviseError)?.code == .forged
                }
            }
            #expect(world.authority.server.requests.count == before)
            #expect(await account.state == .signedIn)
        }
    }

    @Test func `counts once, and for no session that began after it`() async throws {
        let world = try SecurityWorld()
        try await world.inHome {
            let app = try world.app()
            let account = try await world.signedIn(app)
            let old = world.authority.logoutToken(session: false, name: "old", age: 30)
            #expect(try await !account.endSession(by: old))
            await #expect { _ = try await account.endSession(by: old) } throws: {
                ($0 as? PaviseError)?.code == .forged
            }
            #expect(await account.state == .signedIn)
            // Nor after a start, where nothing of it is remembered.
            let later = try world.app().account("work")
            #expect(try await !later.endSession(by: old))
            #expect(await later.state == .signedIn)
        }
    }

    @Test func `that could not be carried out counts again, and ends the session then`() async throws {
        let world = try SecurityWorld()
        try await world.inHome {
            let app = try world.app()
            let account = try await world.signedIn(app)
            let token = world.authority.logoutToken(name: "1")
            // A folder has the name of the lock under which the record is written.
            let id = account.connection.descriptor.id
            let lock = URL(fileURLWithPath: "\(world.home)/apps/org.example.diary/connections/\(id)/record.lock")
            try? FileManager.default.removeItem(at: lock)
            try FileManager.default.createDirectory(at: lock, withIntermediateDirectories: false)
            for _ in 1...2 {
                await #expect { _ = try await account.endSession(by: token) } throws: {
                    ($0 as? PaviseError)?.code == .storage
                }
            }
            #expect(try account.connection.hint() != nil)
            #expect(await (try world.app().account("work")).state == .signedIn)
            try FileManager.default.removeItem(at: lock)
            #expect(try await account.endSession(by: token))
            #expect(await account.state == .needsSignIn(.revoked))
            #expect(await (try world.app().account("work")).state == .needsSignIn(.revoked))
            #expect(try account.connection.hint() == nil)
        }
    }

    @Test func `ends a session that was refreshed meanwhile`() async throws {
        let world = try SecurityWorld()
        try await world.inHome {
            let app = try world.app()
            let account = try await world.signedIn(app)
            #expect(await account.state == .signedIn)
            let other = try #require(try world.app().account("work").connection.session)
            _ = try await other.forceRefresh()
            #expect(try await account.endSession(by: world.authority.logoutToken(name: "1")))
            #expect(await (try world.app().account("work")).state == .needsSignIn(.revoked))
        }
    }

    @Test func `whose keys come late ends no session that began meanwhile`() async throws {
        let world = try SecurityWorld()
        try await world.inHome {
            let app = try world.app()
            let account = try await world.signedIn(app)
            let token = world.authority.logoutToken(name: "1")
            let gate = LabGate()
            defer { gate.open() }
            world.authority.fail(.jwks, with: .late(gate), times: 1)
            let taking = Task { try await account.endSession(by: token) }
            #expect(await gate.waitForArrivals(1))
            let again = try await world.signedIn(app)
            gate.open()
            let isEnded = try await taking.value
            #expect(!isEnded)
            #expect(await again.state == .signedIn)
            #expect(try again.connection.hint() != nil)
        }
    }

    @Test func `of another person, or another session, ends nothing here`() async throws {
        let world = try SecurityWorld()
        try await world.inHome {
            let app = try world.app()
            let account = try await world.signedIn(app)
            #expect(try await !account.endSession(by: world.authority.logoutToken(for: "bob", name: "1")))
            let second = try await world.signedIn(app, as: "second")
            let newest = world.authority.logoutToken(name: "2")
            #expect(try await !account.endSession(by: newest))
            #expect(await account.state == .signedIn)
            #expect(try await second.endSession(by: newest))
            #expect(await second.state == .needsSignIn(.revoked))
            // Without a session's name it is about all of the person's.
            #expect(try await account.endSession(by: world.authority.logoutToken(session: false, name: "3")))
        }
    }

    @Test func `names the session alone, and that is enough`() async throws {
        let world = try SecurityWorld()
        try await world.inHome {
            let account = try await world.signedIn(try world.app())
            #expect(try await account.endSession(by: world.authority.logoutToken(for: nil, name: "1")))
        }
    }

    @Test func `waits while the app is locked`() async throws {
        let world = try SecurityWorld()
        try await world.inHome {
            let app = try world.app()
            try await app.lock.setPIN(SecurityWorld.pin)
            let account = try await world.signedIn(app)
            let token = world.authority.logoutToken(name: "1")
            app.lock.lockNow()
            await #expect { _ = try await account.endSession(by: token) } throws: {
                ($0 as? PaviseError)?.recovery == .unlock
            }
            try await app.lock.unlock(SecurityWorld.pin)
            #expect(try await account.endSession(by: token))
        }
    }
}
