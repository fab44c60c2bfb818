internal import PavisePrimitives

extension TrustPolicy {
    /// What a client offers in a handshake and takes for a server's key, by name.
    ///
    /// ```swift
    /// var policy = TrustPolicy()
    /// policy.tls = .tr02102
    /// ```
    public enum TLSProfile: String, Hashable, Sendable, Codable, CaseIterable {
        /// App Transport Security with the exceptions of the app's configuration; the default.
        case ats
        /// BSI TR-02102-2 (tables of the edition 2023-01), as far as App Transport Security has the same: TLS 1.2 and
        /// 1.3 with AES-GCM, key agreement over P-256, P-384 and P-521, ECDSA or RSA-PSS in the handshake, a server's
        /// key of 3,000 bits (RSA) or 256 (EC), no plain http. Exceptions of App Transport Security have no effect.
        ///
        /// Not asked: the algorithm and length of the keys above the server's, beyond what is always asked (RSA 2,048,
        /// SHA-256), and RSA with PKCS#1 v1.5 in certificates, which TR-02102-2 lists until the end of 2025 and public
        /// authorities use. Not there: brainpool curves, CCM, hybrid key agreement. On Apple's systems URLSession lets
        /// nobody choose suites: a client with this profile sends nothing there.
        case tr02102 = "tr-02102-2"

        /// What is asked of the server's certificates.
        var certificateRules: ATSParameters.CertificateRules {
            switch self {
            case .ats: .ats
            case .tr02102: .tr02102
            }
        }

        /// Why no request goes to `origin`; `nil` where one may.
        func refusal(of origin: Origin) -> TransportFailure? {
            guard self == .tr02102, origin.scheme == .http else { return nil }
            return .refusedByATS(
                ATSRefusal(
                    .requiresSecureConnection, at: origin,
                    "The profile \(rawValue) of this client allows no plain http."))
        }
    }
}

extension ATSParameters.CertificateRules {
    /// TR-02102-2 §3.6: RSA 3,000 bits, EC 250; App Transport Security has no curve between 250 and 256.
    public static let tr02102 = ATSParameters.CertificateRules(
        minimumRSABits: 3000, minimumECBits: 256, weakestHash: "SHA-256")
}

extension ATSParameters {
    /// The demands on a connection under a profile: what an exception loosened is asked all the same.
    func tightened(to profile: TrustPolicy.TLSProfile) -> ATSParameters {
        guard profile == .tr02102 else { return self }
        return ATSParameters(
            minimumTLSVersion: minimumTLSVersion == .tls13 ? .tls13 : .tls12, suites: .forwardSecret,
            certificateRules: .tr02102, isRequired: true, mayLoosenTrust: mayLoosenTrust)
    }

    /// What a client of ours offers under these parameters and a profile.
    func clientProfile(under profile: TrustPolicy.TLSProfile) -> TLSClientProfile {
        guard profile == .tr02102 else { return clientProfile }
        let strict = TLSClientProfile.tr02102
        return TLSClientProfile(
            minimumVersion: minimumTLSVersion == .tls13 ? .tls13 : strict.minimumVersion,
            modernSuites: strict.modernSuites, suites: strict.suites, groups: strict.groups,
            signatures: strict.signatures)
    }
}
