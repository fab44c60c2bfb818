package import Security

/// An identity and the certificates above it, for another thread. Apple's SDKs mark neither as Sendable for all their
/// versions.
// Safe to share: both are values of Core Foundation that never change, and the calls on them are safe from any thread.
package struct SharedIdentity: @unchecked Sendable {
    /// Certificate and key.
    package let identity: SecIdentity
    /// Nearest to the certificate first.
    package let intermediates: [SecCertificate]

    /// Both as they are.
    package init(_ identity: SecIdentity, intermediates: [SecCertificate]) {
        self.identity = identity
        self.intermediates = intermediates
    }
}
