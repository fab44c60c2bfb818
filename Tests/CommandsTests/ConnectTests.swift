import Foundation
import PaviseAppLock
import PaviseCommands
import PaviseLab
import PaviseLog
import PavisePrimitives
import Synchronization
import Testing

@Suite struct ConnectTests {
    @Test func `an untrusted certificate is shown and refused, and no request is made`() async throws {
        let stage = try LabStage()
        let result = await stage.run("connect", stage.authority.issuer)
        #expect(result.status == .refused)
        #expect(result.messages.contains(stage.identity.pin))
        #expect(result.messages.contains("unknownAuthority"))
        #expect(stage.authority.server.counters.requests == 0)
        #expect(stage.authority.server.counters.applicationBytes == 0)
    }

    @Test func `many callers share a session, and each of them is counted`() async throws {
        let stage = try LabStage()
        #expect(await stage.connect().status == .done)
        stage.authority.expireAccessTokens()
        let all = await stage.runLab("callers", "work", "/api/me", "--callers", "300", "--over", "1", "--json")
        #expect(all.status == .done)
        #expect(all.json?["callers"]?.integer == 300 && all.json?["answers"]?["200"]?.integer == 300)
        #expect(all.json?["failures"]?.members?.isEmpty == true)
        #expect(stage.authority.counters.refreshes == 1 && stage.authority.counters.reuseDetections == 0)
        let missing = await stage.runLab("callers", "/nowhere", "--callers", "3", "--over", "1")
        #expect(missing.status == .failed)
        #expect(missing.output.contains("3 answers with status 404"))
        for words in [["--callers", "0"], ["--callers", "100001"], ["--over", "x"]] {
            #expect(await stage.runLab(["callers", "/api/me"] + words).status == .usage)
        }
    }

    @Test func `a person at the terminal approves with yes and with nothing else`() async throws {
        let stage = try LabStage()
        for answer in ["y", "", "no", "Yes"] {
            stage.person.willAnswer(answer)
            #expect(await stage.run("connect", stage.authority.issuer, "--client-id", "pavise-lab").status == .refused)
        }
        stage.person.willAnswer("yes")
        let result = await stage.run("connect", stage.authority.issuer, "--client-id", "pavise-lab", "--name", "work")
        #expect(result.status == .done)
    }

    @Test func `a fingerprint of another certificate is refused, and both are shown`() async throws {
        let stage = try LabStage()
        let other = String(repeating: "ab", count: 32)
        let result = await stage.run("connect", stage.authority.issuer, "--approve-certificate", other, "--json")
        #expect(result.status == .refused)
        #expect(result.json?["error"]?["rule"]?.string == "approved-certificate")
        let facts = result.json?["error"]?["facts"]
        #expect(facts?["approved"]?.string?.contains(other) == true)
        #expect(facts?["shown"]?.string?.contains(stage.identity.pin) == true)
        #expect(stage.authority.server.counters.requests == 0)
    }

    @Test func `the certificate's own fingerprint approves as well, with colons`() async throws {
        let stage = try LabStage()
        let digits = stage.identity.fingerprint.uppercased()
        let pairs = stride(from: 0, to: digits.count, by: 2).map { String(digits.dropFirst($0).prefix(2)) }
        let result = await stage.run(
            "connect", stage.authority.issuer, "--client-id", "pavise-lab", "--name", "work", "--approve-certificate",
            pairs.joined(separator: ":"))
        #expect(result.status == .done)
    }

