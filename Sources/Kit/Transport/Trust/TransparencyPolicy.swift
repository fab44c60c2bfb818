#if os(Linux)
package import SecurityFramework
#endif

/// Which certificate transparency logs are known, and for which servers their timestamps are demanded (RFC 6962).
///
/// The logs' timestamps inside the certificate and in the handshake count. On Apple's systems the system has its own
/// list and demand; this value changes nothing there.
public struct TransparencyPolicy: Hashable, Sendable {
    /// Which servers need the word of logs.
    public enum Scope: Hashable, Sendable, CaseIterable {
        /// As on Apple's systems: those under public authorities, with certificates from 16 October 2018 on. A list
        /// that is older than 60 days excuses all.
        case publicAuthorities
        /// Every server. A list that is older than 60 days refuses all.
        case everyServer
    }

    /// Which servers need the word of logs.
    public var scope: Scope
    /// Hosts that need it whatever ``scope`` says, in the spelling of ``Origin/host``; other spellings are rewritten.
    public var requiredHosts: Set<String> {
        didSet { requiredHosts = Self.canonical(requiredHosts) }
    }
    #if os(Linux)
    /// The logs.
    package let logs: [TransparencyLog]
    /// When the list was made, seconds since 1970; `nil` for one that the caller vouches for whatever its age.
    package let date: Int64?

    /// A policy with these logs.
    package init(
        logs: [TransparencyLog], date: Int64?, scope: Scope = .publicAuthorities, requiredHosts: Set<String> = []
    ) {
        self.logs = logs
        self.date = date
        self.scope = scope
        self.requiredHosts = Self.canonical(requiredHosts)
    }

    /// Whether the server at `host` needs the word of logs under each authority. No person can approve one without it.
    func isRequired(at host: String) -> Bool { scope == .everyServer || requiredHosts.contains(host) }

    /// What is asked of the server at `host`, which sent `timestamps` in its handshake.
    func demand(host: String, timestamps: [UInt8]) -> TransparencyDemand {
        TransparencyDemand(
            logs: TransparencyLogList(logs, date: date), presented: timestamps.isEmpty ? [] : [timestamps],
            scope: isRequired(at: host) ? .everyServer : .publicAuthorities)
    }
    #endif

    private static func canonical(_ hosts: Set<String>) -> Set<String> { Set(hosts.map { CanonicalHost.of($0) ?? $0 }) }
}
