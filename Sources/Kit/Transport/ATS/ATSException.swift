/// One entry of `NSExceptionDomains`.
public struct ATSException: Hashable, Sendable {
    /// NSIncludesSubdomains: whether the entry also covers every name below its own.
    public var includesSubdomains: Bool
    /// NSExceptionAllowsInsecureHTTPLoads.
    public var allowsInsecureHTTPLoads: Bool
    /// NSExceptionRequiresForwardSecrecy.
    public var requiresForwardSecrecy: Bool
    /// NSExceptionMinimumTLSVersion; `nil` when the key is missing or its text is no version, and TLS 1.2 stays.
    public var minimumTLSVersion: ATSVersion?

    /// An entry from its keys; without arguments the empty one, which is as strict as App Transport Security itself.
    public init(
        includesSubdomains: Bool = false, allowsInsecureHTTPLoads: Bool = false, requiresForwardSecrecy: Bool = true,
        minimumTLSVersion: ATSVersion? = nil
    ) {
        self.includesSubdomains = includesSubdomains
        self.allowsInsecureHTTPLoads = allowsInsecureHTTPLoads
        self.requiresForwardSecrecy = requiresForwardSecrecy
        self.minimumTLSVersion = minimumTLSVersion
    }
}
