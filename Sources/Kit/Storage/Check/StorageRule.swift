/// What must not lie outside protected storage, each as one rule of ``StorageCheck``.
///
/// OWASP MASVS-STORAGE-1 and BSI TR-03161-1, O.Data: sensitive data is kept encrypted, and nowhere else.
public enum StorageRule: String, CaseIterable, Hashable, Sendable {
    /// A JSON Web Token (RFC 7519): an access token, refresh token or ID token in clear.
    case webToken = "web-token"
    /// A private key in PEM form (RFC 7468).
    case privateKey = "private-key"
    /// A value under a name such as `password`, `refreshToken` or `session_id`.
    case namedSecret = "named-secret"
    /// A run of 20 or more base64 or hexadecimal characters that looks drawn at random: a key, a token, a session
    /// identifier.
    case randomText = "random-text"
    /// An e-mail address: personal data.
    case emailAddress = "email-address"
    /// The cache of URL loading: requests with their credentials, and the answers.
    case urlCache = "url-cache"
    /// An SQLite database in clear; its rows, and what was deleted from it, can be read.
    case plainDatabase = "plain-database"
    /// Files that other users of the machine can read.
    case readableByOthers = "readable-by-others"
    /// A file or folder that could not be looked at: nothing is known of it.
    case notChecked = "not-checked"

    /// How much a finding of the rule matters.
    public enum Severity: String, Hashable, Sendable {
        /// A secret lies in clear.
        case error
        /// Personal data, or a place where secrets end up.
        case warning
        /// The check is not complete.
        case note
    }

    /// How much a finding matters.
    public var severity: Severity {
        switch self {
        case .webToken, .privateKey, .namedSecret, .urlCache: .error
        case .randomText, .emailAddress, .plainDatabase, .readableByOthers: .warning
        case .notChecked: .note
        }
    }

    /// One sentence: what was found.
    public var summary: String {
        switch self {
        case .webToken: "A signed or encrypted web token lies in clear."
        case .privateKey: "A private key lies in clear."
        case .namedSecret: "A value lies in clear under a name that speaks of a secret."
        case .randomText: "A long random text lies in clear; it looks like a key or a token."
        case .emailAddress: "An e-mail address lies in clear."
        case .urlCache: "The cache of URL loading keeps requests with their credentials, and the answers."
        case .plainDatabase: "A database lies in clear, rows that were deleted included."
        case .readableByOthers: "Other users of this machine can read files."
        case .notChecked: "This could not be looked at; nothing is known of it."
        }
    }

    /// One sentence: what to do.
    public var remedy: String {
        switch self {
        case .webToken: "Keep tokens in a token vault (`TokenVault`), and sign out to make this one worthless."
        case .privateKey:
            "Make keys in the secure element (`EnclaveKey`), or keep them in the keychain; replace this one."
        case .namedSecret: "Keep it in the keychain, and change it: it was in clear."
        case .randomText: "If it is a key or a token, keep it in the keychain; if it is an identifier, name it so."
        case .emailAddress: "Keep personal data in a protected database or file."
        case .urlCache: "Set `URLSessionConfiguration.urlCache` to nil, and remove the file."
        case .plainDatabase: "Keep the rows in a protected database; copy them, then destroy this file."
        case .readableByOthers: "chmod -R go= the folder, or the file."
        case .notChecked: "Check again as a user who may read it."
        }
    }
}
