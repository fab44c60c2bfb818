public import Foundation

// Attributes of certificates. A constant is its code as a text, so literal dictionaries with codes work too.

/// The subject's name, normalised DER.
@safe nonisolated(unsafe) public let kSecAttrSubject: CFString = "subj"
/// The issuer's name, normalised DER.
@safe nonisolated(unsafe) public let kSecAttrIssuer: CFString = "issr"
/// The serial number.
@safe nonisolated(unsafe) public let kSecAttrSerialNumber: CFString = "slnr"
/// The subject key identifier.
@safe nonisolated(unsafe) public let kSecAttrSubjectKeyID: CFString = "skid"
/// SHA-1 of the public key, which joins a certificate to its private key.
@safe nonisolated(unsafe) public let kSecAttrPublicKeyHash: CFString = "pkhh"
/// The kind of certificate, a number.
@safe nonisolated(unsafe) public let kSecAttrCertificateType: CFString = "ctyp"
/// The encoding, a number.
@safe nonisolated(unsafe) public let kSecAttrCertificateEncoding: CFString = "cenc"
