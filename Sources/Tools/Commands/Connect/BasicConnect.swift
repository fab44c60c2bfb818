internal import Pavise
internal import PaviseArguments
internal import PavisePrimitives

/// Connects with a user name and password, after the server was judged and the password tried.
struct BasicConnect: Sendable {
    let plan: ConnectPlan
    let user: String

    func run() async throws {
        try checkStronger()
        try await plan.judge.judge(plan.url.origin)
        let password = try password()
        let (connection, isNew) = try await plan.makeConnection(issuer: nil)
        do {
            try connection.signIn(user: user, password: password)
            try await check(connection)
        } catch {
            if isNew { _ = try? await plan.environment.connections.remove(plan.name) }
            throw error
        }
        try plan.environment.show(ConnectedReport.make(connection, subject: user, warnings: []), for: plan.invocation)
    }

    // A server that offered something better once should not get a password without a person's word (connections C15).
    private func checkStronger() throws {
        let better = try plan.environment.connections.stronger(than: .basic, at: plan.url.origin)
        guard let better else { return }
        try WeakerMethod(
            plan: plan, words: "\(plan.url.origin) offered a sign-in without a password before (\(better))."
        )
        .accept("Type yes to send it a password all the same: ")
    }

    private func password() throws -> SecretBytes {
        guard let password = try plan.environment.person.secret("Password of \(Printable.text(user)): ") else {
            throw CommandFailure(
                .usage, "No password was given. Type it at the terminal, or pipe it to standard input.")
        }
        return password
    }

    // A wrong password should be known now and not at the first fetch.
    private func check(_ connection: Connection) async throws {
        let answer = try await connection.send(HTTPRequest("GET", plan.url))
        guard answer.status != 401 else {
            throw CommandFailure(.signInNeeded, "The server refuses this user name and password. Nothing was stored.")
        }
    }
}
