internal import PavisePrimitives
internal import PaviseTransport

/// One decision of App Transport Security as text and as JSON.
struct DecisionReport {
    let url: WebURL
    let isDirect: Bool
    let decision: ATSDecision
    let documented: ATSDecision

    private var reasons: [ATSDecision.Reason] {
        decision.reasons + decision.differences(from: documented).map { .documentationDiffers($0) }
    }

    private var suites: [String]? { decision.parameters.cipherSuites()?.map(\.name) }

    /// The object for programs.
    var data: JSONValue {
        let parameters = decision.parameters
        return .fields([
            "url": .string("\(url)"), "allowed": .bool(decision.isAllowed),
            "minimumTLS": parameters.minimumTLSVersion.map { .string($0.rawValue) } ?? .null,
            "forwardSecrecyRequired": .bool(parameters.requiresForwardSecrecy),
            "cipherSuites": suites.map { .array($0.map { .string($0) }) } ?? .null,
            "certificateRules": certificateRules,
            "exception": decision.exception.map { .string($0) } ?? .null,
            "reasons": .array(
                reasons.map { .fields(["code": .string($0.code), "text": .string($0.description)]) }),
        ])
    }

    private var certificateRules: JSONValue {
        let parameters = decision.parameters
        let rules = parameters.certificateRules
        return .fields([
            "required": .bool(parameters.isRequired), "trustMayBeLoosened": .bool(parameters.mayLoosenTrust),
            "minimumRSABits": rules.map { .integer($0.minimumRSABits) } ?? .null,
            "minimumECBits": rules.map { .integer($0.minimumECBits) } ?? .null,
            "weakestHash": rules.map { .string($0.weakestHash) } ?? .null,
        ])
    }

    /// The text for people.
    var report: Report {
        let parameters = decision.parameters
        var report = Report(data: data)
        report.add(decision.isAllowed ? .success("allowed  \(url)") : .failure("blocked  \(url)"))
        if !decision.isAllowed {
            let code = ATSFailureCode.requiresSecureConnection
            report.add(.fact(.init("error", "Error", "\(code.rawValue) \(code.name)")))
        }
        report.add(.fact(.init("exception", "Exception", decision.exception ?? "none")))
        report.add(.fact(.init("direct", "Local target", .bool(isDirect))))
        report.add(.fact(.init("minimumTLS", "Lowest TLS", parameters.minimumTLSVersion?.rawValue ?? "not set")))
        report.add(.fact(.init("suites", "Suites", suiteWords)))
        report.add(.fact(.init("certificates", "Certificates", certificateWords)))
        for reason in reasons { report.add(.line("  - \(reason)")) }
        return report
    }

    private var suiteWords: String {
        switch decision.parameters.suites {
        case .unrestricted: "not restricted"
        case .forwardSecret: "the \(ATSCipherSuite.forwardSecret.count) of ATS, all with forward secrecy"
        case .withKeyTransport: "those of ATS and \(ATSCipherSuite.rsaKeyTransport.count) with RSA key transport"
        }
    }

    private var certificateWords: String {
        guard let rules = decision.parameters.certificateRules else { return "the system's rules alone" }
        let loose = decision.parameters.mayLoosenTrust ? "; the app may accept others" : ""
        return "RSA ≥ \(rules.minimumRSABits), EC ≥ \(rules.minimumECBits), \(rules.weakestHash) or better\(loose)"
    }
}
