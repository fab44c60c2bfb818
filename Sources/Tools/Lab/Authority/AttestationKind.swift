/// What vouches for the device of a sign-in.
public enum AttestationKind: String, Hashable, Sendable, CaseIterable {
    /// A quote of a TPM 2.0.
    case tpm
    /// An assertion of a key of Apple's App Attest.
    case appAttest = "app-attest"
}

/// An app whose installations can be enrolled with Apple's App Attest.
public struct AttestedApp: Hashable, Sendable {
    /// The team's identifier, a dot, and the bundle's.
    public var application: String
    /// Whether it runs from Xcode; else from TestFlight, the App Store or an enterprise.
    public var isDevelopment: Bool
    /// Where the certificates have to end (DER); `nil` is Apple's root.
    public var anchors: [[UInt8]]?

    /// An app by its identifier.
    public init(_ application: String, isDevelopment: Bool = false, anchors: [[UInt8]]? = nil) {
        self.application = application
        self.isDevelopment = isDevelopment
        self.anchors = anchors
    }
}
