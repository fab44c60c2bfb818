public import Foundation

// What a call returns, and values it takes. A constant is its code as a text, so literal dictionaries with codes work
// too.

/// Return the item's data.
@safe nonisolated(unsafe) public let kSecReturnData: CFString = "r_Data"
/// Return the item's attributes, without its data.
@safe nonisolated(unsafe) public let kSecReturnAttributes: CFString = "r_Attributes"
/// Return an object: a key, a certificate, an identity.
@safe nonisolated(unsafe) public let kSecReturnRef: CFString = "r_Ref"
/// Return bytes that name the item and can be stored.
@safe nonisolated(unsafe) public let kSecReturnPersistentRef: CFString = "r_PersistentRef"
/// The item's data.
@safe nonisolated(unsafe) public let kSecValueData: CFString = "v_Data"
/// An object: a key, a certificate, an identity.
@safe nonisolated(unsafe) public let kSecValueRef: CFString = "v_Ref"
/// Bytes that name an item.
@safe nonisolated(unsafe) public let kSecValuePersistentRef: CFString = "v_PersistentRef"
