// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation

/// What a chain is checked for.
public final class SecPolicy: Hashable, Sendable, TypeIdentified {
    let policy: ChainPolicy

    package static let typeNumber = TypeNumber.policy

    init(_ policy: ChainPolicy) { self.policy = policy }

    /// Whether both check the same.
    public static func == (one: SecPolicy, other: SecPolicy) -> Bool { one.policy == other.policy }

    /// Mixes the content.
    public func hash(into hasher: inout Hasher) { hasher.combine(policy) }
}

/// Identifies the TLS policy in a policy's properties.
@safe nonisolated(unsafe) public let kSecPolicyAppleSSL: CFString = "1.2.840.113635.100.1.3"
/// Identifies the basic X.509 policy in a policy's properties.
@safe nonisolated(unsafe) public let kSecPolicyAppleX509Basic: CFString = "1.2.840.113635.100.1.2"
/// Identifies the revocation policy in a policy's properties.
@safe nonisolated(unsafe) public let kSecPolicyAppleRevocation: CFString = "1.2.840.113635.100.1.21"
/// The property that identifies a policy.
@safe nonisolated(unsafe) public let kSecPolicyOid: CFString = "SecPolicyOid"
/// The property with the host name.
@safe nonisolated(unsafe) public let kSecPolicyName: CFString = "SecPolicyName"
/// The property that is true for TLS clients.
@safe nonisolated(unsafe) public let kSecPolicyClient: CFString = "SecPolicyClient"

/// The number of policies' kind; see ``CFGetTypeID(_:)``.
public func SecPolicyGetTypeID() -> CFTypeID { TypeNumber.policy }

/// The rules for TLS.
///
/// Pins are no part of them: an Info.plist's `NSPinnedDomains` holds on Pavise's connections and behind
/// `PaviseURLSession`, and not for a chain that a program evaluates itself.
///
/// - Parameters:
///   - server: Whether the chain is a server's.
///   - hostname: The host that the leaf must name, a client's too. `nil` checks **no name**: any certificate of any
///     host passes.
public func SecPolicyCreateSSL(_ server: Bool, _ hostname: CFString?) -> SecPolicy {
    SecPolicy(ChainPolicy(purpose: server ? .server : .client, host: hostname as String?))
}

/// The rules of RFC 5280 alone: no name, no purpose, no TLS limits.
public func SecPolicyCreateBasicX509() -> SecPolicy { SecPolicy(ChainPolicy(purpose: .any, host: nil)) }

/// What a policy checks, under `kSecPolicyOid`, `kSecPolicyName` and `kSecPolicyClient`. The identifier is that of the
/// policy, not that of its client or server form.
public func SecPolicyCopyProperties(_ policyRef: SecPolicy) -> CFDictionary? {
    let policy = policyRef.policy
    var properties: [CFString: Any] = [kSecPolicyOid: policy.identifier]
    properties[kSecPolicyName] = policy.host ?? policy.address ?? policy.servers.map { $0 as NSArray }
    if [.client, .networkClient, .tunnelClient].contains(policy.purpose) { properties[kSecPolicyClient] = true }
    return properties as NSDictionary
}

extension ChainPolicy {
    fileprivate var identifier: CFString {
        switch purpose {
        case .server, .client: kSecPolicyAppleSSL
        case .any: revocation == .ignored ? kSecPolicyAppleX509Basic : kSecPolicyAppleRevocation
        case .mail: kSecPolicyAppleSMIME
        case .code: kSecPolicyAppleCodeSigning
        case .timestamp: kSecPolicyAppleTimeStamping
        case .networkServer, .networkClient: kSecPolicyAppleEAP
        case .tunnelServer, .tunnelClient: kSecPolicyAppleIPsec
        // No policy of Apple's API has it.
        case .endorsementKey, .attestedKey: kSecPolicyAppleX509Basic
        }
    }
}
