// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation

// Names of policies for ``SecPolicyCreateWithProperties(_:_:)``, and of their properties. What Apple's own authorities
// alone can fulfil has its name here, and no policy: nothing on Linux could judge it.

/// Mail (S/MIME); `kSecPolicyName` is the address that the leaf must hold.
@safe nonisolated(unsafe) public let kSecPolicyAppleSMIME: CFString = "1.2.840.113635.100.1.8"
/// Access to networks (EAP); `kSecPolicyName` is a server's name or a list of them, with `*.` in front or not.
@safe nonisolated(unsafe) public let kSecPolicyAppleEAP: CFString = "1.2.840.113635.100.1.9"
/// Tunnels (IPsec); `kSecPolicyName` is the host that the leaf must serve.
@safe nonisolated(unsafe) public let kSecPolicyAppleIPsec: CFString = "1.2.840.113635.100.1.11"
/// Clients of Kerberos on macOS; answers no policy here.
@safe nonisolated(unsafe) public let kSecPolicyApplePKINITClient: CFString = "1.2.840.113635.100.1.14"
/// Servers of Kerberos on macOS; answers no policy here.
@safe nonisolated(unsafe) public let kSecPolicyApplePKINITServer: CFString = "1.2.840.113635.100.1.15"
/// Signed code.
@safe nonisolated(unsafe) public let kSecPolicyAppleCodeSigning: CFString = "1.2.840.113635.100.1.16"
/// Of Apple's authorities; answers no policy here.
@safe nonisolated(unsafe) public let kSecPolicyAppleIDValidation: CFString = "1.2.840.113635.100.1.18"
/// Of Apple's authorities; answers no policy here.
@safe nonisolated(unsafe) public let kSecPolicyMacAppStoreReceipt: CFString = "1.2.840.113635.100.1.19"
/// Services that sign times.
@safe nonisolated(unsafe) public let kSecPolicyAppleTimeStamping: CFString = "1.2.840.113635.100.1.20"
/// Of Apple's authorities; answers no policy here.
@safe nonisolated(unsafe) public let kSecPolicyApplePassbookSigning: CFString = "1.2.840.113635.100.1.22"
/// Of Apple's authorities; answers no policy here.
@safe nonisolated(unsafe) public let kSecPolicyApplePayIssuerEncryption: CFString = "1.2.840.113635.100.1.39"
/// TLS servers, whatever `kSecPolicyClient` says.
@safe nonisolated(unsafe) public let kSecPolicyAppleSSLServer: CFString = "1.2.840.113635.100.1.3.1"
/// TLS clients, whatever `kSecPolicyClient` says.
@safe nonisolated(unsafe) public let kSecPolicyAppleSSLClient: CFString = "1.2.840.113635.100.1.3.2"
/// Servers that admit to networks, whatever `kSecPolicyClient` says.
@safe nonisolated(unsafe) public let kSecPolicyAppleEAPServer: CFString = "1.2.840.113635.100.1.9.1"
/// Clients of such networks, whatever `kSecPolicyClient` says.
@safe nonisolated(unsafe) public let kSecPolicyAppleEAPClient: CFString = "1.2.840.113635.100.1.9.2"
/// Gateways of tunnels, whatever `kSecPolicyClient` says.
@safe nonisolated(unsafe) public let kSecPolicyAppleIPSecServer: CFString = "1.2.840.113635.100.1.11.1"
/// Clients of such gateways, whatever `kSecPolicyClient` says.
@safe nonisolated(unsafe) public let kSecPolicyAppleIPSecClient: CFString = "1.2.840.113635.100.1.11.2"
/// The property with the flags of a revocation policy, a number.
@safe nonisolated(unsafe) public let kSecPolicyRevocationFlags: CFString = "SecPolicyRevocationFlags"
/// The property with a team, for the policy of passes; other policies do not look at it.
@safe nonisolated(unsafe) public let kSecPolicyTeamIdentifier: CFString = "SecPolicyTeamIdentifier"
