/// The steps of one decision.
struct ATSRules {
    let target: ATSTarget
    let client: ATSDecision.Client
    let configuration: ATSConfiguration
    let mode: ATSMode
    let profile: ATSProfile

    /// The exception entry that fits the target.
    var match: ATSExceptionTable.Match? {
        guard target.isAddress else {
            return configuration.table.match(name: target.host, deepest: profile == .documented ? 1 : .max)
        }
        return mode == .current ? configuration.table.match(address: target.host) : nil
    }

    /// Whether the keys that hold for every host block plain http, for a target without an entry.
    func globalKeysBlock(_ trace: inout [ATSDecision.Reason]) -> Bool {
        let keys = configuration
        guard mode != .ios9 else {
            if keys.arbitraryLoads == true { trace.append(.arbitraryLoadsAllowed) }
            return keys.arbitraryLoads != true
        }
        if isLocal && allowsLocal {
            trace.append(.localNetworkingAllowed)
            return false
        }
        if client == .media && keys.media == true {
            trace.append(.mediaAllowed)
            return false
        }
        if client == .webContent && keys.webContent == true {
            trace.append(.webContentAllowed)
            return false
        }
        if hasNarrowKey {
            if keys.arbitraryLoads == true { trace.append(.narrowKeySilencesArbitraryLoads) }
            return true
        }
        if keys.arbitraryLoads == true { trace.append(.arbitraryLoadsAllowed) }
        return keys.arbitraryLoads != true
    }

    /// What an entry changes for `https:`, as reasons.
    func explain(_ exception: ATSException, _ trace: inout [ATSDecision.Reason]) {
        if exception.allowsInsecureHTTPLoads { trace.append(.trustMayBeLoosened) }
        if let version = exception.minimumTLSVersion, version != .tls12 { trace.append(.minimumVersion(version)) }
        if !exception.requiresForwardSecrecy { trace.append(.forwardSecrecyWaived) }
    }

    private var isLocal: Bool { target.isDirect || mode == .ios16 && target.isAddress }

    private var allowsLocal: Bool {
        guard profile == .documented, mode == .current, target.isAddress else {
            return configuration.localNetworking != false
        }
        return configuration.localNetworking == true
    }

    // In Apple's code any value counts, in its documentation only a true NSAllowsLocalNetworking.
    private var hasNarrowKey: Bool {
        configuration.webContent != nil || configuration.media != nil
            || (profile == .documented ? configuration.localNetworking == true : configuration.localNetworking != nil)
    }
}
