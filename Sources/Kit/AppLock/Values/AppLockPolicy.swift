internal import PavisePrimitives
public import PaviseValidation

/// The settings of an app lock. A product chooses them; an administrator can only make them stricter.
///
/// ```swift
/// let policy = try AppLockPolicy(pin: .standard, idle: .seconds(300), attempts: 5)
/// ```
public struct AppLockPolicy: Hashable, Sendable {
    /// What is taken as a PIN.
    public let pin: PINRule
    /// What is taken as a passphrase.
    public let passphrase: PassphraseRule
    /// What may be chosen: a PIN, a passphrase, or either.
    public let codes: Set<LockCode>
    /// Without use for so long, it locks: in the foreground and in the background alike. 1 minute to 24 hours.
    public let idle: Duration
    /// How long the app may be in the background without being locked on its return. 0 to 5 minutes.
    public let grace: Duration
    /// After so long a use, the PIN is asked for again. 15 minutes to 24 hours.
    public let activeTime: Duration
    /// How many wrong PINs in a row are followed by no delay. 0 to 3.
    public let freeAttempts: Int
    /// Wrong PINs in a row after which the final action is due. 3 to 10.
    public let attempts: Int
    /// The delays after the wrong PINs beyond the free ones; the last one counts for all later ones. Each is not
    /// shorter than the one before, and at most a day.
    public let delays: [Duration]
    /// What happens at the last wrong PIN.
    public let finalAction: FinalAction
    /// Whether biometrics may unlock, where there are some.
    public let allowsBiometrics: Bool

    /// What happens at the last wrong PIN.
    public enum FinalAction: String, Hashable, Sendable, CaseIterable {
        /// The session ends, and local data stays sealed until somebody has signed in again: for data that is nowhere
        /// else (AL27).
        case endSession
        /// The lock's key is destroyed, the tokens with it: local data cannot be read any more.
        case wipe
    }

    /// Why figures cannot be used.
    public struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
        /// The figure's name.
        public let figure: String
        /// What it may be.
        public let allowed: String

        /// One sentence that says what to write.
        public var description: String { "The app lock's “\(figure)” has to be \(allowed)." }
    }

    /// The figures of a product that chose nothing: PIN of 4 to 6 digits or a passphrase of at least 8 characters, idle
    /// 4 hours, no grace, 12 hours of use, ten tries.
    public static let standard = AppLockPolicy(
        checkedPIN: .standard, passphrase: .standard, codes: Set(LockCode.allCases), idle: .seconds(4 * 3600),
        grace: .zero, activeTime: .seconds(12 * 3600), freeAttempts: 3,
        attempts: 10, delays: [30, 60, 300, 900, 3600, 4 * 3600].map { .seconds($0) }, finalAction: .wipe,
        allowsBiometrics: true)

    /// Figures of a product. What is left out is as in ``standard``.
    ///
    /// - Throws: ``Problem`` when a figure is out of its range.
    public init(
        pin: PINRule = .standard, passphrase: PassphraseRule = .standard,
        codes: Set<LockCode> = Set(LockCode.allCases), idle: Duration = standard.idle, grace: Duration = standard.grace,
        activeTime: Duration = standard.activeTime, freeAttempts: Int = standard.freeAttempts,
        attempts: Int = standard.attempts, delays: [Duration] = standard.delays,
        finalAction: FinalAction = standard.finalAction, allowsBiometrics: Bool = true
    ) throws(Problem) {
        self.init(
            checkedPIN: pin, passphrase: passphrase, codes: codes, idle: idle, grace: grace, activeTime: activeTime,
            freeAttempts: freeAttempts, attempts: attempts, delays: delays, finalAction: finalAction,
            allowsBiometrics: allowsBiometrics)
        if let problem { throw problem }
    }

    init(
        checkedPIN pin: PINRule, passphrase: PassphraseRule, codes: Set<LockCode>, idle: Duration, grace: Duration,
        activeTime: Duration, freeAttempts: Int,
        attempts: Int,
        delays: [Duration], finalAction: FinalAction, allowsBiometrics: Bool
    ) {
        self.pin = pin
        self.passphrase = passphrase
        self.codes = codes
        self.idle = idle
        self.grace = grace
        self.activeTime = activeTime
        self.freeAttempts = freeAttempts
        self.attempts = attempts
        self.delays = delays
        self.finalAction = finalAction
        self.allowsBiometrics = allowsBiometrics
    }

    private var problem: Problem? {
        let rows: [(String, Bool, String)] = [
            ("codes", !codes.isEmpty, "a PIN, a passphrase, or either"),
            ("idle", (.seconds(60) ... .seconds(86_400)).contains(idle), "1 minute to 24 hours"),
            ("grace", (.zero ... .seconds(300)).contains(grace), "0 to 5 minutes"),
            ("activeTime", (.seconds(900) ... .seconds(86_400)).contains(activeTime), "15 minutes to 24 hours"),
            ("freeAttempts", (0...3).contains(freeAttempts), "0 to 3"),
            ("attempts", (3...10).contains(attempts), "3 to 10"),
            (
                "delays",
                !delays.isEmpty && delays == delays.sorted() && delays[0] > .zero
                    && delays.allSatisfy { $0 <= .seconds(86_400) },
                "one or more times, none shorter than the one before, at most 24 hours"
            ),
        ]
        return rows.first { !$0.1 }.map { Problem(figure: $0.0, allowed: $0.2) }
    }
}

extension AppLockPolicy: AttemptRules {
    /// See ``attempts``.
    package var limit: UInt8 { UInt8(clamping: attempts) }

    /// There is a final action always.
    package var endsAtLimit: Bool { true }

    /// See ``delays``.
    package func delay(after failures: UInt8) -> Int64? {
        failures < limit ? usualDelay(after: failures) : nil
    }

    /// The same without a limit.
    func usualDelay(after failures: UInt8) -> Int64 {
        guard Int(failures) > freeAttempts else { return 0 }
        return delays[min(Int(failures) - freeAttempts, delays.count) - 1].components.seconds
    }
}
