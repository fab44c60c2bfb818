package import Foundation
package import FoundationNetworking
package import SecurityFramework
internal import Synchronization

/// Where a challenge about a server comes from.
package final class ServerTrustSpace: URLProtectionSpace {
    let trust: SecTrust

    /// A server, and what it presented.
    package init(host: String, port: Int, trust: SecTrust) {
        self.trust = trust
        super.init(
            host: host, port: port, protocol: NSURLProtectionSpaceHTTPS, realm: nil,
            authenticationMethod: NSURLAuthenticationMethodServerTrust)
    }
}

// Safe to share: what it adds to its class never changes.
extension ServerTrustSpace: @unchecked Sendable {}

/// What `URLCredential(trust:)` makes.
package final class AcceptedTrust: URLCredential {
    init() { super.init(user: "", password: "", persistence: .forSession) }

    /// None is ever stored.
    package required init?(coder: NSCoder) { nil }

    /// No user.
    override package var user: String? { nil }
    /// No password.
    override package var password: String? { nil }
    /// No password.
    override package var hasPassword: Bool { false }
}

// Safe to share: it adds nothing to its class.
extension AcceptedTrust: @unchecked Sendable {}

/// A challenge that knows whether anybody looked at it.
///
/// Foundation on Linux gives each delegate a method that says "default" and looks at nothing, so what was not looked at
/// was not implemented, or answers as if it were not.
package final class ServerTrustChallenge: URLAuthenticationChallenge {
    private let wasSeen = Atomic(false)

    /// A challenge about `space`, answered through `sender` where the app uses the older way.
    package init(_ space: ServerTrustSpace, _ sender: any URLAuthenticationChallengeSender) {
        super.init(
            protectionSpace: space, proposedCredential: nil, previousFailureCount: 0, failureResponse: nil, error: nil,
            sender: sender)
    }

    /// The server. Whoever asks has looked.
    override package var protectionSpace: URLProtectionSpace {
        wasSeen.store(true, ordering: .relaxed)
        return super.protectionSpace
    }

    /// Where the older way of an answer goes. Whoever asks has looked.
    override package var sender: (any URLAuthenticationChallengeSender)? {
        wasSeen.store(true, ordering: .relaxed)
        return super.sender
    }

    /// Whether the app looked.
    package var wasLookedAt: Bool { wasSeen.load(ordering: .relaxed) }
}

// Safe to share: what it adds to its class is atomic.
extension ServerTrustChallenge: @unchecked Sendable {}
