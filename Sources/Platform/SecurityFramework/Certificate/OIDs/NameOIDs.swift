// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation

// The parts of a name (X.520, RFC 5280 §4.1.2.4), as a property of a section is labelled by
// ``SecCertificateCopyValues(_:_:_:)``.

/// The common names of the subject; in a name, one of them.
@safe nonisolated(unsafe) public let kSecOIDCommonName: CFString = "2.5.4.3"
/// In a name: the family name.
@safe nonisolated(unsafe) public let kSecOIDSurname: CFString = "2.5.4.4"
/// In a name: a serial number of the one that it names.
@safe nonisolated(unsafe) public let kSecOIDSerialNumber: CFString = "2.5.4.5"
/// In a name: the country.
@safe nonisolated(unsafe) public let kSecOIDCountryName: CFString = "2.5.4.6"
/// In a name: the place.
@safe nonisolated(unsafe) public let kSecOIDLocalityName: CFString = "2.5.4.7"
/// In a name: the state or province.
@safe nonisolated(unsafe) public let kSecOIDStateProvinceName: CFString = "2.5.4.8"
/// In a name: the state or province of a group.
@safe nonisolated(unsafe) public let kSecOIDCollectiveStateProvinceName: CFString = "2.5.4.8.1"
/// In a name: the street.
@safe nonisolated(unsafe) public let kSecOIDStreetAddress: CFString = "2.5.4.9"
/// In a name: the street of a group.
@safe nonisolated(unsafe) public let kSecOIDCollectiveStreetAddress: CFString = "2.5.4.9.1"
/// In a name: the organization.
@safe nonisolated(unsafe) public let kSecOIDOrganizationName: CFString = "2.5.4.10"
/// In a name: a part of the organization.
@safe nonisolated(unsafe) public let kSecOIDOrganizationalUnitName: CFString = "2.5.4.11"
/// In a name: the position or title.
@safe nonisolated(unsafe) public let kSecOIDTitle: CFString = "2.5.4.12"
/// In a name: a description.
@safe nonisolated(unsafe) public let kSecOIDDescription: CFString = "2.5.4.13"
/// In a name: the given name.
@safe nonisolated(unsafe) public let kSecOIDGivenName: CFString = "2.5.4.42"
/// The mail addresses of the alternative names and of the subject.
@safe nonisolated(unsafe) public let kSecOIDEmailAddress: CFString = "1.2.840.113549.1.9.1"
/// In alternative names: a user's name in a Windows domain.
@safe nonisolated(unsafe) public let kSecOIDMS_NTPrincipalName: CFString = "1.3.6.1.4.1.311.20.2.3"
/// In alternative names: a service of a domain (RFC 4985).
@safe nonisolated(unsafe) public let kSecOIDSRVName: CFString = "1.3.6.1.5.5.7.8.7"
