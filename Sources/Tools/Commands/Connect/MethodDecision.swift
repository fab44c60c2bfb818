internal import Pavise
internal import PavisePrimitives

/// Looks at what a server offers before anybody signs in, where the server is its own authority. Whoever names another
/// authority with --issuer has chosen; nothing is ranked then.
struct MethodDecision: Sendable {
    let plan: ConnectPlan
    private var origin: Origin { plan.url.origin }

    /// Stops what is not allowed, and what is weaker than what the server offered before unless a person wants it.
    ///
    /// A server that offers no token at all, or does not answer, is not judged here: reading its metadata says exactly what is
    /// wrong, and a password is never sent because of an answer.
    ///
    /// - Parameter client: Judges the server's certificate, which was found good or approved before.
    func check(through client: any HTTPClient) async throws {
        let choice = try await plan.environment.connections.chooseMethod(
            at: origin, scopes: plan.scopes, client: client)
        switch choice {
        case .use(.basic):
            throw CommandFailure(
                .failed,
                "\(origin) asks for a user name and a password, and offers nothing better. “--basic USER” sends them. "
                    + "Nothing was sent.")
        case .use: return
        case .ask(let method, let better) where method != .basic:
            try WeakerMethod(plan: plan, words: words(method, better)).accept("Type yes to sign in all the same: ")
        case .refuse(let method, let better) where method != .basic:
            throw WeakerMethod(plan: plan, words: words(method, better)).managed
        case .ask, .refuse, .none, .undecided: try checkManaged()
        }
    }

    private func checkManaged() throws {
        guard plan.method == .openIDConnect else { return }
        let words =
            plan.scopes.contains("openid")
            ? "\(origin) does not offer it, or does not answer" : "it needs the scope openid"
        throw CommandFailure(
            .refused, "The administrator allows “oidc” alone: \(words). Nothing was sent.", rule: "managed-method")
    }

    private func words(_ method: ConnectionDescriptor.Method, _ better: ConnectionDescriptor.Method) -> String {
        "\(origin) lets people sign in with “\(method)” now. “\(better)”, which it offered before or does not answer about, "
            + "is stronger: it also says who signed in."
    }
}
