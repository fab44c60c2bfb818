// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation

// The purposes that an extended key usage names (RFC 5280 §4.2.1.12).

/// A purpose: every one.
@safe nonisolated(unsafe) public let kSecOIDExtendedKeyUsageAny: CFString = "2.5.29.37.0"
/// A purpose: a server of TLS.
@safe nonisolated(unsafe) public let kSecOIDServerAuth: CFString = "1.3.6.1.5.5.7.3.1"
/// A purpose: a client of TLS.
@safe nonisolated(unsafe) public let kSecOIDClientAuth: CFString = "1.3.6.1.5.5.7.3.2"
/// A purpose: signing code.
@safe nonisolated(unsafe) public let kSecOIDExtendedUseCodeSigning: CFString = "1.3.6.1.5.5.7.3.3"
/// A purpose: signed or encrypted mail.
@safe nonisolated(unsafe) public let kSecOIDEmailProtection: CFString = "1.3.6.1.5.5.7.3.4"
/// A purpose: signed time stamps.
@safe nonisolated(unsafe) public let kSecOIDTimeStamping: CFString = "1.3.6.1.5.5.7.3.8"
/// A purpose: signing answers of a status service (OCSP).
@safe nonisolated(unsafe) public let kSecOIDOCSPSigning: CFString = "1.3.6.1.5.5.7.3.9"
/// A purpose: IPsec's key exchange (RFC 4945).
@safe nonisolated(unsafe) public let kSecOIDEKU_IPSec: CFString = "1.3.6.1.5.5.8.2.2"
/// A purpose: a client of Kerberos (RFC 4556).
@safe nonisolated(unsafe) public let kSecOIDKERBv5_PKINIT_KP_CLIENT_AUTH: CFString = "1.3.6.1.5.2.3.4"
/// A purpose: a key distribution centre of Kerberos (RFC 4556).
@safe nonisolated(unsafe) public let kSecOIDKERBv5_PKINIT_KP_KDC: CFString = "1.3.6.1.5.2.3.5"
/// A purpose: strong encryption in old export browsers, by Microsoft.
@safe nonisolated(unsafe) public let kSecOIDMicrosoftSGC: CFString = "1.3.6.1.4.1.311.10.3.3"
/// A purpose: strong encryption in old export browsers, by Netscape.
@safe nonisolated(unsafe) public let kSecOIDNetscapeSGC: CFString = "2.16.840.1.113730.4.1"
