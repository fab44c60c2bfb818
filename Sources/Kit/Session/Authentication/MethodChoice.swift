public import PaviseStorage

/// Which method to sign in with.
public enum MethodChoice: Hashable, Sendable {
    /// This one.
    case use(ConnectionDescriptor.Method)
    /// Only a weaker one than the server once offered, or than what it did not answer about: a person decides
    /// (connections C15).
    case ask(ConnectionDescriptor.Method, insteadOf: ConnectionDescriptor.Method)
    /// As ``ask(_:insteadOf:)``, where an administrator lets nobody decide.
    case refuse(ConnectionDescriptor.Method, insteadOf: ConnectionDescriptor.Method)
    /// The server offers none of the allowed methods.
    case none
    /// The server's answers do not say. Try again later.
    case undecided

    /// Decides.
    ///
    /// - Parameters:
    ///   - offers: The allowed methods and what the server says about each.
    ///   - rules: The order.
    ///   - strongest: The strongest method that this server offered before.
    package static func decide(
        _ offers: [(method: any AuthenticationMethod, offer: MethodOffer)], _ rules: MethodRules,
        strongest: ConnectionDescriptor.Method?
    ) -> MethodChoice {
        let ranked = offers.sorted { rules.isBefore($0.method, $1.method) }
        guard let best = ranked.first(where: { $0.offer == .offered })?.method else {
            return ranked.contains { $0.offer == .unknown } ? .undecided : .none
        }
        guard let better = better(than: best, ranked, strongest) else { return .use(best.id) }
        return rules.mayWeaken ? .ask(best.id, insteadOf: better) : .refuse(best.id, insteadOf: better)
    }

    // What the server offered once, or may offer now: somebody in between could keep its answer away. A method that is
    // not in the list any more counts as stronger.
    private static func better(
        than best: any AuthenticationMethod, _ ranked: [(method: any AuthenticationMethod, offer: MethodOffer)],
        _ strongest: ConnectionDescriptor.Method?
    ) -> ConnectionDescriptor.Method? {
        if let strongest, strongest != best.id {
            guard let known = ranked.first(where: { $0.method.id == strongest })?.method else { return strongest }
            if known.strength > best.strength { return strongest }
        }
        return ranked.first { $0.offer == .unknown && $0.method.strength > best.strength }?.method.id
    }
}