    @Test func `the whole story: connect, list, fetch, disconnect`() async throws {
        let stage = try LabStage()
        #expect(await stage.connect("--json").json?["subject"]?.string == "alice")
        let list = await stage.run("connections")
        #expect(list.output.contains("work") && list.output.contains("signed in"))
        let answer = await stage.run("fetch", "/api/me", "--json")
        #expect(answer.status == .done)
        #expect(answer.json?["status"]?.integer == 200)
        let tokens = stage.authority.issuedTokens
        #expect(await stage.run("disconnect", "work").status == .done)
        for token in tokens where token.kind == .refresh { #expect(stage.authority.isRevoked(token.value)) }
        #expect(await stage.run("fetch", "work", "/api/me").status == .failed)
        #expect(await stage.run("connections").output.contains("There are no connections."))
    }

    @Test func `a disconnect that the server does not take is made good by the next command`() async throws {
        let time = ManualTime(wallSeconds: TimeSource.system.wallSeconds)
        let stage = try LabStage(isTrusted: true, time: time.source)
        _ = await stage.run("connect", stage.authority.issuer, "--name", "work", "--client-id", "pavise-lab")
        _ = await stage.run("connect", stage.authority.issuer, "--name", "home", "--client-id", "pavise-lab")
        stage.authority.fail(.revoke, with: .status(503))
        let gone = await stage.run("disconnect", "work", "--json")
        #expect(gone.status == .done)
        #expect(gone.json?["wiped"]?.bool == true && gone.json?["revocation"]?.string == "queued")
        let asked = stage.authority.counters.revocations
        stage.authority.heal()
        time.advance(seconds: 60)
        // Looking sends nothing.
        #expect(await stage.run("connections").status == .done)
        #expect(stage.authority.counters.revocations == asked)
        #expect(await stage.run("fetch", "home", "/api/me").status == .done)
        let tokens = stage.authority.issuedTokens.filter { $0.kind == .refresh }.map(\.value)
        #expect(tokens.count == 2 && tokens.filter(stage.authority.isRevoked).count == 1)
        let text = await stage.run("disconnect", "home")
        #expect(text.output.contains("The server has revoked the tokens."))
    }

    @Test(arguments: ["removed", "connection.json"])
    func `a connection that cannot be read is not wiped by its name, and none is made beside it`(
        _ file: String
    ) async throws {
        let stage = try LabStage(isTrusted: true)
        let words = ["connect", stage.authority.issuer, "--name", "work", "--client-id", "pavise-lab"]
        #expect(await stage.run(words).status == .done)
        let path = try stage.connection + "/" + file
        let connections = try stage.connection
        let observer = FileObserver(failure: { $0.call == .open && $0.path == path ? EMFILE : nil })
        let sent = stage.authority.server.counters.requests
        await FileObserver.$current.withValue(observer) {
            for command in [["disconnect", "work"], ["fetch", "work", "/api/me"], words] {
                let result = await stage.run(command)
                #expect(result.status == .failed && result.messages.contains("Too many open files"), "\(result)")
            }
        }
        #expect(stage.authority.server.counters.requests == sent)
        #expect(try stage.connection == connections)
        let gone = await stage.run("disconnect", "work")
        #expect(gone.status == .done && gone.output.contains("The server has revoked the tokens."), "\(gone)")
    }

    @Test func `a disconnect without a server says that it is tried again`() async throws {
        let stage = try LabStage(isTrusted: true)
        _ = await stage.run("connect", stage.authority.issuer, "--name", "work", "--client-id", "pavise-lab")
        stage.authority.stop()
        let gone = await stage.run("disconnect", "work")
        #expect(gone.status == .done && gone.output.contains("kept, sealed, and tried again"))
    }

    @Test func `an expired token is refreshed on the way`() async throws {
        let stage = try LabStage()
        _ = await stage.connect()
        stage.authority.expireAccessTokens()
        #expect(await stage.run("fetch", "/api/me").status == .done)
        #expect(stage.authority.counters.refreshes == 1)
    }

    @Test func `a refresh is an event of the program's log`() async throws {
        let home = try LockStage()
        let (lock, heard) = (home.lock, HeardEvents())
        lock.tellEvents(to: heard)
        let stage = try LabStage(appLock: lock)
        await home.inHome {
            _ = await stage.connect()
            stage.authority.expireAccessTokens()
            #expect(await stage.run("fetch", "/api/me").status == .done)
        }
        let refreshed = heard.events.filter { $0.name == .sessionRefreshed }
        #expect(refreshed.count == 1)
        #expect(refreshed.first?.facts["server"].map { stage.authority.issuer.hasPrefix($0) } == true)
    }

    @Test func `FD10: what may be an attack has a number, in text, in JSON and in the program's log`() async throws {
        let home = try LockStage()
        let (lock, heard) = (home.lock, HeardEvents())
        let stage = try LabStage(appLock: lock)
        let other = String(repeating: "ab", count: 32)
        let words = ["connect", stage.authority.issuer, "--approve-certificate", other]
        await home.inHome {
            // Nobody listens, nothing is kept: then there is no number either.
            #expect(await stage.run(words + ["--json"]).json?["error"]?["supportID"] == nil)
            lock.tellEvents(to: heard)
            let refused = await stage.run(words + ["--json"])
            let number = refused.json?["error"]?["supportID"]?.string ?? "none"
            #expect(heard.told == [["error": "approved-certificate", "support": number]], "\(refused)")
            stage.authority.fail(.discovery, with: .member("issuer", "\"https://elsewhere.example\""))
            let forged = await stage.connect()
            let second = heard.told.last ?? [:]
            #expect(second["error"] == "forged" && second["support"] != number)
            #expect(forged.messages.contains("For support: \(second["support"] ?? "none")."), "\(forged)")
            // A typing error is nothing to write to anybody about.
            _ = await stage.run("fetch", "nothing", "/api/me")
            #expect(heard.told.count == 2)
        }
    }

    @Test func `a session that the server ended asks for a sign-in, and connecting again gives it`() async throws {
        let stage = try LabStage()
        _ = await stage.connect()
        stage.authority.revokeEverything()
        #expect(await stage.run("fetch", "/api/me").status == .signInNeeded)
        #expect(await stage.connect().status == .done)
        #expect(await stage.run("fetch", "/api/me").status == .done)
    }

    @Test(arguments: [
        (AuthorityFault.page(200), ProgramStatus.failed), (.oversized(bytes: 2 << 20), .failed),
        (.member("issuer", "\"https://elsewhere.example\""), .refused), (.without("token_endpoint"), .failed),
        (.status(500), .failed), (.redirect(302, to: "https://elsewhere.example/"), .refused), (.hangUp, .failed),
    ])
    func `metadata that cannot be believed connects nobody`(_ fault: AuthorityFault, _ status: ProgramStatus)
        async throws
    {
        let stage = try LabStage()
        stage.authority.fail(.discovery, with: fault)
        stage.authority.fail(.metadata, with: fault)
        let result = await stage.connect()
        #expect(result.status == status)
        #expect(!result.messages.isEmpty)
        #expect(await stage.run("connections", "--json").json?["connections"]?.array?.isEmpty == true)
    }

    @Test func `keys that cannot be had just then are no refusal, and connect nobody`() async throws {
        let stage = try LabStage()
        stage.authority.fail(.jwks, with: .status(503))
        let result = await stage.connect()
        #expect(result.status == .failed, "\(result)")
        #expect(await stage.run("connections", "--json").json?["connections"]?.array?.isEmpty == true)
    }

    @Test func `CS3: each server on the way is shown with its certificate, also one that is valid and known`()
        async throws
    {
        var configuration = AuthorityConfiguration()
        configuration.elsewhere = [.token]
        let stage = try LabStage(configuration, isTrusted: true)
        let words = ["connect", stage.authority.issuer, "--client-id", "pavise-lab", "--accept-servers"]
        let first = await stage.run(words + ["--json"])
        let servers = first.json?["servers"]?.array ?? []
        let token = stage.authority.issuer.replacing("127.0.0.1", with: "localhost")
        #expect(servers.map { $0["origin"]?.string } == [stage.authority.issuer, token], "\(first)")
        let purposes = servers.map { $0["purposes"]?.array?.compactMap(\.string) ?? [] }
        #expect(Array(purposes.first?.prefix(2) ?? []) == ["server", "issuer"] && purposes.last == ["token_endpoint"])
        for server in servers {
            #expect(server["certificate"]?["fingerprint"]?.string == stage.identity.fingerprint)
            #expect(server["certificate"]?["issuer"]?.string?.isEmpty == false)
            #expect(server["certificate"]?["notAfter"]?.string?.isEmpty == false)
        }
        // The second time both are known, and are told all the same, each once.
        let again = await stage.run(words)
        #expect(again.status == .done)
        let lines = again.messages.split(separator: "\n").filter { $0.contains(": certificate of ") }
        #expect(lines.count == 2 && lines.allSatisfy { $0.contains(stage.identity.pin) }, "\(again.messages)")
    }

    @Test func `a sign-in that the person declines leaves no connection`() async throws {
        let stage = try LabStage()
        stage.authority.callbackFault = .accessDenied
        let result = await stage.connect()
        #expect(result.status == .failed)
        #expect(result.messages.contains("access_denied"))
        #expect(await stage.run("connections").output.contains("There are no connections."))
    }

    @Test func `a name is not taken over by another server`() async throws {
        let stage = try LabStage()
        _ = await stage.connect()
        let other = try LabStage()
        let result = await stage.run("connect", other.authority.issuer, "--name", "work")
        #expect(result.status == .failed)
        #expect(result.messages.contains("already a connection"))
        #expect(other.authority.server.counters.connections == 0)
    }

    @Test func `plain http is refused by its rule`() async throws {
        let stage = try LabStage()
        let result = await stage.run("connect", "http://127.0.0.1:1/", "--json")
        #expect(result.status == .refused)
        #expect(result.json?["error"]?["rule"]?.string == "ats")
    }
}

private final class HeardEvents: AuditRecorder {
    private let kept = Mutex<[AuditEvent]>([])

    var events: [AuditEvent] { kept.withLock { $0 } }
    /// The facts of errors that were told with a number.
    var told: [[String: String]] { events.filter { $0.name == .errorTold }.map(\.facts) }

    func record(_ event: AuditEvent) { kept.withLock { $0.append(event) } }
}
