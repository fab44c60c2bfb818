extension AttackTable {
    /// Certificates that must not be trusted: no byte of a request leaves.
    static let trust: [AttackCase] = [
        leaf("expired", "validity", "The certificate's time is over.") { $0.validity = .expired },
        leaf("not-yet-valid", "validity", "The certificate's time has not begun.") { $0.validity = .notYetValid },
        leaf("self-signed", "anchor", "The server signed its certificate itself.") { $0.isSelfSigned = true },
        AttackCase("trust/unknown-authority", "anchor", "An authority that nobody knows signed the certificate.") {
            $0.front.certificate.root = .unknown
        },
    ]

    private static func leaf(
        _ name: String, _ rule: String, _ attack: String, _ change: (inout LeafProfile) -> Void
    ) -> AttackCase {
        AttackCase("trust/\(name)", rule, attack) { change(&$0.front.certificate.leaf) }
    }
}
