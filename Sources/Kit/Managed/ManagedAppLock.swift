/// What an administrator says about the app lock: the section `appLock`. Plain figures; the lock takes the stricter of
/// these and its own.
///
/// ```json
/// { "appLock": { "required": true, "minimumDigits": 6, "passphrase": "allowed", "minimumCharacters": 15,
///                "attempts": 5, "atLimit": "wipe", "idleSeconds": 3600, "backgroundSeconds": 0,
///                "activeSeconds": 43200, "freeAttempts": 1, "delaySeconds": 60, "biometrics": "forbidden",
///                "orders": { "issuer": "https://management.example.org",
///                            "keys": [{ "kty": "EC", "crv": "P-256", "kid": "2030", "x": "…", "y": "…" }] } } }
/// ```
public struct ManagedAppLock: Hashable, Sendable {
    /// What happens after the last attempt.
    public enum AtLimit: String, Hashable, Sendable, CaseIterable {
        /// All local data goes.
        case wipe
        /// The sessions end; local data stays, locked.
        case signOut
    }

    /// Whether there must be a PIN or a passphrase: without one the program and every account of an `AppSecurity` send
    /// nothing, and one that is set cannot be removed.
    public var isRequired: Bool
    /// The fewest digits of a PIN, 4 to 16: no PIN has more.
    public var minimumDigits: Int?
    /// Whether it has to be a passphrase.
    public var requiresPassphrase: Bool
    /// The fewest characters of a passphrase, 8 to 64.
    public var minimumCharacters: Int?
    /// Wrong attempts in a row that are followed by no delay, 0 to 3.
    public var freeAttempts: Int?
    /// Seconds that each further wrong attempt is followed by at least: 1 to a day.
    public var delaySeconds: Int64?
    /// Wrong attempts until the limit, 3 to 10.
    public var attempts: Int?
    /// What happens then.
    public var atLimit: AtLimit?
    /// Seconds without use until it locks: a minute to a day.
    public var idleSeconds: Int64?
    /// Seconds in the background until it locks, at most 5 minutes.
    public var backgroundSeconds: Int64?
    /// Seconds of use until the PIN is asked for again: 15 minutes to a day.
    public var activeSeconds: Int64?
    /// Whether biometrics may take the place of the PIN.
    public var allowsBiometrics: Bool
    /// Whose orders to lock, to sign out or to wipe are obeyed; `nil`: nobody's.
    public var orders: ManagedOrders?

    /// No rules, or what is given.
    public init(
        isRequired: Bool = false, minimumDigits: Int? = nil, requiresPassphrase: Bool = false,
        minimumCharacters: Int? = nil, attempts: Int? = nil, freeAttempts: Int? = nil,
        delaySeconds: Int64? = nil, atLimit: AtLimit? = nil,
        idleSeconds: Int64? = nil, backgroundSeconds: Int64? = nil, activeSeconds: Int64? = nil,
        allowsBiometrics: Bool = true, orders: ManagedOrders? = nil
    ) {
        self.isRequired = isRequired
        self.minimumDigits = minimumDigits
        self.requiresPassphrase = requiresPassphrase
        self.minimumCharacters = minimumCharacters
        self.attempts = attempts
        self.freeAttempts = freeAttempts
        self.delaySeconds = delaySeconds
        self.atLimit = atLimit
        self.idleSeconds = idleSeconds
        self.backgroundSeconds = backgroundSeconds
        self.activeSeconds = activeSeconds
        self.allowsBiometrics = allowsBiometrics
        self.orders = orders
    }
}
