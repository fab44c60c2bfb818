/// The part of `NSAppTransportSecurity` that holds for every host. `nil` is an absent key, which is not the same as `false`.
public struct ATSConfiguration: Hashable, Sendable {
    /// NSAllowsArbitraryLoads.
    public var arbitraryLoads: Bool?
    /// NSAllowsArbitraryLoadsForMedia.
    public var media: Bool?
    /// NSAllowsArbitraryLoadsInWebContent.
    public var webContent: Bool?
    /// NSAllowsLocalNetworking.
    public var localNetworking: Bool?

    /// A configuration from its keys.
    public init(
        arbitraryLoads: Bool? = nil, media: Bool? = nil, webContent: Bool? = nil, localNetworking: Bool? = nil
    ) {
        self.arbitraryLoads = arbitraryLoads
        self.media = media
        self.webContent = webContent
        self.localNetworking = localNetworking
    }

    /// No key at all: an app's Info.plist without an ATS dictionary. Plain http to loopback is then allowed.
    public static let absent = ATSConfiguration()

    /// What Pavise's own client uses: no plain http anywhere, loopback included.
    public static let strict = ATSConfiguration(localNetworking: false)
}
