// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation

// What Apple has registered below 1.2.840.113635.100: purposes, policies and extensions of its own certificates.

/// A purpose: signing code for Apple's systems.
@safe nonisolated(unsafe) public let kSecOIDAPPLE_EKU_CODE_SIGNING: CFString = "1.2.840.113635.100.4.1"
/// A purpose: signing code in development.
@safe nonisolated(unsafe) public let kSecOIDAPPLE_EKU_CODE_SIGNING_DEV: CFString = "1.2.840.113635.100.4.1.1"
/// A purpose: signing resources.
@safe nonisolated(unsafe) public let kSecOIDAPPLE_EKU_RESOURCE_SIGNING: CFString = "1.2.840.113635.100.4.1.4"
/// A purpose: signing iChat messages.
@safe nonisolated(unsafe) public let kSecOIDAPPLE_EKU_ICHAT_SIGNING: CFString = "1.2.840.113635.100.4.2"
/// A purpose: encrypting iChat messages.
@safe nonisolated(unsafe) public let kSecOIDAPPLE_EKU_ICHAT_ENCRYPTION: CFString = "1.2.840.113635.100.4.3"
/// A purpose: a system's own identity.
@safe nonisolated(unsafe) public let kSecOIDAPPLE_EKU_SYSTEM_IDENTITY: CFString = "1.2.840.113635.100.4.4"
/// Apple's certificate policy.
@safe nonisolated(unsafe) public let kSecOIDAPPLE_CERT_POLICY: CFString = "1.2.840.113635.100.5.1"
/// The policy of .Mac certificates.
@safe nonisolated(unsafe) public let kSecOIDDOTMAC_CERT_POLICY: CFString = "1.2.840.113635.100.5.2"
/// The policy of developers' certificates.
@safe nonisolated(unsafe) public let kSecOIDADC_CERT_POLICY: CFString = "1.2.840.113635.100.5.3"
/// The extensions of .Mac certificates.
@safe nonisolated(unsafe) public let kSecOIDDOTMAC_CERT_EXTENSION: CFString = "1.2.840.113635.100.3.2"
/// An extension: a .Mac identity.
@safe nonisolated(unsafe) public let kSecOIDDOTMAC_CERT_IDENTITY: CFString = "1.2.840.113635.100.3.2.1"
/// An extension: signing mail of .Mac.
@safe nonisolated(unsafe) public let kSecOIDDOTMAC_CERT_EMAIL_SIGN: CFString = "1.2.840.113635.100.3.2.2"
/// An extension: encrypting mail of .Mac.
@safe nonisolated(unsafe) public let kSecOIDDOTMAC_CERT_EMAIL_ENCRYPT: CFString = "1.2.840.113635.100.3.2.3"
/// The extensions of Apple's own.
@safe nonisolated(unsafe) public let kSecOIDAPPLE_EXTENSION: CFString = "1.2.840.113635.100.6"
/// The extensions of certificates that sign code.
@safe nonisolated(unsafe) public let kSecOIDAPPLE_EXTENSION_CODE_SIGNING: CFString = "1.2.840.113635.100.6.1"
/// An extension: Apple signs code.
@safe nonisolated(unsafe) public let kSecOIDAPPLE_EXTENSION_APPLE_SIGNING: CFString = "1.2.840.113635.100.6.1.1"
/// An extension: a developer signs code.
@safe nonisolated(unsafe) public let kSecOIDAPPLE_EXTENSION_ADC_DEV_SIGNING: CFString = "1.2.840.113635.100.6.1.2.0"
/// An extension: Apple signs a developer's code.
@safe nonisolated(unsafe) public let kSecOIDAPPLE_EXTENSION_ADC_APPLE_SIGNING: CFString = "1.2.840.113635.100.6.1.2.0.0"
/// The extensions of Apple's intermediate authorities.
@safe nonisolated(unsafe) public let kSecOIDAPPLE_EXTENSION_INTERMEDIATE_MARKER: CFString = "1.2.840.113635.100.6.2"
/// An extension: the authority for developers.
@safe nonisolated(unsafe) public let kSecOIDAPPLE_EXTENSION_WWDR_INTERMEDIATE: CFString = "1.2.840.113635.100.6.2.1"
/// An extension: the authority of the iTunes store.
@safe nonisolated(unsafe) public let kSecOIDAPPLE_EXTENSION_ITMS_INTERMEDIATE: CFString = "1.2.840.113635.100.6.2.2"
/// An extension: the authority for application integration.
@safe nonisolated(unsafe) public let kSecOIDAPPLE_EXTENSION_AAI_INTERMEDIATE: CFString = "1.2.840.113635.100.6.2.3"
/// An extension: the authority for Apple IDs.
@safe nonisolated(unsafe) public let kSecOIDAPPLE_EXTENSION_APPLEID_INTERMEDIATE: CFString = "1.2.840.113635.100.6.2.7"
