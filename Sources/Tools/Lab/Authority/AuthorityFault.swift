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
    /// The work is done, the answer comes so many seconds later.
    case delayed(seconds: Int)
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
    /// `state` is not the one that was sent.
    case wrongState
    /// There is no `state`.
    case missingState
    /// `state` stands twice.
    case doubledState
    /// `iss` names another authority (RFC 9207).
    case wrongIssuer
    /// There is no `iss`, although the metadata promises one.
    case missingIssuer
    /// `iss` stands twice.
    case doubledIssuer
    /// `code` stands twice.
    case doubledCode
    /// There is no `code`.
    case missingCode
    /// The person said no: `error=access_denied`.
    case accessDenied
    /// An access token stands in the query.
    case tokenInQuery
    /// An access token stands in the fragment.
    case tokenInFragment
}

/// Something wrong with the id token (OpenID Connect Core §3.1.3.7).
public enum IDTokenFault: Hashable, Sendable, CaseIterable {
    /// `iss` names another authority.
    case wrongIssuer
    /// There is no `iss`.
    case missingIssuer
    /// `aud` names another client.
    case wrongAudience
    /// There is no `aud`.
    case missingAudience
    /// `aud` names another client beside this one.
    case foreignSecondAudience
    /// `nonce` is not the one that was sent.
    case wrongNonce
    /// There is no `nonce`.
    case missingNonce
    /// `sub` is another person than before.
    case wrongSubject
    /// There is no `sub`.
    case missingSubject
    /// There is no `exp`.
    case missingExpiry
    /// `exp` has passed.
    case expired
    /// There is no `iat`.
    case missingIssuedAt
    /// `iat` has not come.
    case issuedInFuture
    /// The header says `alg: none`, and there is no signature.
    case algorithmNone
    /// The algorithm is null.
    case algorithmNull
    /// The public key was used as the key of an HMAC.
    case publicKeyAsHMACKey
    /// The signature does not fit.
    case badSignature
    /// `kid` names a key that the authority does not publish.
    case unknownKeyID
    /// Another key signed it, under the name of a published one.
    case foreignKey
    /// The header carries the key that it is to be checked with.
    case embeddedKey
    /// `crit` names an extension that nobody knows.
    case unknownCritical
    /// It is no token at all.
    case notAToken
}
