public import PaviseSession

/// Where another library left a session in the keychain of this app.
///
/// ```swift
/// let old = ForeignSession.appAuth(service: "org.example.diary", account: "authState")
/// let report = try await security.adopt(old, at: server, as: "work", clientID: "diary")
/// ```
///
/// Only the refresh token is read of it. What else lies there, addresses of endpoints above all, is not believed: the
/// token goes to the authority of the server that was reviewed. The item is a generic password of the app's own access
/// group unless ``accessGroup`` names another; on macOS, of the data protection keychain.
public struct ForeignSession: Hashable, Sendable {
    enum Shape: Hashable, Sendable, CaseIterable {
        case text, archivedCredentials, archivedState, tokenJSON, cacheJSON, sessionJSON
    }

    let service: String
    let account: String?
    let shape: Shape
    /// The access group of the item; `nil` looks in those of the app.
    public var accessGroup: String?

    /// A refresh token that is an item of its own, as KeychainAccess, SimpleKeychain and most code of an app keep it.
    ///
    /// - Parameters:
    ///   - service: The service of the keychain, usually the app's identifier.
    ///   - key: The item's key.
    public static func token(service: String, key: String) -> ForeignSession {
        ForeignSession(service: service, account: key, shape: .text)
    }

    /// The archived credentials of Auth0's credentials manager.
    ///
    /// - Parameters:
    ///   - service: The app's identifier, unless the manager was given another storage.
    ///   - key: The manager's store key.
    public static func auth0(service: String, key: String = "credentials") -> ForeignSession {
        ForeignSession(service: service, account: key, shape: .archivedCredentials)
    }

    /// An archived authorization state of AppAuth, under whatever name the app gave it.
    public static func appAuth(service: String, account: String) -> ForeignSession {
        ForeignSession(service: service, account: account, shape: .archivedState)
    }

    /// The archived session of GTMAppAuth's keychain store.
    ///
    /// - Parameter itemName: The name that the store was made with.
    public static func gtmAppAuth(itemName: String) -> ForeignSession {
        ForeignSession(service: itemName, account: "OAuth", shape: .archivedState)
    }

    /// A token of Okta's AuthFoundation.
    ///
    /// - Parameter id: The token's identifier; `nil` for the only one.
    public static func okta(id: String? = nil) -> ForeignSession {
        ForeignSession(service: "com.okta.authfoundation.keychain.storage", account: id, shape: .tokenJSON)
    }

    /// A refresh token of MSAL's cache. Set ``accessGroup``: MSAL uses a group of its own unless it was told another.
    ///
    /// - Parameters:
    ///   - clientID: The client identifier.
    ///   - account: The home account with the environment, `id-login.example.org`; `nil` for the only one.
    public static func msal(clientID: String, account: String? = nil) -> ForeignSession {
        ForeignSession(service: "refreshtoken-\(clientID.lowercased())--", account: account, shape: .cacheJSON)
    }

    /// The session of Amplify's Cognito plugin. The user pool needs a domain with the token endpoint of OAuth.
    ///
    /// - Parameters:
    ///   - userPool: The user pool's identifier.
    ///   - identityPool: The identity pool's, where the app is configured with one.
    public static func amplify(userPool: String, identityPool: String? = nil) -> ForeignSession {
        let pools = [userPool, identityPool].compactMap { $0 }.joined(separator: ".")
        return ForeignSession(
            service: "com.amplify.awsCognitoAuthPlugin", account: "amplify.\(pools).session", shape: .sessionJSON)
    }
}

/// What became of a session that another library left: see ``AppSecurity/adopt(_:at:as:clientID:options:)``.
public struct AdoptionReport: Sendable {
    /// What became of it.
    public enum Outcome: Hashable, Sendable {
        /// There is no such item: nobody was signed in with that library here.
        case nothingFound
        /// There are several; name one of these accounts.
        case several([String])
        /// There is one, and it holds no refresh token in a form that is known.
        case unreadable
        /// The session is the account's now, and a refresh has proved it.
        case adopted
        /// The session is sealed as the account's, and the server could not be asked yet. Adopt again, for example
        /// at the next start.
        case waiting(DegradedReason)
        /// The server says that the session is over. Sign in; the account is there.
        case ended(ReloginReason)
        /// The account of this name was signed out; it stays so.
        case signedOut
    }

    /// What became of it.
    public let outcome: Outcome
    /// The account, where there is one.
    public let account: Account?
    /// Whether the other library's item is gone. It goes after a proof alone, and stays where it changed meanwhile.
    public let isOldItemRemoved: Bool

    init(_ outcome: Outcome, _ account: Account? = nil, isOldItemRemoved: Bool = false) {
        self.outcome = outcome
        self.account = account
        self.isOldItemRemoved = isOldItemRemoved
    }
}
