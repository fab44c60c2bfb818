package import PavisePrimitives
package import PaviseTransport

/// All that must agree about one session, in one atomic item. No other place holds a token.
package struct SessionRecord: Sendable {
    /// Who is signed in, from the id_token.
    package struct Identity: Hashable, Sendable {
        package var issuer: String
        package var subject: String

        package init(issuer: String, subject: String) {
            self.issuer = issuer
            self.subject = subject
        }
    }

    /// A refresh that was about to be sent: durable before its first byte leaves (SR4).
    package struct Pending: Hashable, Sendable {
        /// The record's generation then.
        package var generation: UInt64
        /// SHA-256 of the refresh token in flight. It never leaves the sealed record.
        package var digest: [UInt8]
        /// When.
        package var moment: ClockReading
        /// Which session object of which process: an object recognises its own.
        package var owner: UInt64
        /// Whether an earlier owner may have spent the same token already.
        package var isInherited: Bool
    }

    /// How a session came to its end.
    package enum Ending: Hashable, Sendable {
        /// The person signed out; the record is a tombstone that carries the epoch on.
        case signedOut
        case relogin(ReloginReason)
    }

    /// Grows with every new access token.
    package var generation: UInt64
    /// Grows with every sign-in and sign-out. Work that began in another epoch counts for nothing (SR18).
    package var epoch: UInt64
    package var server: TokenServer
    /// The only origin that gets the access token.
    package var resource: Origin
    package var access: SharedSecretBytes?
    package var refresh: SharedSecretBytes?
    package var scopes: [String]
    package var identity: Identity?
    /// Seconds from ``received`` to the access token's end.
    package var lifetime: Int64
    package var received: ClockReading
    /// When the person signed in; rotation never moves it (oauth S4).
    package var start: ClockReading
    /// Trusted milliseconds from ``start`` to ``aged``: what a changed wall clock cannot take back within one boot.
    package var age: Int64
    package var aged: ClockReading
    /// Trusted milliseconds from ``received`` to ``aged``, where a boot lies between them; `nil` where none does.
    package var idle: Int64?
    package var rejections: Int
    package var ending: Ending?
    package var pending: Pending?
    /// The thumbprint (RFC 7638) of the key that the tokens are bound to; `nil` for bearer tokens. It stays when the
    /// session ends: whoever signs in next is not bound to less.
    package var binding: String?

    /// Which access token this is.
    package var stamp: TokenVersion { TokenVersion(epoch: epoch, generation: generation) }

    /// The servers that this session speaks with.
    var origins: Set<Origin> {
        Set([resource, server.tokenEndpoint.origin] + [server.revocationEndpoint?.origin].compactMap(\.self))
    }
}

/// Names one access token without holding it: requests remember this, not the token and not a hash of it (PD23).
package struct TokenVersion: Hashable, Sendable {
    package let epoch: UInt64
    package let generation: UInt64

    package init(epoch: UInt64, generation: UInt64) {
        self.epoch = epoch
        self.generation = generation
    }
}

extension SessionRecord: CustomStringConvertible, CustomReflectable {
    /// Numbers only.
    package var description: String { "session record, epoch \(epoch), generation \(generation)" }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
