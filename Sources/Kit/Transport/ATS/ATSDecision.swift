/// May this address be loaded, and under which conditions? With the reasons, and the step that decided last.
///
/// A pure function of what it is given, after the procedure of Apple's published code.
public struct ATSDecision: Hashable, Sendable {
    /// Who loads. Apple asks the process name; here the caller says it.
    public enum Client: Hashable, Sendable {
        /// The app itself.
        case app
        /// A page in a web view (`NSAllowsArbitraryLoadsInWebContent`).
        case webContent
        /// A media player (`NSAllowsArbitraryLoadsForMedia`).
        case media
    }

    /// Whether a connection may be made at all.
    public let isAllowed: Bool
    /// Whether an `http:` load of this host fails, whatever the scheme that was asked about.
    public let isPlainHTTPBlocked: Bool
    /// What an `https:` load of this host must keep, whatever the scheme that was asked about.
    public let parameters: ATSParameters
    /// The key of `NSExceptionDomains` that fits; `nil` when none does.
    public let exception: String?
    /// Why; the last one decided.
    public let reasons: [Reason]

    /// Decides about `origin`.
    ///
    /// - Parameters:
    ///   - isDirect: Whether no router lies between: loopback, link-local, a bare or `.local` name.
    ///   - origin: The address to load.
    ///   - client: Who loads.
    ///   - configuration: The keys of the Info.plist.
    ///   - mode: Whose rules.
    ///   - profile: Apple's code or its documentation.
    public init(
        _ origin: Origin, isDirect: Bool, client: Client = .app, configuration: ATSConfiguration,
        mode: ATSMode = .current, profile: ATSProfile = .current
    ) {
        self.init(
            ATSTarget(origin, isDirect: isDirect), scheme: origin.scheme, client: client, configuration: configuration,
            mode: mode, profile: profile)
    }

    /// Decides about `target`; see ``init(_:isDirect:client:configuration:mode:profile:)``.
    public init(
        _ target: ATSTarget, scheme: Origin.Scheme, client: Client = .app, configuration: ATSConfiguration,
        mode: ATSMode = .current, profile: ATSProfile = .current
    ) {
        guard mode != .beforeATS else {
            isAllowed = true
            isPlainHTTPBlocked = false
            parameters = .none
            exception = nil
            reasons = [.noATS]
            return
        }
        let rules = ATSRules(
            target: target, client: client, configuration: configuration, mode: mode, profile: profile)
        let match = rules.match
        var trace: [Reason] = []
        trace.reserveCapacity(4)
        if mode == .ios16 && target.isAddress { trace.append(.everyAddressIsLocal) }
        let isBlocked: Bool
        if let match {
            trace.append(.exceptionMatches(key: match.key, labelsBelow: match.depth))
            isBlocked = !match.exception.allowsInsecureHTTPLoads
            parameters = ATSParameters(under: match.exception, profile: profile)
        } else {
            isBlocked = rules.globalKeysBlock(&trace)
            parameters = isBlocked ? .full : .none
        }
        exception = match?.key
        isPlainHTTPBlocked = isBlocked
        isAllowed = scheme == .https || !isBlocked
        if scheme == .https {
            if let match { rules.explain(match.exception, &trace) }
            trace.append(.secureScheme)
        } else if match != nil {
            trace.append(isBlocked ? .exceptionBlocksPlainHTTP : .exceptionAllowsPlainHTTP)
            if isBlocked { trace.append(.plainHTTP) }
        } else if isBlocked {
            trace.append(.plainHTTP)
        }
        reasons = trace
    }
}
