// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// Ask the issuer with OCSP.
public let kSecRevocationOCSPMethod: CFOptionFlags = 1 << 0
/// Ask with revocation lists.
public let kSecRevocationCRLMethod: CFOptionFlags = 1 << 1
/// Ask with lists first.
public let kSecRevocationPreferCRL: CFOptionFlags = 1 << 2
/// Without an answer the chain is not trusted.
public let kSecRevocationRequirePositiveResponse: CFOptionFlags = 1 << 3
/// Ask nobody; use what is there.
public let kSecRevocationNetworkAccessDisabled: CFOptionFlags = 1 << 4
/// Ask with either.
public let kSecRevocationUseAnyAvailableMethod: CFOptionFlags = kSecRevocationOCSPMethod | kSecRevocationCRLMethod

/// The rule that revoked certificates are not trusted, as far as an answer can be had.
///
/// This evaluator asks nobody: it judges by what ``SecTrustSetOCSPResponse(_:_:)`` gave. What is revoked is refused
/// (-67820). With ``kSecRevocationRequirePositiveResponse`` each certificate below the anchor needs a good answer, and
/// a chain without them is refused (-67635); without it a missing answer is no failure, as on Apple's systems.
///
/// - Returns: `nil` for flags that ask for no method at all.
public func SecPolicyCreateRevocation(_ revocationFlags: CFOptionFlags) -> SecPolicy? {
    guard revocationFlags & kSecRevocationUseAnyAvailableMethod != 0 else { return nil }
    var policy = ChainPolicy(purpose: .any, host: nil)
    policy.revocation = revocationFlags & kSecRevocationRequirePositiveResponse == 0 ? .soft : .hard
    return SecPolicy(policy)
}
