package import Pavise
package import PaviseAppLock
package import PaviseDevice
internal import PaviseLog
package import PaviseManaged
package import PavisePrimitives
package import PaviseSession
package import PaviseTransport
internal import SecurityFramework

/// Everything a command reaches outside itself. A test gives its own; nothing is global.
package struct Environment: Sendable {
    package let console: Console
    package let person: any Person
    package let home: PaviseHome
    package let time: TimeSource
    package let keychain: any Keychain
    /// Asks for the device's passcode.
    package let asker: any PasscodeAsker
    /// What the device takes from its surroundings.
    package let device: DeviceEnvironment
    /// Finds the TPM that speaks for this machine.
    package let findTPM: @Sendable () throws(TPMFailure) -> TPMAddress.Search
    /// Opens the sign-in page.
    package let browser: any Browser
    /// The program's own lock; a test without one is never locked.
    package let appLock: AppLock?
    /// Makes the vault of a connection.
    package let makeVault: Connections.MakeVault
    /// Makes a client that judges servers by a policy.
    package let makeTransport: @Sendable (TrustPolicy) throws(TransportFailure) -> HTTPClient
    /// Asks which networks this machine is attached to.
    package let links: @Sendable () -> LocalLinks
    /// Where an administrator's rules lie.
    package let managed: ManagedFile
    /// From here on ``stop`` hears who wants the program to stop, and that does not end it by itself.
    package let listen: @Sendable () throws(SystemFailure) -> Void
    /// Waits until somebody wants the program to stop.
    package let stop: @Sendable () async throws(SystemFailure) -> Void
    /// Whether somebody has wanted so since ``listen``, for work that waits for nothing.
    package let isStopped: @Sendable () -> Bool
    /// Waits. Throws when the task is cancelled.
    package let sleep: @Sendable (Duration) async throws -> Void

    /// The variables that name authorities in the place of the machine's.
    package let authorities: [String]

    package init(
        console: Console, person: any Person, home: PaviseHome, time: TimeSource, keychain: any Keychain,
        browser: any Browser, asker: (any PasscodeAsker)? = nil,
        device: DeviceEnvironment = DeviceEnvironment(), makeVault: @escaping Connections.MakeVault,
        makeTransport: @escaping @Sendable (TrustPolicy) throws(TransportFailure) -> HTTPClient,
        links: @escaping @Sendable () -> LocalLinks = { .current }, managed: ManagedFile = .none,
        stop: (@Sendable () async throws(SystemFailure) -> Void)? = nil,
        isStopped: @escaping @Sendable () -> Bool = { StopSignal.hasCome },
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        appLock: AppLock? = nil, authorities: [String] = TrustAnchors.variables,
        findTPM: @escaping @Sendable () throws(TPMFailure) -> TPMAddress.Search = { () throws(TPMFailure) in
            try TPMAddress.find()
        }
    ) {
        self.findTPM = findTPM
        self.console = console
        self.person = person
        self.home = home
        self.time = time
        self.keychain = keychain
        self.browser = browser
        self.asker = asker ?? SystemAsker(atTerminal: ScreenAsker())
        self.device = device
        self.makeVault = makeVault
        self.makeTransport = makeTransport
        self.links = links
        self.managed = managed
        self.isStopped = isStopped
        if let stop {
            // Who is stopped in another way has no signals to hear.
            listen = { () throws(SystemFailure) in }
            self.stop = stop
        } else {
            listen = { () throws(SystemFailure) in try StopSignal.listen() }
            self.stop = { () throws(SystemFailure) in try await StopSignal.wait() }
        }
        self.sleep = sleep
        self.appLock = appLock
        self.authorities = authorities
    }

    /// All connections of the home.
    package var connections: Connections {
        var surroundings = SessionEnvironment(time: time, sleep: sleep)
        surroundings.attester = attester
        surroundings.heard = { [appLock] state, before, server in
            // A session that had ended before this program looked was told about then.
            guard before == .refreshing, let event = AuditEvent(state, after: before, at: server) else { return }
            if event.name == .sessionEnded { appLock?.trail?.record(event) } else { appLock?.tell(event) }
        }
        return Connections(
            home: home, environment: surroundings, managed: managed,
            // Whoever runs the program names the password's server herself, with --basic.
            methods: .standard.withPasswords(at: .named), lock: appLock,
            makeClient: { [makeTransport] policy throws(TransportFailure) in try makeTransport(policy) },
            makeVault: makeVault, notice: { [console] in console.tell($0.line) })
    }

    /// Says which keys of the administrator's file have no effect, and whose authorities count. A file that cannot be
    /// used is an error.
    package func checkManagement() throws(ManagedFile.Failure) {
        let found = try managed.read()
        for key in found?.unknownKeys ?? [] {
            console.tell(.line("Note: in the managed configuration: \(Printable.text(key.description))"))
        }
        if let note = authoritiesNote(found?.trust) { console.tell(.line("Note: \(note)")) }
    }

    /// What is to be said when the environment names authorities; `nil` when it does not.
    func authoritiesNote(_ trust: ManagedTrust?) -> String? {
        guard !authorities.isEmpty else { return nil }
        let names = authorities.joined(separator: " and ")
        guard trust?.takesNamedAuthorities == false else {
            return "the authorities of \(names) are used in the place of the machine's."
        }
        let verb = authorities.count == 1 ? "has" : "have"
        return "\(names) \(verb) no effect: the administrator wants the machine's authorities alone."
    }

    /// The machine's authorities, or those that the environment names, as the administrator's file has it; told when
    /// they are others.
    func systemAnchors() throws(ManagedFile.Failure) -> @Sendable () -> TrustAnchors {
        let trust = try managed.read()?.trust
        if let note = authoritiesNote(trust) { console.tell(.line("Note: \(note)")) }
        let takesNamed = trust?.takesNamedAuthorities ?? true
        return { takesNamed ? TrustAnchors.system : TrustAnchors.machine }
    }

    /// The process's own streams, home, clock and keychain.
    package static var process: Environment {
        let lock = AppLock.program()
        return Environment(
            console: Console(
                output: StandardStream(.output), messages: StandardStream(.error),
                allowsColour: PaviseHome.variable("NO_COLOR") == nil && PaviseHome.variable("TERM") != "dumb",
                language: .current),
            person: TerminalPerson(), home: .current, time: .system, keychain: SystemKeychain(),
            browser: SystemBrowser(), makeVault: { lock.guarding($0) },
            makeTransport: { policy throws(TransportFailure) in
                try HTTPClient(policy: policy, options: ClientOptions(proxies: .ofProgram))
            }, managed: .current, appLock: lock)
    }
}
