#if canImport(Darwin)
internal import Foundation
internal import SecurityFramework

extension ClientCertificate {
    /// The same for URLSession.
    var credential: URLCredential {
        URLCredential(identity: identity, certificates: intermediates, persistence: .none)
    }
}
#endif
