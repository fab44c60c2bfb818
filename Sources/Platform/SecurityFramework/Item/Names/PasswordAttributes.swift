public import Foundation

// Attributes of passwords. A constant is its code as a text, so literal dictionaries with codes work too.

/// The account's name. Part of what makes a password unique.
@safe nonisolated(unsafe) public let kSecAttrAccount: CFString = "acct"
/// The service's name. Part of what makes a generic password unique.
@safe nonisolated(unsafe) public let kSecAttrService: CFString = "svce"
/// Bytes of the application's own.
@safe nonisolated(unsafe) public let kSecAttrGeneric: CFString = "gena"
/// The kind of item, for a person.
@safe nonisolated(unsafe) public let kSecAttrDescription: CFString = "desc"
/// A comment.
@safe nonisolated(unsafe) public let kSecAttrComment: CFString = "icmt"
/// Four characters of the creating program, as a number.
@safe nonisolated(unsafe) public let kSecAttrCreator: CFString = "crtr"
/// Four characters of the item's type, as a number. The same code as the key type.
@safe nonisolated(unsafe) public let kSecAttrType: CFString = "type"
/// Whether lists should leave the item out.
@safe nonisolated(unsafe) public let kSecAttrIsInvisible: CFString = "invi"
/// Whether there is deliberately no password.
@safe nonisolated(unsafe) public let kSecAttrIsNegative: CFString = "nega"
/// The domain of an internet password.
@safe nonisolated(unsafe) public let kSecAttrSecurityDomain: CFString = "sdmn"
/// The server's name.
@safe nonisolated(unsafe) public let kSecAttrServer: CFString = "srvr"
/// The protocol; one of the protocol values.
@safe nonisolated(unsafe) public let kSecAttrProtocol: CFString = "ptcl"
/// The authentication type, one of `kSecAttrAuthenticationType…`.
@safe nonisolated(unsafe) public let kSecAttrAuthenticationType: CFString = "atyp"
/// The port, a number.
@safe nonisolated(unsafe) public let kSecAttrPort: CFString = "port"
/// The path on the server.
@safe nonisolated(unsafe) public let kSecAttrPath: CFString = "path"
/// An alias that a person sees.
@safe nonisolated(unsafe) public let kSecAttrAlias: CFString = "alis"
/// A script code: the encoding of texts, a number.
@safe nonisolated(unsafe) public let kSecAttrScriptCode: CFString = "scrp"
/// Whether the item has an icon of its own.
@safe nonisolated(unsafe) public let kSecAttrHasCustomIcon: CFString = "cusi"
