/// Which suites a handshake of the diagnosis offers, each from TLS 1.0 on.
///
/// Servers choose the version before the suite, so one handshake for each list decides every floor: the row passes when
/// the version that was chosen is not below it.
package enum ATSOffer: Hashable, Sendable, CaseIterable {
    /// The list of ATS.
    case forwardSecret
    /// The list of ATS and RSA key transport.
    case withKeyTransport
    /// Every suite that authenticates and encrypts.
    case any
}

/// One of the sixteen configurations that macOS's tool plays.
package struct ATSDiagnosisRow: Hashable, Sendable {
    /// 1 to 16, in the tool's order.
    package let number: Int
    /// The tool's name of the row.
    package let name: String
    /// The host's entry; `nil` for the two rows without one.
    package let exception: ATSException?
    /// The floor; `nil` where there is none.
    package let floor: ATSVersion?
    /// What is offered.
    package let offer: ATSOffer
    /// Whether ATS's own rules for certificates hold, beyond the system's.
    package let isStrict: Bool

    /// All rows in their order.
    package static let all: [ATSDiagnosisRow] = {
        let versions: [ATSVersion] = [.tls13, .tls12, .tls11, .tls10]
        var rows = [
            row(1, "ATS Default Connection", nil),
            ATSDiagnosisRow(
                number: 2, name: "Allow All Loads", exception: nil, floor: nil, offer: .any, isStrict: false),
        ]
        for version in versions {
            rows.append(row(rows.count + 1, version.rawValue, ATSException(minimumTLSVersion: version)))
        }
        let noSecrecy = ATSException(requiresForwardSecrecy: false)
        rows.append(row(7, "Disabling Perfect Forward Secrecy", noSecrecy))
        let open = ATSException(allowsInsecureHTTPLoads: true, requiresForwardSecrecy: false)
        rows.append(row(8, "Disabling Perfect Forward Secrecy and Allowing Insecure HTTP", open))
        for version in versions {
            var exception = noSecrecy
            exception.minimumTLSVersion = version
            rows.append(row(rows.count + 1, "\(version.rawValue) with PFS disabled", exception))
        }
        for version in versions {
            var exception = open
            exception.minimumTLSVersion = version
            let name = "\(version.rawValue) with PFS disabled and insecure HTTP allowed"
            rows.append(row(rows.count + 1, name, exception))
        }
        return rows
    }()

    private static func row(_ number: Int, _ name: String, _ exception: ATSException?) -> ATSDiagnosisRow {
        let parameters = exception.map { ATSParameters(under: $0, profile: .current) } ?? .full
        let offer: ATSOffer =
            switch parameters.suites {
            case .forwardSecret: .forwardSecret
            case .withKeyTransport: .withKeyTransport
            case .unrestricted: .any
            }
        return ATSDiagnosisRow(
            number: number, name: name, exception: exception, floor: parameters.minimumTLSVersion, offer: offer,
            isStrict: parameters.isRequired)
    }

    /// The rows that name an exception, from the one that gives up least: version before forward secrecy, forward
    /// secrecy before insecure loads, an entry before any global key.
    static let byWhatTheyGiveUp: [ATSDiagnosisRow] = [1, 5, 6, 7, 11, 12, 8, 15, 16].map { all[$0 - 1] }
}
