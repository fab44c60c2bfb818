extension ATSDecision {
    /// One step on the way to the decision.
    public enum Reason: Hashable, Sendable {
        /// The scheme is https: only versions, suites and the certificate remain to be judged.
        case secureScheme
        /// An entry of `NSExceptionDomains` fits, so no key that holds for every host counts. `labelsBelow` is 0 for
        /// the entry's own name.
        case exceptionMatches(key: String, labelsBelow: Int)
        /// The entry allows plain http.
        case exceptionAllowsPlainHTTP
        /// The entry does not allow plain http.
        case exceptionBlocksPlainHTTP
        /// The entry lets the app accept a certificate that the system refuses.
        case trustMayBeLoosened
        /// The entry sets another floor than TLS 1.2.
        case minimumVersion(ATSVersion)
        /// The entry gives forward secrecy up.
        case forwardSecrecyWaived
        /// The target is local, and NSAllowsLocalNetworking is absent or true.
        case localNetworkingAllowed
        /// Before iOS 17 every address counts as local.
        case everyAddressIsLocal
        /// NSAllowsArbitraryLoadsForMedia is true and media is what loads.
        case mediaAllowed
        /// NSAllowsArbitraryLoadsInWebContent is true and a web view is what loads.
        case webContentAllowed
        /// A narrow key is present, true or false, so NSAllowsArbitraryLoads does not count.
        case narrowKeySilencesArbitraryLoads
        /// NSAllowsArbitraryLoads is true.
        case arbitraryLoadsAllowed
        /// Nothing allows plain http.
        case plainHTTP
        /// The app is linked against an SDK that has no ATS.
        case noATS
        /// Apple's documentation gives another answer than its code.
        case documentationDiffers(Difference)
    }

    /// Where Apple's documentation and its code give different answers about one target.
    public enum Difference: Hashable, Sendable {
        /// The documentation allows the load, or forbids it.
        case isAllowed(Bool)
        /// The documentation finds this entry, or none.
        case exception(String?)
        /// The documentation asks for this floor, or none.
        case minimumTLSVersion(ATSVersion?)
        /// The documentation drops the demands on keys together with forward secrecy.
        case certificateRules
        /// The documentation prints another list of suites.
        case cipherSuites
    }

    /// Where the documentation gives another answer about the same question than this decision, which must come from
    /// Apple's code.
    public func differences(from documented: ATSDecision) -> [Difference] {
        var found: [Difference] = []
        if documented.isAllowed != isAllowed { found.append(.isAllowed(documented.isAllowed)) }
        if documented.exception != exception { found.append(.exception(documented.exception)) }
        if documented.parameters.minimumTLSVersion != parameters.minimumTLSVersion {
            found.append(.minimumTLSVersion(documented.parameters.minimumTLSVersion))
        }
        if documented.parameters.certificateRules != parameters.certificateRules,
            documented.parameters.suites == parameters.suites
        {
            found.append(.certificateRules)
        }
        return found
    }
}
