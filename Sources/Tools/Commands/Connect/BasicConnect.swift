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
        let (connection, beginning) = try await plan.makeConnection(issuer: nil)
        do {
            try await connection.signIn(user: user, password: password, tryingAt: plan.url)
        } catch {
            await plan.takeBack(beginning)
            throw failure(error, isNew: beginning != nil)
        }
        do { try plan.complete(connection, beginning) } catch {
            await plan.takeBack(beginning)
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

    // What happened to what was stored before, and what to do.
    private func failure(_ problem: BasicAccess.Problem, isNew: Bool) -> any Error {
        let kept = isNew ? "Nothing was stored." : "Nothing was stored; “\(plan.name)” keeps the password that it had."
        switch problem {
        case .refused:
            return CommandFailure(.signInNeeded, "The server refuses this user name and password. \(kept)")
        case .notTried(let status):
            return CommandFailure(
                .failed, "The server did not say whether the password is right (status \(status)). \(kept) Try again.")
        case .otherUser:
            return CommandFailure(
                .refused,
                "“\(plan.name)” is another user's. \(kept) Choose another name with --name, or disconnect it first.",
                rule: "other-user")
        case .transport(let failure): return failure
        default: return problem
        }
    }
}
