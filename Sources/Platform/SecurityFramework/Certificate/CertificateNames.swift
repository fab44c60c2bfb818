// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation

// Names of what ``SecCertificateCopyValues(_:_:_:)`` tells: the parts of a property, its types, and the keys of the
// properties.

/// In a property: what kind of value it has.
@safe nonisolated(unsafe) public let kSecPropertyKeyType: CFString = "type"
/// In a property: its name, or the dotted type of a part of a name.
@safe nonisolated(unsafe) public let kSecPropertyKeyLabel: CFString = "label"
/// In a property: its name for people; the same as the label here.
@safe nonisolated(unsafe) public let kSecPropertyKeyLocalizedLabel: CFString = "localized label"
/// In a property: its value.
@safe nonisolated(unsafe) public let kSecPropertyKeyValue: CFString = "value"
/// A property whose value is a list.
@safe nonisolated(unsafe) public let kSecPropertyTypeArray: CFString = "array"
/// A property whose value is bytes.
@safe nonisolated(unsafe) public let kSecPropertyTypeData: CFString = "data"
/// A property whose value is a moment. Apple gives the validity as numbers, and so it is here.
@safe nonisolated(unsafe) public let kSecPropertyTypeDate: CFString = "date"
/// A property whose value is a number.
@safe nonisolated(unsafe) public let kSecPropertyTypeNumber: CFString = "number"
/// A property whose value is a list of properties.
@safe nonisolated(unsafe) public let kSecPropertyTypeSection: CFString = "section"
/// A property whose value is a text.
@safe nonisolated(unsafe) public let kSecPropertyTypeString: CFString = "string"
/// A property whose value is an address.
@safe nonisolated(unsafe) public let kSecPropertyTypeURL: CFString = "url"
/// The common names of the subject.
@safe nonisolated(unsafe) public let kSecOIDCommonName: CFString = "2.5.4.3"
/// The mail addresses of the alternative names and of the subject.
@safe nonisolated(unsafe) public let kSecOIDEmailAddress: CFString = "1.2.840.113549.1.9.1"
/// What the key may do: a number, bit 0 for digital signatures to bit 8 for deciphering only (RFC 5280 §4.2.1.3).
@safe nonisolated(unsafe) public let kSecOIDKeyUsage: CFString = "2.5.29.15"
/// The purposes of the certificate.
@safe nonisolated(unsafe) public let kSecOIDExtendedKeyUsage: CFString = "2.5.29.37"
/// The alternative names: a section with `DNS Name`, `Email Address`, `URI`, `IP Address` and `Directory Name`.
@safe nonisolated(unsafe) public let kSecOIDSubjectAltName: CFString = "2.5.29.17"
/// Whether the certificate is an authority's: a section with `Certificate Authority` and `Path Length Constraint`.
@safe nonisolated(unsafe) public let kSecOIDBasicConstraints: CFString = "2.5.29.19"
/// The key's identifier: a section with `Key Identifier`.
@safe nonisolated(unsafe) public let kSecOIDSubjectKeyIdentifier: CFString = "2.5.29.14"
/// The identifier of the issuer's key: a section with `Key Identifier`.
@safe nonisolated(unsafe) public let kSecOIDAuthorityKeyIdentifier: CFString = "2.5.29.35"
/// In a name: the country.
@safe nonisolated(unsafe) public let kSecOIDCountryName: CFString = "2.5.4.6"
/// In a name: the place.
@safe nonisolated(unsafe) public let kSecOIDLocalityName: CFString = "2.5.4.7"
/// In a name: the state or province.
@safe nonisolated(unsafe) public let kSecOIDStateProvinceName: CFString = "2.5.4.8"
/// In a name: the organization.
@safe nonisolated(unsafe) public let kSecOIDOrganizationName: CFString = "2.5.4.10"
/// In a name: a part of the organization.
@safe nonisolated(unsafe) public let kSecOIDOrganizationalUnitName: CFString = "2.5.4.11"
/// In a name: a serial number of the one that it names.
@safe nonisolated(unsafe) public let kSecOIDSerialNumber: CFString = "2.5.4.5"
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
/// The public key's bits, data.
@safe nonisolated(unsafe) public let kSecOIDX509V1SubjectPublicKey: CFString = "2.16.840.1.113741.2.1.1.1.10"
/// The issuer's signature, data.
@safe nonisolated(unsafe) public let kSecOIDX509V1Signature: CFString = "2.16.840.1.113741.2.1.3.2.2"
/// How the issuer signed: a section with `Algorithm`, a dotted identifier.
@safe nonisolated(unsafe) public let kSecOIDX509V1SignatureAlgorithm: CFString = "2.16.840.1.113741.2.1.3.2.1"
/// The policies: a section with one property for each, a dotted identifier.
@safe nonisolated(unsafe) public let kSecOIDCertificatePolicies: CFString = "2.5.29.32"
/// Where to learn more about the issuer: a section with `Access Method`, a dotted identifier, and the place, for each
/// (RFC 5280 §4.2.2.1).
@safe nonisolated(unsafe) public let kSecOIDAuthorityInfoAccess: CFString = "1.3.6.1.5.5.7.1.1"
