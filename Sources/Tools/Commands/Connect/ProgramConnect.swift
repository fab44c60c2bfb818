internal import Pavise
internal import PaviseArguments
internal import PavisePrimitives
internal import PaviseSession
internal import PaviseStorage
internal import PaviseTransport

/// What `pavise connect` asks a person, and says. The order and the decisions are the Kit's (`Connector`).
struct ProgramConnect: Sendable {
    private let connector: Connector
    private let name: String
    private let user: String?
    private let environment: Environment
    private let invocation: Invocation
    private let board: DeviceBoard
    private let transcript = ConnectTranscript()

    init(_ invocation: Invocation, url: WebURL, in environment: Environment) throws {
        guard let name = invocation[ConnectOptions.name] ?? ConnectOptions.usualName(of: url.origin) else {
            throw UsageError(.rule("The host cannot name the connection. Write --name NAME."), path: invocation.path)
        }
        self.name = name
        self.environment = environment
        self.invocation = invocation
        user = invocation[ConnectOptions.basic]
        board = DeviceBoard(environment: environment, origin: url.origin, asJSON: invocation[Shared.json])
        let way = user.map { Connector.Way.password(user: $0) }
        let tokens = Connector.Way.tokens(clientID: invocation[ConnectOptions.client] ?? "pavise")
        connector = try Connector(
            url, as: name, way ?? tokens, in: environment.connections,
            options: Self.options(invocation, environment, board))
    }

    func run() async throws {
        do {
            let found = try await connector.run(asking: self)
            try environment.show(
                ConnectedReport.make(
                    found.connection, subject: found.subject, warnings: found.warnings, hops: transcript.hops),
                for: invocation)
        } catch let failed as RolledBack {
            tellLeftovers(of: failed)
            throw described(failed.reason)
        } catch {
            throw described(error)
        }
    }

    private func described(_ error: any Error) -> any Error {
        if let problem = error as? BasicAccess.Problem { failure(problem) } else { error }
    }

    private func tellLeftovers(of failed: RolledBack) {
        guard let leftover = failed.leftovers.first else { return }
        environment.console.tell(
            .failure(
                "“\(name)” was made for this sign-in and could not be removed: "
                    + CommandFailure(describing: leftover).message
                    + " The next “connect” or “disconnect” removes it."))
    }

    private static func options(
        _ invocation: Invocation, _ environment: Environment, _ board: DeviceBoard
    ) -> SignInOptions {
        var options = SignInOptions()
        options.issuer = invocation[ConnectOptions.issuer]
        let scopes = invocation[ConnectOptions.scope]
        if !scopes.isEmpty { options.scopes = scopes }
        options.redirectPort = invocation[ConnectOptions.port] ?? 0
        options.browser = browser(invocation, environment)
        options.binding = invocation[ConnectOptions.binding] ?? .automatic
        options.tls = invocation[ConnectOptions.tls]
        options.identity = invocation[ConnectOptions.identity]
        options.registersClient = invocation[ConnectOptions.register]
        if invocation[ConnectOptions.device] { options.showCode = { board.show($0) } }
        return options
    }

    // Without a browser, or when none opens, the person gets the address.
    private static func browser(_ invocation: Invocation, _ environment: Environment) -> any Browser {
        let console = environment.console
        let opens = !invocation[ConnectOptions.withoutBrowser]
        return AddressReader { [system = environment.browser] url in
            if opens, await (try? system.open(url)) != nil {
                console.tell(.line("Your browser opens. Sign in there; this program waits for it."))
                return
            }
            console.tell(.line("Open this address in a browser on this machine to sign in:"))
            console.tell(.line("\(url)"))
        }
    }

    // What happened to what was stored before, and what to do.
    private func failure(_ problem: BasicAccess.Problem) -> any Error {
        let kept =
            connector.existing == nil
            ? "Nothing was stored." : "Nothing was stored; “\(name)” keeps the password that it had."
        switch problem {
        case .refused:
            return CommandFailure(.signInNeeded, "The server refuses this user name and password. \(kept)")
        case .notTried(let status):
            return CommandFailure(
                .failed, "The server did not say whether the password is right (status \(status)). \(kept) Try again.")
        case .otherUser:
            return CommandFailure(
                .refused,
                "“\(name)” is another user's. \(kept) Choose another name with --name, or disconnect it first.",
                rule: "other-user")
        case .transport(let failure): return failure
        default: return problem
        }
    }
}

extension ProgramConnect: ConnectPrompts {
    func judge(_ origin: Origin, for purposes: [String]) async throws {
        let judge = ServerJudge(
            environment: environment, keeper: connector.keeper, fingerprint: invocation[ConnectOptions.approval],
            isSilent: invocation[Shared.json], tellsKnown: !transcript.contains(origin))
        transcript.note(origin, purposes, try await judge.judge(origin), isTrusted: true)
    }

    func accept(_ weaker: WeakerSignIn) async throws {
        guard !invocation[ConnectOptions.weaker] else { return }
        let words = CommandFailure.words(weaker)
        let question =
            weaker.method == .basic
            ? "Type yes to send it a password all the same: " : "Type yes to sign in all the same: "
        guard !invocation[Shared.json], try environment.person.answer(to: "\(words) \(question)") == "yes" else {
            throw ConnectRefusal.weakerMethod(weaker, isManaged: false)
        }
    }

    func accept(_ servers: [NamedServer]) async throws {
        guard !invocation[ConnectOptions.strangers] else { return }
        guard !invocation[Shared.json] else { throw ConnectRefusal.strangers(servers) }
        for server in servers { environment.console.tell(.fact(server.fact)) }
        let question = "The authority sends the sign-in to these servers too. Type yes if you know them: "
        guard try environment.person.answer(to: question) == "yes" else { throw ConnectRefusal.strangers(servers) }
    }

    func password() async throws -> SharedSecretBytes {
        guard let password = try environment.person.secret("Password of \(Printable.text(user ?? "")): ") else {
            throw CommandFailure(
                .usage, "No password was given. Type it at the terminal, or pipe it to standard input.")
        }
        return SharedSecretBytes(password)
    }

    func clientSecret() async throws -> SharedSecretBytes? {
        try invocation[ConnectOptions.clientSecret] ? environment.clientSecret() : nil
    }

    func signingIn(
        _ body: @escaping @Sendable () async throws -> SignIn.Success
    ) async throws -> SignIn.Success {
        defer { board.end() }
        return try await environment.untilStopped { try await body() }
    }
}
