public import Foundation

// Names around PKCS #12 import and shared passwords. A constant is its code as a text, so literal dictionaries with
// codes work too.

/// The passphrase of the file.
@safe nonisolated(unsafe) public let kSecImportExportPassphrase: CFString = "passphrase"
/// Keeps what is imported in memory, whatever else the options say.
@safe nonisolated(unsafe) public let kSecImportToMemoryOnly: CFString = "memory"
/// The label of an imported item.
@safe nonisolated(unsafe) public let kSecImportItemLabel: CFString = "label"
/// The key identifier of an imported item.
@safe nonisolated(unsafe) public let kSecImportItemKeyID: CFString = "keyid"
/// The trust object of an imported item.
@safe nonisolated(unsafe) public let kSecImportItemTrust: CFString = "trust"
/// The certificate chain of an imported item.
@safe nonisolated(unsafe) public let kSecImportItemCertChain: CFString = "chain"
/// The identity of an imported item.
@safe nonisolated(unsafe) public let kSecImportItemIdentity: CFString = "identity"
/// A shared web password.
@safe nonisolated(unsafe) public let kSecSharedPassword: CFString = "spwd"
