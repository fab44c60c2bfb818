/// Something that goes wrong at one endpoint. Set it with ``LabAuthority/fail(_:with:times:)``.
///
/// The first group happens *instead of* the work: the server's state does not change. The second group happens *after*
/// it: a token was issued, rotated or revoked, and only the answer suffers.
public enum AuthorityFault: Sendable {
    /// This status with an empty body.
    case status(Int)
    /// This status with a page of HTML, as a proxy or a captive portal answers.
    case page(Int)
    /// An OAuth error as RFC 6749 §5.2 writes it.
    case error(Int, String)
    /// An OAuth error whose content type is `text/html`.
    case disguisedError(Int, String)
    /// 429, with this `Retry-After` if there is one.
    case tooManyRequests(retryAfter: String?)
    /// A redirect to this address.
    case redirect(Int, to: String)
    /// No answer; the connection stays open.
    case silence
    /// The connection is closed; nothing was done.
    case hangUp
    /// A valid JSON object of so many bytes.
    case oversized(bytes: Int)
    /// Arrays inside each other.
    case nested(depth: Int)
    /// This answer.
    case answer(LabResponse)

    /// The work is done, the answer waits for the gate.
    case late(LabGate)
    /// The work is done, the answer is lost: the connection closes without a byte.
    case lostAnswer
    /// The work is done, the answer breaks off after so many bytes, head included.
    case cut(after: Int)
    /// The answer's content type is this.
    case contentType(String)
    /// The answer begins with a byte-order mark.
    case byteOrderMark
    /// The answer is not UTF-8.
    case invalidText
    /// The answer lacks this member.
    case without(String)
    /// The answer's member has this text instead.
    case member(String, String)
    /// The answer has this member twice, the second time with this text.
    case twice(String, String)
}

/// Something wrong with the answer that travels through the browser.
public enum CallbackFault: Hashable, Sendable, CaseIterable {
    case wrongState
    case missingState
    case doubledState
    case wrongIssuer
    case missingIssuer
    case doubledIssuer
    case doubledCode
    case missingCode
    case accessDenied
    case tokenInQuery
    case tokenInFragment
}

/// Something wrong with the id token (OpenID Connect Core §3.1.3.7).
public enum IDTokenFault: Hashable, Sendable, CaseIterable {
    case wrongIssuer
    case missingIssuer
    case wrongAudience
    case missingAudience
    case foreignSecondAudience
    case wrongNonce
    case missingNonce
    case wrongSubject
    case missingSubject
    case missingExpiry
    case expired
    case missingIssuedAt
    case issuedInFuture
    case algorithmNone
    case algorithmNull
    case publicKeyAsHMACKey
    case badSignature
    case unknownKeyID
    case foreignKey
    case embeddedKey
    case unknownCritical
    case notAToken
}
