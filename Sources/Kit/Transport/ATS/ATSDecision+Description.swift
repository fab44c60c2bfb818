extension ATSDecision.Reason: CustomStringConvertible {
    /// A stable name for programs.
    public var code: String {
        switch self {
        case .secureScheme: "https"
        case .exceptionMatches: "exception-matches"
        case .exceptionAllowsPlainHTTP: "exception-allows-http"
        case .exceptionBlocksPlainHTTP: "exception-blocks-http"
        case .trustMayBeLoosened: "trust-may-be-loosened"
        case .minimumVersion: "minimum-version"
        case .forwardSecrecyWaived: "forward-secrecy-waived"
        case .localNetworkingAllowed: "local-networking"
        case .everyAddressIsLocal: "every-address-is-local"
        case .mediaAllowed: "media"
        case .webContentAllowed: "web-content"
        case .narrowKeySilencesArbitraryLoads: "arbitrary-loads-silenced"
        case .arbitraryLoadsAllowed: "arbitrary-loads"
        case .plainHTTP: "plain-http"
        case .noATS: "no-ats"
        case .documentationDiffers: "documentation-differs"
        }
    }

    /// One sentence for people.
    public var description: String {
        switch self {
        case .secureScheme: "The scheme is https: versions, suites and the certificate are judged in the handshake."
        case .exceptionMatches(let key, 0):
            "The entry “\(key)” of NSExceptionDomains fits, so no key that holds for every host counts."
        case .exceptionMatches(let key, let labels):
            "The entry “\(key)” of NSExceptionDomains includes subdomains and fits, \(labels) "
                + "label\(labels == 1 ? "" : "s") "
                + "above the host; no key that holds for every host counts."
        case .exceptionAllowsPlainHTTP: "The entry sets NSExceptionAllowsInsecureHTTPLoads: plain http is allowed."
        case .exceptionBlocksPlainHTTP:
            "The entry does not set NSExceptionAllowsInsecureHTTPLoads: plain http is blocked, whatever else is set."
        case .trustMayBeLoosened:
            "The entry allows insecure loads: the app may also accept a certificate that the system refuses."
        case .minimumVersion(let version): "The entry sets the lowest version to \(version.rawValue)."
        case .forwardSecrecyWaived: "The entry sets NSExceptionRequiresForwardSecrecy to false."
        case .localNetworkingAllowed:
            "The target is local, and NSAllowsLocalNetworking is absent or true: ATS does not apply."
        case .everyAddressIsLocal: "From iOS 10 to 16 every address counts as local and none can have an exception."
        case .mediaAllowed: "NSAllowsArbitraryLoadsForMedia is true, and media is what loads."
        case .webContentAllowed: "NSAllowsArbitraryLoadsInWebContent is true, and a web view is what loads."
        case .narrowKeySilencesArbitraryLoads:
            "A narrower key is present, true or false, so NSAllowsArbitraryLoads does not count."
        case .arbitraryLoadsAllowed: "NSAllowsArbitraryLoads is true and no entry fits: ATS is off for this host."
        case .plainHTTP: "Nothing allows plain http to this host. Use https."
        case .noATS: "The app is linked against an SDK before iOS 9 and macOS 10.11, which has no ATS."
        case .documentationDiffers(let difference): difference.description
        }
    }
}

extension ATSDecision.Difference: CustomStringConvertible {
    /// One sentence for people.
    public var description: String {
        switch self {
        case .isAllowed(let value):
            "By Apple's documentation this load is \(value ? "allowed" : "blocked"); its code decides the other way."
        case .exception(let key?): "By Apple's documentation the entry “\(key)” fits; its code finds another answer."
        case .exception(nil):
            """
            By Apple's documentation no entry fits: NSIncludesSubdomains reaches one label; in its code it reaches any \
            depth.
            """
        case .minimumTLSVersion(let version):
            "By Apple's documentation the lowest version is \(version?.rawValue ?? "not set")."
        case .certificateRules:
            "By Apple's documentation giving up forward secrecy also gives up the least key sizes; its code keeps them."
        case .cipherSuites: "Apple's documentation of 2016 prints another list of suites."
        }
    }
}
