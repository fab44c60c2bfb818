internal import PavisePrimitives
internal import PaviseTransport

extension CommandFailure {
    /// Words and status for a request without an answer.
    init(_ failure: TransportFailure) {
        switch failure {
        case .refusedByATS(let refusal):
            self.init(
                .refused, "\(refusal.description) Nothing was sent.", rule: "ats", facts: Self.facts(refusal.code))
        case .untrusted(let refusal):
            self = CertificateQuestion.failure(
                refusal, at: nil, advice: "Connect again to look at the new certificate and decide.")
        case .credentialRefused(let origin):
            self.init(
                .refused, "The credential does not belong to \(origin). Nothing was sent.", rule: "credential-origin")
        case .managed(let words): self.init(.refused, "\(Printable.text(words)) Nothing was sent.", rule: "managed")
        case .unusableRequest(let words): self.init(.usage, words)
        case .tls(let words, let code):
            self.init(.refused, "\(words) Nothing was sent.", rule: "tls", facts: Self.facts(code))
        case .network(let words, let sent): self.init(.failed, words + Self.note(sent))
        case .timeout(let sent):
            self.init(.failed, "The server did not answer in time. Try again later.\(Self.note(sent))")
        case .cancelled: self.init(.failed, "Stopped before the end.")
        case .bodyTooLarge(let limit): self.init(.failed, "The answer is larger than \(limit) bytes.")
        case .malformed(let words): self.init(.failed, "The answer is no HTTP that Pavise reads. \(words)")
        case .redirects(let words): self.init(.failed, words)
        case .receiver(let words): self.init(.failed, "The answer could not be written: \(words).")
        }
    }

    private static func facts(_ code: ATSFailureCode) -> [Report.Fact] {
        [.init("appleCode", "Apple's code", .integer(code.rawValue), words: "\(code.rawValue) (\(code.name))")]
    }

    private static func note(_ sent: Bool) -> String {
        sent ? " The server may have received the request." : " Nothing was sent."
    }
}
