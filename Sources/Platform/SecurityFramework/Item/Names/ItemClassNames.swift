public import Foundation

// Item classes, and the key that names one. A constant is its code as a text, so literal dictionaries with codes work
// too.

/// The key of the item class; every query has it or a persistent reference.
@safe nonisolated(unsafe) public let kSecClass: CFString = "class"
/// A password named by account and service.
@safe nonisolated(unsafe) public let kSecClassGenericPassword: CFString = "genp"
/// A password of a server.
@safe nonisolated(unsafe) public let kSecClassInternetPassword: CFString = "inet"
/// A certificate.
@safe nonisolated(unsafe) public let kSecClassCertificate: CFString = "cert"
/// A key.
@safe nonisolated(unsafe) public let kSecClassKey: CFString = "keys"
/// A certificate together with its private key.
@safe nonisolated(unsafe) public let kSecClassIdentity: CFString = "idnt"
