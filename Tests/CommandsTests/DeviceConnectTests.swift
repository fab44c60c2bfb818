import PaviseCommands
import PaviseLab
import PavisePrimitives
import TestSupport
import Testing

/// `pavise connect --device` (RFC 8628): a code that is typed on another device.
@Suite struct DeviceConnectTests {
    /// A stage whose authority wants two seconds between questions, and a person who answers from the pause `number`
    /// on.
    private func stage(
        user: String? = "alice", at number: Int = 1, _ change: (inout AuthorityConfiguration) -> Void = { _ in }
    ) throws -> LabStage {
        var configuration = AuthorityConfiguration()
        configuration.deviceInterval = 2
        change(&configuration)
        // The pauses pass for the authority too: it tells who asks too early.
        let clock = ManualTime(wallSeconds: TimeSource.system.wallSeconds)
        let stage = try LabStage(configuration, time: clock.source, clock: clock.source)
        stage.waiting.skip([2, 7, 12], on: clock) { [authority = stage.authority] pause in
            guard pause >= number, let code = authority.deviceCodes.first else { return }
            try authority.approveDevice(code, as: user)
        }
        return stage
    }

    private func isEmpty(_ stage: LabStage) async -> Bool {
        await stage.run("connections", "--json").json?["connections"]?.array?.isEmpty == true
    }

    @Test func `the address and the code are shown, and a person who types it signs in`() async throws {
        let stage = try stage(at: 3)
        let result = await stage.connect("--device")
        #expect(result.status == .done, "\(result.messages)")
        let page = stage.authority.address(.verify)
        #expect(result.messages.contains("Address:         \(page)\n"))
        #expect(result.messages.contains("Both in one:     \(page)?user_code="))
        #expect(result.messages.contains("To sign in to \(stage.authority.issuer),"))
        #expect(result.output.contains("Signed in as:    alice"))
        #expect(stage.waiting.pauses == [.seconds(2), .seconds(2), .seconds(2)])
        #expect(await stage.run("fetch", "work", "/api/me").status == .done)
        #expect(await stage.run("disconnect", "work").status == .done)
    }

