// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation

// Fields of a certificate as C structures of CSSM, which macOS itself no longer offers: names that old code still has.
// Nothing answers to them.

/// The certificate with its signature, as CSSM's structure.
@safe nonisolated(unsafe) public let kSecOIDX509V3SignedCertificateCStruct: CFString = "2.16.840.1.113741.2.1.1.1.0.1"
/// The certificate, as CSSM's structure.
@safe nonisolated(unsafe) public let kSecOIDX509V3CertificateCStruct: CFString = "2.16.840.1.113741.2.1.1.1.1.1"
/// The issuer's name, as CSSM's structure.
@safe nonisolated(unsafe) public let kSecOIDX509V1IssuerNameCStruct: CFString = "2.16.840.1.113741.2.1.1.1.5.1"
/// The subject's name, as CSSM's structure.
@safe nonisolated(unsafe) public let kSecOIDX509V1SubjectNameCStruct: CFString = "2.16.840.1.113741.2.1.1.1.8.1"
/// One extension, as CSSM's structure.
@safe nonisolated(unsafe) public let kSecOIDX509V3CertificateExtensionCStruct: CFString =
    "2.16.840.1.113741.2.1.1.1.13.1"
/// The public key, as CSSM's key.
@safe nonisolated(unsafe) public let kSecOIDCSSMKeyStruct: CFString = "2.16.840.1.113741.2.1.1.1.20"
/// The public key, as CSSM's structure.
@safe nonisolated(unsafe) public let kSecOIDX509V1SubjectPublicKeyCStruct: CFString = "2.16.840.1.113741.2.1.1.1.20.1"
/// All extensions, as CSSM's structure.
@safe nonisolated(unsafe) public let kSecOIDX509V3CertificateExtensionsCStruct: CFString =
    "2.16.840.1.113741.2.1.1.1.21.1"
/// The signature and its algorithm, encoded.
@safe nonisolated(unsafe) public let kSecOIDX509V1SignatureStruct: CFString = "2.16.840.1.113741.2.1.3.2.0"
/// The signature and its algorithm, as CSSM's structure.
@safe nonisolated(unsafe) public let kSecOIDX509V1SignatureCStruct: CFString = "2.16.840.1.113741.2.1.3.2.0.1"
