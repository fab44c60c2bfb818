public import Foundation

// Keys that narrow a search. A constant is its code as a text, so literal dictionaries with codes work too.

/// A policy that certificates must satisfy.
@safe nonisolated(unsafe) public let kSecMatchPolicy: CFString = "m_Policy"
/// A list of items to search in.
@safe nonisolated(unsafe) public let kSecMatchItemList: CFString = "m_ItemList"
/// A list of keychains to search in.
@safe nonisolated(unsafe) public let kSecMatchSearchList: CFString = "m_SearchList"
/// Issuers of which one must be in the chain.
@safe nonisolated(unsafe) public let kSecMatchIssuers: CFString = "m_Issuers"
/// An address that the certificate names, when it names any.
@safe nonisolated(unsafe) public let kSecMatchEmailAddressIfPresent: CFString = "m_EmailAddressIfPresent"
/// A text in the subject. Accepted, not evaluated, as on iOS.
@safe nonisolated(unsafe) public let kSecMatchSubjectContains: CFString = "m_SubjectContains"
/// The server is this host or a subdomain of it.
@safe nonisolated(unsafe) public let kSecMatchHostOrSubdomainOfHost: CFString = "m_HostOrSubdomainOfHost"
/// Accepted, not evaluated, as on iOS.
@safe nonisolated(unsafe) public let kSecMatchCaseInsensitive: CFString = "m_CaseInsensitive"
/// Only certificates with a trusted chain.
@safe nonisolated(unsafe) public let kSecMatchTrustedOnly: CFString = "m_TrustedOnly"
/// Only certificates valid at this moment; null means now.
@safe nonisolated(unsafe) public let kSecMatchValidOnDate: CFString = "m_ValidOnDate"
/// How many items to return.
@safe nonisolated(unsafe) public let kSecMatchLimit: CFString = "m_Limit"
/// The first item, by itself.
@safe nonisolated(unsafe) public let kSecMatchLimitOne: CFString = "m_LimitOne"
/// All items, in a list.
@safe nonisolated(unsafe) public let kSecMatchLimitAll: CFString = "m_LimitAll"
