import PaviseLab
import PavisePrimitives
import TestSupport
import Testing

/// The lock as a person uses it: a process for each command, a server with TLS, and the kernel's keyring in between.
@Suite(.enabled(if: PaviseProcess.program != nil, "the program is not beside the tests"))
struct LockProcessTests {
    let pavise: PaviseProcess
    let authority: LabAuthority
    let identity: ServerIdentity

    init() throws {
        pavise = try PaviseProcess()
        identity = try CertificateAuthority().issue()
        authority = try LabAuthority.start(identity, configuration: AuthorityConfiguration())
    }

    private func connect() throws -> PaviseProcess.Result {
        try pavise.run(
            "connect", "\(authority.issuer)/basic/files", "--name", "work", "--basic", "alice", "--approve-certificate",
            identity.pin, input: "wonderland\n")
    }

    private func reached() throws -> Bool { try pavise.run("fetch", "/basic/files").status == 0 }

    @Test(.long) func `connect, fetch, lock, a wrong PIN, unlock, disconnect`() throws {
        defer { authority.stop() }
        #expect(try connect().status == 0)
        #expect(try reached())
        try pavise.asks("830597")
        #expect(try pavise.run("lock", "set").status == 0)
        #expect(try pavise.run("lock", "now").status == 0)
        let closed = try pavise.run("fetch", "/basic/files")
        #expect(closed.status == 5)
        #expect(closed.messages.contains("“pavise lock unlock” asks for the PIN. Nothing was sent."))
        let wrong = try pavise.run("lock", "unlock", "--pin-stdin", input: "940276\n")
        #expect(wrong.status == 5)
        #expect(wrong.messages == "The PIN is wrong.\n")
        #expect(try pavise.run("fetch", "/basic/files").status == 5)
        let unlocked = try pavise.run("lock", "unlock", "--json")
        #expect(unlocked.status == 0)
        let answer = try JSONValue.parse(Array(unlocked.output.utf8))
        #expect(answer["wrongBefore"]?.integer == 1)
        // Without a keyring of the kernel, an unlock ends with its command.
        let isShared = answer["shared"]?.bool == true
        #expect(try reached() == isShared)
        #expect(try pavise.run("lock", "remove", "--pin-stdin", input: "830597\n").status == 0)
        #expect(try reached())
        #expect(try pavise.run("disconnect", "work").status == 0)
    }

    @Test(.long) func `an order on standard input locks, wipes, and is taken once`() throws {
        defer { authority.stop() }
        let signer = try OrderSigner()
        try pavise.manage(signer.rules)
        #expect(try connect().status == 0)
        #expect(try pavise.run("lock", "set", "--pin-stdin", input: "830597\n").status == 0)
        let orders = try JSONValue.parse(Array(try pavise.run("lock", "orders", "--json").output.utf8))
        let installation = try #require(orders["installation"]?.string)
        func order(_ action: String) throws -> String {
            try signer.order(action, called: action, for: installation, at: TimeSource.system.wallSeconds)
        }
        #expect(try pavise.run("lock", "obey", "-", input: order("lock") + "\n").status == 0)
        #expect(try pavise.run("fetch", "/basic/files").status == 5)
        let wipe = try order("wipe")
        let wiped = try pavise.run("lock", "obey", "-", "--json", input: wipe)
        #expect(wiped.status == 0)
        #expect(try JSONValue.parse(Array(wiped.output.utf8))["result"]?.string == "done")
        #expect(try pavise.run("fetch", "/basic/files").status == 4)
        #expect(try pavise.run("lock", "obey", "-", input: wipe).status == 3)
        #expect(try pavise.run("lock", "obey", "-", input: "").status == 3)
    }

    @Test(.long) func `where nobody can be asked, a new PIN is a matter of usage and the old one is a lock`() throws {
        let pavise = try PaviseProcess(asksWithProgram: false)
        let set = try pavise.run("lock", "set")
        #expect(set.status == 2 && set.messages.contains("--pin-stdin or PAVISE_ASKPASS"), "\(set.messages)")
        #expect(try pavise.run("lock", "set", "--pin-stdin", input: "830597\n").status == 0)
        #expect(try pavise.run("lock", "now").status == 0)
        let unlock = try pavise.run("lock", "unlock")
        #expect(unlock.status == 5 && unlock.messages.contains("--pin-stdin or PAVISE_ASKPASS"), "\(unlock.messages)")
    }

    @Test func `a PIN is no argument, and one that is refused sets nothing`() throws {
        defer { authority.stop() }
        #expect(try pavise.run("lock", "set", "830597").status == 2)
        #expect(try pavise.run("lock", "set", "--pin-stdin", input: "123456\n").status == 2)
        #expect(try pavise.run("lock", "set", "--pin-stdin").status == 2)
        let status = try JSONValue.parse(Array(try pavise.run("lock", "status", "--json").output.utf8))
        #expect(status["state"]?.string == "unset")
    }
}
