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
