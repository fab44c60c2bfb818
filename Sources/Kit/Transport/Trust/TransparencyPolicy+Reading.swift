#if os(Linux)
package import PavisePrimitives
internal import SecurityFramework

extension TransparencyPolicy {
    /// Why a file gives no logs.
    public struct ReadingFailure: Error, Hashable, Sendable, CustomStringConvertible {
        /// One sentence that says what is wrong and where.
        public let description: String
    }

    /// Reads a list of logs in the form that Google and Apple publish (`log_list.json`, version 3), at most 8 MiB.
    ///
    /// Nothing in the list says who made it: whoever names the file vouches for it, or gives its signature to
    /// ``init(logList:signature:maker:scope:requiredHosts:)``. Nothing is fetched either; give a new one within 60
    /// days.
    public init(
        logList bytes: [UInt8], scope: Scope = .publicAuthorities, requiredHosts: Set<String> = []
    ) throws(ReadingFailure) {
        try self.init(scope, requiredHosts) { () throws(LogListFailure) in try TransparencyLogList(json: bytes) }
    }

    /// Reads a list that its maker signed, as `log_list.json` and `log_list.sig` are published side by side.
    ///
    /// ```swift
    /// let policy = try TransparencyPolicy(logList: list, signature: signature, maker: key)
    /// ```
    ///
    /// - Parameters:
    ///   - bytes: The list, at most 8 MiB. Nothing of it is read before its signature was checked.
    ///   - signature: RSA PKCS #1 v1.5 or ECDSA with SHA-256 over all of `bytes`.
    ///   - maker: The maker's public key, PEM (`PUBLIC KEY`) or DER. Ship it with the app: one that is fetched from
    ///     where the list comes from proves nothing.
    ///   - scope: Which servers must present timestamps of logs (SCTs).
    ///   - requiredHosts: Hosts in lower case that need it whatever `scope` says.
    public init(
        logList bytes: [UInt8], signature: [UInt8], maker: [UInt8], scope: Scope = .publicAuthorities,
        requiredHosts: Set<String> = []
    ) throws(ReadingFailure) {
        try self.init(scope, requiredHosts) { () throws(LogListFailure) in
            try TransparencyLogList(json: bytes, signature: signature, maker: maker)
        }
    }

    /// A list of logs that is a part of JSON which was parsed already.
    package init(logList value: JSONValue) throws(ReadingFailure) {
        try self.init(.publicAuthorities, []) { () throws(LogListFailure) in try TransparencyLogList(value) }
    }

    private init(
        _ scope: Scope, _ requiredHosts: Set<String>, _ read: () throws(LogListFailure) -> TransparencyLogList
    ) throws(ReadingFailure) {
        let list: TransparencyLogList
        do throws(LogListFailure) { list = try read() } catch { throw ReadingFailure(description: error.description) }
        self.init(logs: list.logs, date: list.date, scope: scope, requiredHosts: requiredHosts)
    }
}
#endif
