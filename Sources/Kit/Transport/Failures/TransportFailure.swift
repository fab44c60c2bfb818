/// Why no answer came. No case holds a credential or a body.
public enum TransportFailure: Error, Hashable, Sendable {
    /// App Transport Security refused: before a connection was made (plain http, for example), or in the handshake,
    /// when the certificate breaks a rule that the system alone does not have. Nothing was sent.
    case refusedByATS(ATSRefusal)
    /// The server's certificate was judged and refused; nothing was sent.
    case untrusted(CertificateRefusal)
    /// The credential belongs to another origin, or the origin has no TLS; nothing was sent.
    case credentialRefused(Origin)
    /// The administrator's rules allow this connection no more, or cannot be read; in words. Nothing was sent.
    case managed(String)
    /// The request itself cannot be sent as it is: a field or method that the caller may not set. Nothing was sent; of
    /// a file that became shorter meanwhile a part may have left, and never what looks like a whole request.
    case unusableRequest(String)
    /// TLS could not be agreed: version, suite, alert. The code is Apple's for the same cause, as
    /// `_kCFStreamErrorCodeKey` has it below -1200 there; ``ATSFailureCode/secureConnectionFailed`` where no nearer one
    /// is known.
    case tls(String, code: ATSFailureCode = .secureConnectionFailed)
    /// Name not found, nobody listens, connection lost. `sent` tells whether any byte of the request may have left.
    case network(String, sent: Bool)
    /// The time limit passed. `sent` as above.
    case timeout(sent: Bool)
    /// The caller cancelled. `sent` as above.
    case cancelled(sent: Bool)
    /// The answer is larger than the request's limit.
    case bodyTooLarge(limit: Int)
    /// The answer is no HTTP that Pavise reads.
    case malformed(String)
    /// Redirects went in a circle, or there were more than allowed.
    case redirects(String)
    /// The caller's own closure threw while the body was delivered.
    case receiver(String)

    /// Whether the server may have seen the whole request (SR8).
    public var requestMayHaveLeft: Bool {
        switch self {
        case .network(_, let sent), .timeout(let sent), .cancelled(let sent): sent
        case .refusedByATS, .untrusted, .credentialRefused, .managed, .unusableRequest, .tls: false
        case .bodyTooLarge, .malformed, .redirects, .receiver: true
        }
    }

    private static let unknownNameText = (
        start: "The name ", end: " was not found. Check its spelling and the network."
    )

    /// No resolver knows the name of the host.
    package static func unknownName(_ host: String) -> Self {
        .network(unknownNameText.start + host + unknownNameText.end, sent: false)
    }

    /// Whether it is what ``unknownName(_:)`` makes: the text of both stands in one place.
    package var isUnknownName: Bool {
        guard case .network(let words, sent: false) = self else { return false }
        return words.hasPrefix(Self.unknownNameText.start) && words.hasSuffix(Self.unknownNameText.end)
    }
}

/// A certificate that was refused, with what a person needs to judge it and the exact failures.
public struct CertificateRefusal: Error, Hashable, Sendable {
    /// What failed, most important first. Never empty.
    public let failures: [TrustFailure]
    /// What the certificate says; `nil` when it could not be read.
    public let summary: CertificateSummary?
    /// Whether an approval by a person could ever overrule this (a pin mismatch or a weak key never can).
    public let canBeApproved: Bool

    /// A refusal from its parts.
    public init(failures: [TrustFailure], summary: CertificateSummary?, canBeApproved: Bool) {
        self.failures = failures
        self.summary = summary
        self.canBeApproved = canBeApproved
    }
}

/// One thing that is wrong with a server's certificate.
public enum TrustFailure: String, Hashable, Sendable, CaseIterable, Codable {
    /// The key or certificate is on the list of those that nobody uses any more, such as those of broken authorities.
    case blocked
    /// Its authority has revoked it (RFC 5280, RFC 6960).
    case revoked
    /// A key of the chain is too short, or of a kind that is not taken.
    case weakKey
    /// A signature of the chain uses a digest that can be forged, such as SHA-1.
    case weakSignature
    /// An administrator denies this key or certificate.
    case denied
    /// None of the pinned keys or certificates is in the chain.
    case pinMismatch
    /// The certificate breaks a rule of its format or of its authority: life too long, a constraint not kept.
    case notCompliant
    /// It lacks the signed timestamps of certificate transparency logs that are demanded (RFC 6962).
    case notTransparent
    /// Nobody could say whether it is revoked, and the policy demands to know.
    case revocationUnknown
    /// No trusted root issued it, directly or through others.
    case unknownAuthority
    /// It is signed with its own key.
    case selfSigned
    /// It is not for servers (extended key usage), or its issuer must not issue.
    case wrongPurpose
    /// It is for other names than the one that was asked for (RFC 9525).
    case wrongHost
    /// Its time is over.
    case expired
    /// Its time has not begun.
    case notYetValid
    /// Every rule holds, but the key and the authorities above it are others than those that the server had before.
    case keyChanged
}

/// What a certificate says, for a person and for an approval.
public struct CertificateSummary: Hashable, Sendable, Codable {
    /// The subject's names as one line.
    public let subject: String
    /// The DNS names and addresses it is for.
    public let names: [String]
    /// The issuer's names as one line.
    public let issuer: String
    /// Seconds since 1970, inclusive.
    public let notBefore: Int64
    /// Seconds since 1970, inclusive.
    public let notAfter: Int64
    /// For example `EC 256` or `RSA 2048`.
    public let key: String
    /// For example `ecdsa-with-SHA256`.
    public let signature: String
    /// The serial number, lower-case hexadecimal.
    public let serial: String
    /// SHA-256 of the certificate, lower-case hexadecimal.
    public let fingerprint: String
    /// SHA-256 of the SubjectPublicKeyInfo, base64 (the form of pins).
    public let spki: String

    /// A summary from its parts.
    public init(
        subject: String, names: [String], issuer: String, notBefore: Int64, notAfter: Int64, key: String,
        signature: String, serial: String, fingerprint: String, spki: String
    ) {
        self.subject = subject
        self.names = names
        self.issuer = issuer
        self.notBefore = notBefore
        self.notAfter = notAfter
        self.key = key
        self.signature = signature
        self.serial = serial
        self.fingerprint = fingerprint
        self.spki = spki
    }
}
