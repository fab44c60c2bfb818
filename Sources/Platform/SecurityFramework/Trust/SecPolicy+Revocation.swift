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
/// This evaluator asks nobody. Without ``kSecRevocationRequirePositiveResponse`` a missing answer is no failure, on
/// Apple's systems neither, so the policy then judges like ``SecPolicyCreateBasicX509()``. A policy that needs an answer
/// would fail every chain or, worse, pass one unasked: it is not made.
///
/// - Returns: `nil` with ``kSecRevocationRequirePositiveResponse``.
public func SecPolicyCreateRevocation(_ revocationFlags: CFOptionFlags) -> SecPolicy? {
    guard revocationFlags & kSecRevocationRequirePositiveResponse == 0 else { return nil }
    return SecPolicyCreateBasicX509()
}
