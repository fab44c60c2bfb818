package import PavisePrimitives

extension ATSParameters {
    /// What a client of ours offers under these parameters: floor and suites of the decision, groups and schemes as
    /// always.
    ///
    /// A floor below TLS 1.2, and none at all, reach down to TLS 1.0. TLS 1.2 itself keeps its signature schemes, so
    /// that no exception brings SHA-1 back where a better hash can be agreed. A datagram version has no profile of its
    /// own: such a connection is refused before it is made.
    package var clientProfile: TLSClientProfile {
        let usual = TLSClientProfile.ats
        return TLSClientProfile(
            minimumVersion: floor, modernSuites: usual.modernSuites, suites: offered(usual.suites),
            groups: usual.groups, signatures: usual.signatures)
    }

    private var floor: TLSClientProfile.Version {
        switch minimumTLSVersion {
        case nil, .tls10: .tls10
        case .tls11: .tls11
        case .tls12, .dtls10, .dtls12: .tls12
        case .tls13: .tls13
        }
    }

    // Forward secrecy first: a server that has it should choose it.
    private func offered(_ usual: String) -> String {
        let keyTransport = ATSCipherSuite.rsaKeyTransport.map(\.libraryName).joined(separator: ":")
        return switch suites {
        case .forwardSecret: usual
        case .withKeyTransport: usual + ":" + keyTransport
        case .unrestricted: usual + ":" + keyTransport + ":ALL:!aNULL:!eNULL:!PSK:!SRP"
        }
    }
}
