/// May this address be loaded? With the reasons, and the step that decided last.
public struct ATSDecision: Hashable, Sendable {
    /// Who loads. Apple asks the process name; here the caller says it.
    public enum Client: Hashable, Sendable {
        case app
        case webContent
        case media
    }

    /// One step on the way to the decision.
    public enum Reason: Hashable, Sendable {
        /// The scheme is https: only versions, suites and the certificate remain to be judged.
        case secureScheme
        /// The target is local, and NSAllowsLocalNetworking is absent or true.
        case localNetworkingAllowed
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
    }

    /// Whether a connection may be made at all.
    public let isAllowed: Bool
    /// Why; the last one decided.
    public let reasons: [Reason]

    /// Decides about `origin` (facts: httpBlocked of Apple's engine, without exception entries).
    ///
    /// - Parameters:
    ///   - isDirect: Whether no router lies between: loopback, link-local, a bare or `.local` name.
    ///   - origin: The address to load.
    ///   - client: Who loads.
    ///   - configuration: The keys of the Info.plist.
    public init(_ origin: Origin, isDirect: Bool, client: Client = .app, configuration: ATSConfiguration) {
        guard origin.scheme == .http else {
            self.init(isAllowed: true, reasons: [.secureScheme])
            return
        }
        if isDirect && configuration.localNetworking != false {
            self.init(isAllowed: true, reasons: [.localNetworkingAllowed])
        } else if client == .media && configuration.media == true {
            self.init(isAllowed: true, reasons: [.mediaAllowed])
        } else if client == .webContent && configuration.webContent == true {
            self.init(isAllowed: true, reasons: [.webContentAllowed])
        } else if configuration.webContent != nil || configuration.media != nil || configuration.localNetworking != nil
        {
            let silenced: [Reason] = configuration.arbitraryLoads == true ? [.narrowKeySilencesArbitraryLoads] : []
            self.init(isAllowed: false, reasons: silenced + [.plainHTTP])
        } else if configuration.arbitraryLoads == true {
            self.init(isAllowed: true, reasons: [.arbitraryLoadsAllowed])
        } else {
            self.init(isAllowed: false, reasons: [.plainHTTP])
        }
    }

    private init(isAllowed: Bool, reasons: [Reason]) {
        self.isAllowed = isAllowed
        self.reasons = reasons
    }
}

extension Origin {
    /// Whether the name or address alone says that no router lies between (ATS facts 3.6).
    public var isDirectByName: Bool {
        if host.hasPrefix("127.") && host.utf8.allSatisfy({ $0 == 0x2E || ($0 >= 0x30 && $0 <= 0x39) }) { return true }
        if host == "::1" || host.hasPrefix("fe80:") { return true }
        let name = host.hasSuffix(".") ? String(host.dropLast()) : host
        return !host.contains(":") && (!name.contains(".") || name.hasSuffix(".local"))
    }
}