    @Test func `a program gets the code on the first line, and the result behind it`() async throws {
        let stage = try stage()
        let result = await stage.connect("--device", "--json")
        #expect(result.status == .done && result.messages.isEmpty)
        let lines = result.output.split(separator: "\n", maxSplits: 1)
        let first = try JSONValue.parse(Array(try #require(lines.first).utf8))
        #expect(first["verification"]?["address"]?.string == stage.authority.address(.verify))
        #expect(first["verification"]?["code"]?.string?.count == 8)
        #expect(first["verification"]?["completeAddress"]?.string != nil)
        #expect(first["verification"]?["seconds"]?.integer == 60)
        let rest = try JSONValue.parse(Array(try #require(lines.last).utf8))
        #expect(rest["subject"]?.string == "alice")
    }

    @Test func `a server that asks for patience gets it`() async throws {
        let stage = try stage(at: 3)
        stage.authority.fail(.token, with: .error(400, "slow_down"), times: 2)
        #expect(await stage.connect("--device").status == .done)
        #expect(stage.waiting.pauses == [.seconds(2), .seconds(7), .seconds(12)])
    }

    @Test(arguments: [
        (nil, "access_denied"), (AuthorityFault.error(400, "expired_token"), "Nobody signed in in time"),
        (.error(400, "invalid_grant"), "invalid_grant"),
    ])
    func `a refusal or a code that is too old leaves no connection`(_ fault: AuthorityFault?, _ words: String)
        async throws
    {
        let stage = try stage(user: nil)
        if let fault { stage.authority.fail(.token, with: fault) }
        let result = await stage.connect("--device")
        #expect(result.status == .failed)
        #expect(result.messages.contains(words), "\(result.messages)")
        #expect(await isEmpty(stage))
    }

    @Test func `an authority that does not offer it is told from one that refuses, and nothing is kept`() async throws {
        let stage = try stage { $0.offersDevices = false }
        let result = await stage.connect("--device")
        #expect(result.status == .failed)
        #expect(result.messages.contains("no sign-in by a code on another device (RFC 8628)"))
        #expect(await isEmpty(stage))
        #expect(stage.authority.counters.tokenRequests == 0)
    }

    @Test func `stopping leaves nothing behind, and no token`() async throws {
        let stage = try stage(at: .max)
        stage.waiting.stop(atPause: 2)
        let result = await stage.connect("--device")
        #expect(result.status == .failed)
        #expect(result.messages.contains("Stopped before the end. Nobody was signed in."))
        #expect(await isEmpty(stage))
        #expect(stage.authority.issuedTokens.allSatisfy { $0.kind == .code })
    }

    @Test func `stopping a second sign-in leaves the session that was there`() async throws {
        let stage = try stage(at: .max)
        #expect(await stage.connect().status == .done)
        stage.waiting.stop(atPause: 1)
        #expect(await stage.connect("--device").status == .failed)
        #expect(await stage.run("fetch", "work", "/api/me").status == .done)
    }

    @Test func `a sign-in with the browser that is stopped leaves nothing either`() async throws {
        let stage = try stage()
        stage.authority.callbackFault = .wrongState
        stage.waiting.stop(atPause: 0)
        let result = await stage.connect()
        #expect(result.status == .failed && result.messages.contains("Stopped before the end."), "\(result.messages)")
        #expect(await isEmpty(stage))
    }

    @Test func `an administrator's list of methods holds for it, before anything is sent`() async throws {
        let stage = try stage()
        try stage.manage(#"{ "authentication": { "allowed": ["basic"] } }"#)
        let result = await stage.connect("--device")
        #expect(result.status == .refused && result.messages.contains("managed-method"))
        #expect(stage.authority.server.counters.requests == 0)
    }

    @Test(arguments: [["--basic", "alice"], ["--no-browser"], ["--port", "4711"]])
    func `options that mean another way to sign in contradict it`(_ options: [String]) async throws {
        let stage = try stage()
        let result = await stage.run(["connect", stage.authority.issuer, "--device"] + options)
        #expect(result.status == .usage)
        #expect(result.messages.contains("Choose one of --device and \(options[0])."))
        #expect(stage.authority.server.counters.connections == 0)
    }

    @Test func `a terminal shows the time that is left, and the line is taken away`() async throws {
        let stage = try stage()
        let silent = await stage.connect("--device")
        #expect(!silent.messages.contains("\r"))
        stage.waiting.sitDown()
        let result = await stage.connect("--device")
        #expect(result.status == .done && result.messages.hasSuffix(" \r"), "\(result.messages)")
    }
}

/// The same as a person has it: the program as a process, stopped by a signal.
@Suite(.enabled(if: PaviseProcess.program != nil, "the program is not beside the tests"))
struct DeviceConnectProcessTests {
    let pavise: PaviseProcess
    let authority: LabAuthority
    let identity: ServerIdentity

    init() throws {
        pavise = try PaviseProcess()
        identity = try CertificateAuthority().issue()
        var configuration = AuthorityConfiguration()
        configuration.deviceInterval = 1
        configuration.clientID = "pavise"
        authority = try LabAuthority.start(identity, configuration: configuration)
    }

    private func start() throws -> (PaviseProcess.Running, code: String) {
        let running = try pavise.start([
            "connect", authority.issuer, "--name", "work", "--device", "--approve-certificate", identity.pin, "--json",
        ])
        let line = try JSONValue.parse(Array(try running.line().utf8))
        return (running, try #require(line["verification"]?["code"]?.string))
    }

    @Test func `connect with a code, fetch, disconnect`() throws {
        defer { authority.stop() }
        let (running, code) = try start()
        try authority.approveDevice(code)
        let result = try running.end()
        #expect(result.status == 0, "\(result.messages)")
        #expect(try JSONValue.parse(Array(result.output.utf8))["subject"]?.string == "alice")
        #expect(try pavise.run("fetch", "work", "/api/me").status == 0)
        #expect(try pavise.run("disconnect", "work").status == 0)
    }

    @Test func `the interrupt of a person ends it, with nothing left`() throws {
        defer { authority.stop() }
        let (running, _) = try start()
        running.interrupt()
        let result = try running.end()
        #expect(result.status == 1, "\(result.messages)")
        #expect(result.output.contains("Stopped before the end."))
        let list = try JSONValue.parse(Array(try pavise.run("connections", "--json").output.utf8))
        #expect(list["connections"]?.array?.isEmpty == true)
        #expect(authority.issuedTokens.allSatisfy { $0.kind == .code })
    }
}
