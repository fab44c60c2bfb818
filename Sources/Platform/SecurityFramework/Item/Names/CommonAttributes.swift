public import Foundation

// Attributes of every class, and accessibility. A constant is its code as a text, so literal dictionaries with codes
// work too.

/// When the item can be read; one of the accessibility values.
@safe nonisolated(unsafe) public let kSecAttrAccessible: CFString = "pdmn"
/// A `SecAccessControl` object: accessibility and who must be asked.
@safe nonisolated(unsafe) public let kSecAttrAccessControl: CFString = "accc"
/// The access group that owns the item. Part of what makes an item unique.
@safe nonisolated(unsafe) public let kSecAttrAccessGroup: CFString = "agrp"
/// When the item was added. Set by the keychain.
@safe nonisolated(unsafe) public let kSecAttrCreationDate: CFString = "cdat"
/// When the item last changed. Set by the keychain.
@safe nonisolated(unsafe) public let kSecAttrModificationDate: CFString = "mdat"
/// A text for a person.
@safe nonisolated(unsafe) public let kSecAttrLabel: CFString = "labl"
/// Whether the item is synchronised; without it a query sees items that are not.
@safe nonisolated(unsafe) public let kSecAttrSynchronizable: CFString = "sync"
/// Both synchronised items and others.
@safe nonisolated(unsafe) public let kSecAttrSynchronizableAny: CFString = "syna"
/// A hint for synchronisation.
@safe nonisolated(unsafe) public let kSecAttrSyncViewHint: CFString = "vwht"
/// The item's own persistent reference.
@safe nonisolated(unsafe) public let kSecAttrPersistentReference: CFString = "persistref"
/// An old spelling of the persistent reference.
@safe nonisolated(unsafe) public let kSecAttrPersistantReference: CFString = "persistref"
/// The token that keeps the key, for example the Secure Enclave.
@safe nonisolated(unsafe) public let kSecAttrTokenID: CFString = "tkid"
/// The token's own name for the object.
@safe nonisolated(unsafe) public let kSecAttrTokenOID: CFString = "toid"
/// The access group of objects on tokens. Read-only.
@safe nonisolated(unsafe) public let kSecAttrAccessGroupToken: CFString = "com.apple.token"
/// Readable while the device is unlocked. The default of passwords and keys.
@safe nonisolated(unsafe) public let kSecAttrAccessibleWhenUnlocked: CFString = "ak"
/// Readable from the first unlock until shutdown.
@safe nonisolated(unsafe) public let kSecAttrAccessibleAfterFirstUnlock: CFString = "ck"
/// Readable always. Deprecated by Apple; the default of certificates.
@safe nonisolated(unsafe) public let kSecAttrAccessibleAlways: CFString = "dk"
/// Readable while unlocked, on this device, while it has a passcode.
@safe nonisolated(unsafe) public let kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly: CFString = "akpu"
/// Readable while unlocked, on this device only.
@safe nonisolated(unsafe) public let kSecAttrAccessibleWhenUnlockedThisDeviceOnly: CFString = "aku"
/// Readable from the first unlock until shutdown, on this device only.
@safe nonisolated(unsafe) public let kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly: CFString = "cku"
/// Readable always, on this device only. Deprecated by Apple.
@safe nonisolated(unsafe) public let kSecAttrAccessibleAlwaysThisDeviceOnly: CFString = "dku"
