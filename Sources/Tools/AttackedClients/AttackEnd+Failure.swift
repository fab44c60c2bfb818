internal import PaviseLab
internal import PaviseTransport

extension AttackEnd {
    /// How a request of the kit's client ended.
    init(_ failure: TransportFailure) {
        let ending: AttackExpectation.Ending =
            switch failure {
            case .refusedByATS: .transportSecurity
            case .untrusted(let refusal): refusal.failures.contains(.pinMismatch) ? .pins : .certificate
            case .tls: .handshake
            case .credentialRefused: .credential
            case .unusableRequest, .managed: .unusable
            case .redirects: .redirect
            case .network, .timeout, .cancelled, .bodyTooLarge, .malformed, .receiver: .noAnswer
            }
        self = .stopped(ending, words: "\(failure)")
    }
}
