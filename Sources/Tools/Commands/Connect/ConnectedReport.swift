internal import Pavise
internal import PavisePrimitives
internal import PaviseSession
internal import PaviseTransport

/// What to say after a sign-in.
enum ConnectedReport {
    static func make(
        _ connection: Connection, subject: String?, warnings: [SignInWarning], hops: [ConnectTranscript.Hop]
    ) -> Report {
        let descriptor = connection.descriptor
        let words = warnings.map(\.sentence)
        let data = JSONValue.fields([
            "name": .string(descriptor.name), "id": .string(descriptor.id.text),
            "origin": .string("\(descriptor.origin)"),
            "method": .string(descriptor.method.rawValue), "issuer": descriptor.issuer.map { .string($0) },
            "subject": subject.map { .string($0) }, "clientID": descriptor.clientID.map { .string($0) },
            "identity": descriptor.identity.map { .string($0) },
            "approvals": .integer(descriptor.approvals.count), "servers": .array(hops.map(\.data)),
            "warnings": .array(words.map { .string($0) }),
        ])
        var report = Report(data: data)
        report.add(.success("Connected to \(descriptor.origin) as “\(descriptor.name)”."))
        if let subject { report.add(.fact(.init("subject", "Signed in as", subject))) }
        for word in words { report.add(.line("Note: \(word)")) }
        report.add(.line("Try: pavise fetch \(descriptor.name) /"))
        return report
    }
}

extension ConnectTranscript.Hop {
    /// One server on the way of the sign-in, with its certificate.
    fileprivate var data: JSONValue {
        .fields([
            "origin": .string("\(origin)"), "purposes": .array(purposes.map { .string($0) }),
            "certificate": certificate.map { .object($0.facts.map { .init($0.name, $0.value) }) },
        ])
    }
}

extension SignInWarning {
    /// What the warning means for a person.
    var sentence: String {
        switch self {
        case .proofKeyNotAdvertised: "The authority does not say that it checks the proof key (PKCE)."
        case .narrowerScope(_, let granted):
            "Fewer scopes were granted than asked for: \(granted.joined(separator: " "))."
        case .broaderScope: "More scopes were granted than asked for."
        case .noRefreshToken:
            "The authority gave no refresh token: you will have to sign in again when the access token ends."
        case .clientSecretEnds(let seconds):
            """
            The secret of the registered client ends on \(CivilTime(seconds: seconds).day), and the session with it: \
            connect with --register again before.
            """
        case .noRevocation: "The authority cannot revoke tokens: after a disconnect they end by their own time."
        case .registrationNotKept:
            "What deletes the new client at the authority could not be kept: it stays there after a disconnect."
        }
    }
}
