#if os(Linux)
package import SecurityFramework

extension TrustPolicy {
    /// What is asked of the logs for the server at `host`: by this policy, and by management. `nil` for nothing.
    package func transparencyDemand(host: String, timestamps: [UInt8]) -> TransparencyDemand? {
        // An administrator only tightens: other logs, or an old list of them, loosen nothing of what an app asks.
        var rule = transparency ?? managed.transparencyLogs
        if managed.transparentHosts.contains(host) {
            rule = rule ?? TransparencyPolicy(logs: [], date: nil)
            rule?.requiredHosts.insert(host)
        }
        return rule?.demand(host: host, timestamps: timestamps)
    }
}
#endif
