// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation

// The fields of a certificate, numbered by CSSM (Intel's Common Data Security Architecture). Which of them
// ``SecCertificateCopyValues(_:_:_:)`` tells is said there.

/// The version, a text: 1, 2 or 3.
@safe nonisolated(unsafe) public let kSecOIDX509V1Version: CFString = "2.16.840.1.113741.2.1.1.1.2"
/// The serial number, a text: decimal up to eight bytes, else bytes in hexadecimal with blanks between.
@safe nonisolated(unsafe) public let kSecOIDX509V1SerialNumber: CFString = "2.16.840.1.113741.2.1.1.1.3"
/// The issuer: a section with one property for each part of its name.
@safe nonisolated(unsafe) public let kSecOIDX509V1IssuerName: CFString = "2.16.840.1.113741.2.1.1.1.5"
/// The first moment of validity: a number, seconds since 2001.
@safe nonisolated(unsafe) public let kSecOIDX509V1ValidityNotBefore: CFString = "2.16.840.1.113741.2.1.1.1.6"
/// The last moment of validity: a number, seconds since 2001.
@safe nonisolated(unsafe) public let kSecOIDX509V1ValidityNotAfter: CFString = "2.16.840.1.113741.2.1.1.1.7"
/// The subject: a section with one property for each part of its name.
@safe nonisolated(unsafe) public let kSecOIDX509V1SubjectName: CFString = "2.16.840.1.113741.2.1.1.1.8"
/// The public key's algorithm.
@safe nonisolated(unsafe) public let kSecOIDX509V1SubjectPublicKeyAlgorithm: CFString = "2.16.840.1.113741.2.1.1.1.9"
/// The public key's bits, data.
@safe nonisolated(unsafe) public let kSecOIDX509V1SubjectPublicKey: CFString = "2.16.840.1.113741.2.1.1.1.10"
/// The issuer's unique identifier (RFC 5280 §4.1.2.8).
@safe nonisolated(unsafe) public let kSecOIDX509V1CertificateIssuerUniqueId: CFString = "2.16.840.1.113741.2.1.1.1.11"
/// The subject's unique identifier (RFC 5280 §4.1.2.8).
@safe nonisolated(unsafe) public let kSecOIDX509V1CertificateSubjectUniqueId: CFString = "2.16.840.1.113741.2.1.1.1.12"
/// The parameters of the public key's algorithm.
@safe nonisolated(unsafe) public let kSecOIDX509V1SubjectPublicKeyAlgorithmParameters: CFString =
    "2.16.840.1.113741.2.1.1.1.18"
/// The subject's name, encoded.
@safe nonisolated(unsafe) public let kSecOIDX509V1SubjectNameStd: CFString = "2.16.840.1.113741.2.1.1.1.22"
/// The issuer's name, encoded.
@safe nonisolated(unsafe) public let kSecOIDX509V1IssuerNameStd: CFString = "2.16.840.1.113741.2.1.1.1.23"
/// The issuer's name in LDAP's spelling.
@safe nonisolated(unsafe) public let kSecOIDX509V1IssuerNameLDAP: CFString = "2.16.840.1.113741.2.1.1.1.5.2"
/// The subject's name in LDAP's spelling.
@safe nonisolated(unsafe) public let kSecOIDX509V1SubjectNameLDAP: CFString = "2.16.840.1.113741.2.1.1.1.8.2"
/// How the issuer signed: a section with `Algorithm`, a dotted identifier.
@safe nonisolated(unsafe) public let kSecOIDX509V1SignatureAlgorithm: CFString = "2.16.840.1.113741.2.1.3.2.1"
/// The issuer's signature, data.
@safe nonisolated(unsafe) public let kSecOIDX509V1Signature: CFString = "2.16.840.1.113741.2.1.3.2.2"
/// The parameters of the issuer's algorithm.
@safe nonisolated(unsafe) public let kSecOIDX509V1SignatureAlgorithmParameters: CFString = "2.16.840.1.113741.2.1.3.2.3"
/// The issuer's algorithm, as the signed part names it.
@safe nonisolated(unsafe) public let kSecOIDX509V1SignatureAlgorithmTBS: CFString = "2.16.840.1.113741.2.1.3.2.10"
/// The certificate with its signature.
@safe nonisolated(unsafe) public let kSecOIDX509V3SignedCertificate: CFString = "2.16.840.1.113741.2.1.1.1.0"
/// The certificate without its signature.
@safe nonisolated(unsafe) public let kSecOIDX509V3Certificate: CFString = "2.16.840.1.113741.2.1.1.1.1"
/// One extension.
@safe nonisolated(unsafe) public let kSecOIDX509V3CertificateExtensionStruct: CFString = "2.16.840.1.113741.2.1.1.1.13"
/// How many extensions there are.
@safe nonisolated(unsafe) public let kSecOIDX509V3CertificateNumberOfExtensions: CFString =
    "2.16.840.1.113741.2.1.1.1.14"
/// An extension's identifier.
@safe nonisolated(unsafe) public let kSecOIDX509V3CertificateExtensionId: CFString = "2.16.840.1.113741.2.1.1.1.15"
/// Whether an extension is critical.
@safe nonisolated(unsafe) public let kSecOIDX509V3CertificateExtensionCritical: CFString =
    "2.16.840.1.113741.2.1.1.1.16"
/// An extension's content.
@safe nonisolated(unsafe) public let kSecOIDX509V3CertificateExtensionValue: CFString = "2.16.840.1.113741.2.1.1.1.17"
/// An extension's kind, in CSSM's numbers.
@safe nonisolated(unsafe) public let kSecOIDX509V3CertificateExtensionType: CFString = "2.16.840.1.113741.2.1.1.1.19"
/// All extensions.
@safe nonisolated(unsafe) public let kSecOIDX509V3CertificateExtensionsStruct: CFString = "2.16.840.1.113741.2.1.1.1.21"
