internal import PaviseValidation

/// What an administrator demands of an app lock. It can make the product's settings stricter, never weaker (app-lock
/// AL26).
public struct AppLockTightening: Hashable, Sendable {
    /// The fewest digits of a PIN.
    public var digits: Int?
    /// Whether it has to be a passphrase.
    public var requiresPassphrase = false
    /// The fewest characters of a passphrase.
    public var characters: Int?
    /// See ``AppLockPolicy/idle``.
    public var idle: Duration?
    /// See ``AppLockPolicy/grace``.
    public var grace: Duration?
    /// See ``AppLockPolicy/activeTime``.
    public var activeTime: Duration?
    /// See ``AppLockPolicy/freeAttempts``.
    public var freeAttempts: Int?
    /// See ``AppLockPolicy/attempts``.
    public var attempts: Int?
    /// Delays that are at least as long, one by one.
    public var delays: [Duration]?
    /// Whether the final action is ``AppLockPolicy/FinalAction/wipe``, whatever the product chose.
    public var wipes = false
    /// Whether biometrics are forbidden.
    public var forbidsBiometrics = false

    /// Asks for nothing.
    public init() {}
}

extension AppLockPolicy {
    /// The same figures, made stricter where `rules` ask for it. What is out of the figure's range counts as its
    /// strictest value that is within.
    public func tightened(by rules: AppLockTightening) -> AppLockPolicy {
        AppLockPolicy(
            checkedPIN: pin.atLeast(rules.digits ?? 0), passphrase: passphrase.atLeast(rules.characters ?? 0),
            codes: rules.requiresPassphrase ? [.passphrase] : codes,
            idle: shorter(idle, rules.idle, least: .seconds(60)),
            grace: shorter(grace, rules.grace, least: .zero),
            activeTime: shorter(activeTime, rules.activeTime, least: .seconds(900)),
            freeAttempts: min(freeAttempts, max(0, rules.freeAttempts ?? freeAttempts)),
            attempts: min(attempts, max(3, rules.attempts ?? attempts)), delays: longer(delays, rules.delays ?? []),
            finalAction: rules.wipes ? .wipe : finalAction,
            allowsBiometrics: allowsBiometrics && !rules.forbidsBiometrics)
    }

    private func shorter(_ own: Duration, _ asked: Duration?, least: Duration) -> Duration {
        min(own, max(least, asked ?? own))
    }

    // Where one list is longer, the other one's last delay counts; and no delay is shorter than the one before.
    private func longer(_ own: [Duration], _ asked: [Duration]) -> [Duration] {
        guard let last = own.last, let lastAsked = asked.last else { return own }
        var longest = Duration.zero
        return (0..<max(own.count, asked.count)).map { index in
            let mine = index < own.count ? own[index] : last
            let theirs = min(.seconds(86_400), index < asked.count ? asked[index] : lastAsked)
            longest = max(longest, mine, theirs)
            return longest
        }
    }
}

extension PINRule {
    /// The same rule with at least this many digits.
    func atLeast(_ digits: Int) -> PINRule {
        let least = min(max(length.lowerBound, digits), Self.possible.upperBound)
        return PINRule(length: least...max(least, length.upperBound)) ?? self
    }
}

extension PassphraseRule {
    /// The same rule with at least this many characters.
    func atLeast(_ characters: Int) -> PassphraseRule {
        let least = min(max(least, characters), Self.possible.upperBound)
        return PassphraseRule(least: least, words: words) ?? self
    }
}
