/// What App Transport Security refused: with Apple's number, and the steps that led there.
public struct ATSRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// Apple's number, for example ``ATSFailureCode/requiresSecureConnection``.
    public let code: ATSFailureCode
    /// Where the request was to go.
    public let origin: Origin
    /// The steps of the decision, the last one decided. Empty when the connection showed what is wrong, or when another
    /// rule than the app's configuration forbids plain http.
    public let reasons: [ATSDecision.Reason]
    /// One or two sentences for a person.
    public let description: String

    /// A refusal from its parts.
    package init(
        _ code: ATSFailureCode, at origin: Origin, reasons: [ATSDecision.Reason] = [], _ description: String
    ) {
        self.code = code
        self.origin = origin
        self.reasons = reasons
        self.description = description
    }
}

extension ATSDecision {
    /// Why no connection may be made to `origin`, which this decision is about; `nil` when one may.
    package func refusal(of origin: Origin) -> ATSRefusal? {
        guard isAllowed else {
            return ATSRefusal(
                .requiresSecureConnection, at: origin, reasons: reasons,
                "Plain http to \(origin.host) is refused. Use https.")
        }
        guard origin.scheme == .https, let version = parameters.minimumTLSVersion, version.isDatagram else {
            return nil
        }
        return ATSRefusal(
            .minimumVersion, at: origin, reasons: reasons,
            "No connection to \(origin.host) can have the version \(version.rawValue) that the configuration asks for.")
    }
}
