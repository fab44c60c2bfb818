package import PavisePrimitives
package import PaviseTransport

/// Everything a command reaches outside itself. A test gives its own; nothing is global.
package struct Environment: Sendable {
    package let console: Console
    package let person: any Person
    package let home: PaviseHome
    package let time: TimeSource
    package let keychain: any Keychain
    /// Makes a client that judges servers by a policy.
    package let makeTransport: @Sendable (TrustPolicy) throws(TransportFailure) -> any ServerTransport

    package init(
        console: Console, person: any Person, home: PaviseHome, time: TimeSource, keychain: any Keychain,
        makeTransport: @escaping @Sendable (TrustPolicy) throws(TransportFailure) -> any ServerTransport
    ) {
        self.console = console
        self.person = person
        self.home = home
        self.time = time
        self.keychain = keychain
        self.makeTransport = makeTransport
    }

    /// The process's own streams, home, clock and keychain.
    static var process: Environment {
        Environment(
            console: Console(
                output: StandardStream(.output), messages: StandardStream(.error),
                allowsColour: PaviseHome.variable("NO_COLOR") == nil && PaviseHome.variable("TERM") != "dumb"),
            person: TerminalPerson(), home: .current, time: .system, keychain: SystemKeychain(),
            makeTransport: { policy throws(TransportFailure) in try CurlTransport(policy: policy) })
    }
}
