package import PavisePrimitives

extension ATSParameters {
    /// What a client of ours offers under these parameters: floor and suites of the decision, groups and schemes as always.
    ///
    /// A floor of TLS 1.3 and the suites with RSA key transport are taken over. A floor below TLS 1.2 is not: OpenSSL speaks
    /// TLS 1.0 and 1.1 only at a security level that also accepts broken hashes and short keys, and no connection that carries a
    /// person's data gets that level. Where ATS sets nothing, our client keeps the rules of ATS.
    package var clientProfile: TLSClientProfile {
        let usual = TLSClientProfile.ats
        let isRaised = minimumTLSVersion == .tls13
        let keyTransport = ATSCipherSuite.rsaKeyTransport.map(\.libraryName).joined(separator: ":")
        return TLSClientProfile(
            minimumVersion: isRaised ? .tls13 : .tls12, modernSuites: usual.modernSuites,
            suites: suites == .withKeyTransport ? usual.suites + ":" + keyTransport : usual.suites,
            groups: usual.groups, signatures: usual.signatures)
    }
}
