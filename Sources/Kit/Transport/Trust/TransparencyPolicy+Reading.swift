#if os(Linux)
internal import SecurityFramework

extension TransparencyPolicy {
    /// Why a file gives no logs.
    public struct ReadingFailure: Error, Hashable, Sendable, CustomStringConvertible {
        /// One sentence that says what is wrong and where.
        public let description: String
    }

    /// Reads a list of logs in the form that Google and Apple publish (`log_list.json`, version 3), at most 8 MiB.
    ///
    /// Nothing says who made the list: whoever names the file vouches for it. Nothing is fetched either; give a new one within
    /// 60 days.
    public init(
        logList bytes: [UInt8], scope: Scope = .publicAuthorities, requiredHosts: Set<String> = []
    ) throws(ReadingFailure) {
        let list: TransparencyLogList
        do throws(LogListFailure) { list = try TransparencyLogList(json: bytes) } catch {
            throw ReadingFailure(description: error.description)
        }
        self.init(logs: list.logs, date: list.date, scope: scope, requiredHosts: requiredHosts)
    }
}
#endif
