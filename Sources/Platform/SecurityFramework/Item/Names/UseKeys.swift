public import Foundation

// How a call may use the keychain and ask a person. A constant is its code as a text, so literal dictionaries with
// codes work too.

/// Not supported; queries with it are refused.
@safe nonisolated(unsafe) public let kSecUseItemList: CFString = "u_ItemList"
/// Names a file keychain, which does not exist here; queries with it are refused.
@safe nonisolated(unsafe) public let kSecUseKeychain: CFString = "u_Keychain"
/// The text of a prompt.
@safe nonisolated(unsafe) public let kSecUseOperationPrompt: CFString = "u_OpPrompt"
/// Whether to fail instead of asking.
@safe nonisolated(unsafe) public let kSecUseNoAuthenticationUI: CFString = "u_NoAuthUI"
/// Whether a person may be asked; one of the three values.
@safe nonisolated(unsafe) public let kSecUseAuthenticationUI: CFString = "u_AuthUI"
/// Ask when needed.
@safe nonisolated(unsafe) public let kSecUseAuthenticationUIAllow: CFString = "u_AuthUIA"
/// Fail with -25308 when a person would have to be asked.
@safe nonisolated(unsafe) public let kSecUseAuthenticationUIFail: CFString = "u_AuthUIF"
/// Leave out items for which a person would have to be asked.
@safe nonisolated(unsafe) public let kSecUseAuthenticationUISkip: CFString = "u_AuthUIS"
/// An authentication that already happened.
@safe nonisolated(unsafe) public let kSecUseAuthenticationContext: CFString = "u_AuthCtx"
/// A credential.
@safe nonisolated(unsafe) public let kSecUseCredentialReference: CFString = "u_CredRef"
/// A keychain without a person.
@safe nonisolated(unsafe) public let kSecUseUserIndependentKeychain: CFString = "u_UserIndependentKeychain"
/// Accepted everywhere, without effect: there is no other keychain.
@safe nonisolated(unsafe) public let kSecUseDataProtectionKeychain: CFString = "nleg"
