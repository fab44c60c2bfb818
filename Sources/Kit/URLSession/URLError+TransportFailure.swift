public import Foundation
public import PaviseTransport

extension URLError {
    /// The failure with the code that Apple's URLSession gives in the same case. The failure itself is the underlying
    /// error.
    ///
    /// -1022 for plain http that App Transport Security refuses, -1200 with the number below `_kCFStreamErrorCodeKey`
    /// for its other rules and for TLS, -1202 for a certificate, pins included, -1001 for a time limit, -999 for a
    /// cancelled task, -1007 for redirects without end.
    ///
    /// - Parameters:
    ///   - failure: Why no answer came.
    ///   - url: The address that was loaded.
    public init(_ failure: TransportFailure, _ url: URL? = nil) {
        self = Self.explained(Self.code(of: failure), Self.words(for: failure), url, underlying: failure)
    }

    /// An error with its text, address and cause under the keys of `userInfo` that Foundation reads.
    static func explained(_ code: Code, _ words: String, _ url: URL?, underlying: (any Error)? = nil) -> URLError {
        var facts: [String: Any] = [NSLocalizedDescriptionKey: words]
        if let underlying { facts[NSUnderlyingErrorKey] = underlying }
        if let code = (underlying as? TransportFailure)?.streamCode { facts["_kCFStreamErrorCodeKey"] = code.rawValue }
        if let url {
            facts[NSURLErrorFailingURLErrorKey] = url
        }
        return URLError(code, userInfo: facts)
    }

    /// What the transport said; `nil` for an error of another origin.
    public var transportFailure: TransportFailure? { userInfo[NSUnderlyingErrorKey] as? TransportFailure }

    private static func code(of failure: TransportFailure) -> Code {
        switch failure {
        case .refusedByATS(let refusal):
            refusal.code == .requiresSecureConnection
                ? .appTransportSecurityRequiresSecureConnection : .secureConnectionFailed
        case .untrusted: .serverCertificateUntrusted
        case .tls: .secureConnectionFailed
        case .credentialRefused: .userAuthenticationRequired
        case .managed: .dataNotAllowed
        case .unusableRequest: .badURL
        case .timeout: .timedOut
        case .cancelled: .cancelled
        case .bodyTooLarge: .dataLengthExceedsMaximum
        case .malformed: .badServerResponse
        case .redirects: .httpTooManyRedirects
        case .receiver: .cannotWriteToFile
        case .network(_, sent: true): .networkConnectionLost
        case .network: failure.isUnknownName ? .cannotFindHost : .cannotConnectToHost
        }
    }

    private static func words(for failure: TransportFailure) -> String {
        switch failure {
        case .refusedByATS(let refusal): refusal.description
        case .managed(let words), .unusableRequest(let words), .tls(let words, _), .network(let words, _),
            .malformed(let words), .redirects(let words), .receiver(let words):
            words
        case .untrusted(let refusal):
            "The server's certificate is refused: \(refusal.failures.map(\.rawValue).joined(separator: ", "))."
        case .credentialRefused(let origin): "A credential must not go to \(origin)."
        case .timeout: "The time limit passed."
        case .cancelled: "cancelled"
        case .bodyTooLarge(let limit): "The answer is larger than \(limit) bytes."
        }
    }
}

extension TransportFailure {
    /// Apple's stream error code, below the code of the URLError; `nil` where there is none.
    fileprivate var streamCode: ATSFailureCode? {
        switch self {
        case .refusedByATS(let refusal): refusal.code == .requiresSecureConnection ? nil : refusal.code
        case .tls(_, .secureConnectionFailed): nil
        case .tls(_, let code): code
        default: nil
        }
    }
}
