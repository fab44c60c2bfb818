extension TransportFailure {
    /// What happened, as a sentence for a person.
    package var sentence: String {
        switch self {
        case .refusedByATS(let refusal): "\(refusal.description) Nothing was sent."
        case .untrusted(let refusal):
            "The server's certificate is not trusted (\(refusal.failures.map(\.rawValue).joined(separator: ", "))). "
                + "Nothing was sent."
        case .credentialRefused(let origin): "The credential does not belong to \(origin). Nothing was sent."
        case .managed(let words), .tls(let words, _): "\(words) Nothing was sent."
        case .unusableRequest(let words), .redirects(let words), .network(let words, _): words
        case .timeout: "The server did not answer in time."
        case .cancelled: "Stopped before the end."
        case .bodyTooLarge(let limit): "The answer is larger than \(limit) bytes."
        case .malformed(let words): "The answer is no HTTP that Pavise reads. \(words)"
        case .receiver(let words): "The answer could not be taken: \(words)."
        }
    }
}
