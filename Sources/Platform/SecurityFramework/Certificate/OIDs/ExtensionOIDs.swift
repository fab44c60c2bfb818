// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation

// The extensions of certificates and revocation lists (RFC 5280 §4.2 and §5). Which of them
// ``SecCertificateCopyValues(_:_:_:)`` tells is said there.

/// Attributes of the subject, its nationality for example.
@safe nonisolated(unsafe) public let kSecOIDSubjectDirectoryAttributes: CFString = "2.5.29.9"
/// The key's identifier: a section with `Key Identifier`.
@safe nonisolated(unsafe) public let kSecOIDSubjectKeyIdentifier: CFString = "2.5.29.14"
/// What the key may do: a number, bit 0 for digital signatures to bit 8 for deciphering only (RFC 5280 §4.2.1.3).
@safe nonisolated(unsafe) public let kSecOIDKeyUsage: CFString = "2.5.29.15"
/// When the private key may sign, where that is not the certificate's own time (RFC 3280).
@safe nonisolated(unsafe) public let kSecOIDPrivateKeyUsagePeriod: CFString = "2.5.29.16"
/// The alternative names: a section with `DNS Name`, `Email Address`, `URI`, `IP Address` and `Directory Name`.
@safe nonisolated(unsafe) public let kSecOIDSubjectAltName: CFString = "2.5.29.17"
/// The issuer's alternative names.
@safe nonisolated(unsafe) public let kSecOIDIssuerAltName: CFString = "2.5.29.18"
/// Whether the certificate is an authority's: a section with `Certificate Authority` and `Path Length Constraint`.
@safe nonisolated(unsafe) public let kSecOIDBasicConstraints: CFString = "2.5.29.19"
/// In a revocation list: its number.
@safe nonisolated(unsafe) public let kSecOIDCrlNumber: CFString = "2.5.29.20"
/// In an entry of a revocation list: why the certificate was revoked.
@safe nonisolated(unsafe) public let kSecOIDCrlReason: CFString = "2.5.29.21"
/// In an entry of a revocation list: what to do about a certificate on hold (RFC 3280).
@safe nonisolated(unsafe) public let kSecOIDHoldInstructionCode: CFString = "2.5.29.23"
/// In an entry of a revocation list: since when the key is suspected.
@safe nonisolated(unsafe) public let kSecOIDInvalidityDate: CFString = "2.5.29.24"
/// In a revocation list: that it holds what changed since another one.
@safe nonisolated(unsafe) public let kSecOIDDeltaCrlIndicator: CFString = "2.5.29.27"
/// In a revocation list: what it covers.
@safe nonisolated(unsafe) public let kSecOIDIssuingDistributionPoint: CFString = "2.5.29.28"
/// The same extension as ``kSecOIDIssuingDistributionPoint``; Apple has both names.
@safe nonisolated(unsafe) public let kSecOIDIssuingDistributionPoints: CFString = "2.5.29.28"
/// In an entry of a revocation list: who issued the certificate.
@safe nonisolated(unsafe) public let kSecOIDCertIssuer: CFString = "2.5.29.29"
/// For an authority: which names it may certify.
@safe nonisolated(unsafe) public let kSecOIDNameConstraints: CFString = "2.5.29.30"
/// Where the issuer's revocation lists lie.
@safe nonisolated(unsafe) public let kSecOIDCrlDistributionPoints: CFString = "2.5.29.31"
/// The policies: a section with one property for each, a dotted identifier.
@safe nonisolated(unsafe) public let kSecOIDCertificatePolicies: CFString = "2.5.29.32"
/// For an authority: which policies of two domains are equal.
@safe nonisolated(unsafe) public let kSecOIDPolicyMappings: CFString = "2.5.29.33"
/// The identifier of the issuer's key: a section with `Key Identifier`.
@safe nonisolated(unsafe) public let kSecOIDAuthorityKeyIdentifier: CFString = "2.5.29.35"
/// For an authority: whether policies must be named.
@safe nonisolated(unsafe) public let kSecOIDPolicyConstraints: CFString = "2.5.29.36"
/// The purposes of the certificate.
@safe nonisolated(unsafe) public let kSecOIDExtendedKeyUsage: CFString = "2.5.29.37"
/// Where to learn more about the issuer: a section with `Access Method`, a dotted identifier, and the place, for each
/// (RFC 5280 §4.2.2.1).
@safe nonisolated(unsafe) public let kSecOIDAuthorityInfoAccess: CFString = "1.3.6.1.5.5.7.1.1"
/// Digests of the subject's biometric features (RFC 3739).
@safe nonisolated(unsafe) public let kSecOIDBiometricInfo: CFString = "1.3.6.1.5.5.7.1.2"
/// What makes the certificate a qualified one (RFC 3739).
@safe nonisolated(unsafe) public let kSecOIDQC_Statements: CFString = "1.3.6.1.5.5.7.1.3"
/// Where to learn more about the subject (RFC 5280 §4.2.2.2).
@safe nonisolated(unsafe) public let kSecOIDSubjectInfoAccess: CFString = "1.3.6.1.5.5.7.1.11"
/// Netscape's purposes, before there was an extension for them.
@safe nonisolated(unsafe) public let kSecOIDNetscapeCertType: CFString = "2.16.840.1.113730.1.1"
/// Netscape's form of several certificates.
@safe nonisolated(unsafe) public let kSecOIDNetscapeCertSequence: CFString = "2.16.840.1.113730.2.5"
/// CSSM's use exemptions, an extension that no standard has.
@safe nonisolated(unsafe) public let kSecOIDUseExemptions: CFString = "2.16.840.1.113741.2.1.1.1.50.4"
/// CSSM's picture of the subject's handwritten signature.
@safe nonisolated(unsafe) public let kSecOIDSubjectSignatureBitmap: CFString = "2.16.840.1.113741.2.1.1.1.50.1"
/// CSSM's picture of the subject.
@safe nonisolated(unsafe) public let kSecOIDSubjectPicture: CFString = "2.16.840.1.113741.2.1.1.1.50.2"
/// CSSM's mail address of the subject.
@safe nonisolated(unsafe) public let kSecOIDSubjectEmailAddress: CFString = "2.16.840.1.113741.2.1.1.1.50.3"
