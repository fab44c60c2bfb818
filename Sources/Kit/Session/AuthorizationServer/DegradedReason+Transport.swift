internal import PaviseTransport

extension DegradedReason {
    /// Why an authority gave no answer, by what the transport says. A certificate that is refused is never "not
    /// reached": somebody may stand between.
    init(_ failure: TransportFailure) {
        switch failure {
        case .refusedByATS, .untrusted, .credentialRefused, .tls: self = .trust
        case .unusableRequest, .managed: self = .configuration
        case .network, .timeout, .cancelled: self = .network
        case .bodyTooLarge, .malformed, .redirects, .receiver: self = .server
        }
    }
}

extension SignInFailure {
    /// What a failed request to one of the authority's endpoints means for a sign-in.
    init(_ failure: TransportFailure) {
        if case .cancelled = failure {
            self = .cancelled
        } else {
            self = .unavailable(DegradedReason(failure))
        }
    }
}
