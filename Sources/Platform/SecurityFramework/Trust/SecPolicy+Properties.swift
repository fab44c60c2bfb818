// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation

/// Makes a policy by its identifier.
///
/// ```swift
/// let address = [kSecPolicyName: "anna@example.com"] as CFDictionary
/// let policy = SecPolicyCreateWithProperties(kSecPolicyAppleSMIME, address)
/// ```
///
/// - Parameters:
///   - policyIdentifier: `kSecPolicyAppleX509Basic`, `kSecPolicyAppleSSL`, `kSecPolicyAppleEAP`, `kSecPolicyAppleIPsec`
///     and their client and server forms, `kSecPolicyAppleSMIME`, `kSecPolicyAppleCodeSigning`,
///     `kSecPolicyAppleTimeStamping`, `kSecPolicyAppleRevocation`.
///   - properties: `kSecPolicyName`, a text (for EAP also a list of texts); `kSecPolicyClient`, true for the
///     certificates of clients; `kSecPolicyRevocationFlags`, a number, for revocation: without it any method, and a
///     missing answer is no failure.
/// - Returns: `nil` for an identifier that is no text or not known here, and for a property of another kind.
public func SecPolicyCreateWithProperties(_ policyIdentifier: CFTypeRef, _ properties: CFDictionary?) -> SecPolicy? {
    guard let identifier = policyIdentifier as? String, let read = PolicyProperties(properties) else { return nil }
    return read.policy(identifier as NSString)
}

/// The properties of a policy, read.
private struct PolicyProperties {
    private let names: [String]?
    private let isList: Bool
    private let isClient: Bool
    private let flags: CFOptionFlags?

    init?(_ properties: CFDictionary?) {
        let name = properties?[kSecPolicyName]
        isList = name != nil && !(name is String)
        names = (name as? String).map { [$0] } ?? name as? [String]
        let client = properties?[kSecPolicyClient]
        let side = client.flatMap { Boolean.exactly($0) }
        isClient = side ?? false
        let flags = properties?[kSecPolicyRevocationFlags]
        self.flags = (flags as? NSNumber).flatMap { CFOptionFlags(exactly: $0) }
        guard name == nil || names != nil, flags == nil || self.flags != nil, client == nil || side != nil
        else { return nil }
    }

    func policy(_ identifier: CFString) -> SecPolicy? {
        switch identifier {
        case kSecPolicyAppleEAP: return network(isClient)
        case kSecPolicyAppleEAPServer: return network(false)
        case kSecPolicyAppleEAPClient: return network(true)
        default: return isList ? nil : named(identifier)
        }
    }

    private func named(_ identifier: CFString) -> SecPolicy? {
        let name = names?.first
        switch identifier {
        case kSecPolicyAppleX509Basic: return SecPolicyCreateBasicX509()
        case kSecPolicyAppleSSL: return SecPolicyCreateSSL(!isClient, name as CFString?)
        case kSecPolicyAppleSSLServer: return SecPolicyCreateSSL(true, name as CFString?)
        case kSecPolicyAppleSSLClient: return SecPolicyCreateSSL(false, name as CFString?)
        case kSecPolicyAppleIPsec: return tunnel(isClient, name)
        case kSecPolicyAppleIPSecServer: return tunnel(false, name)
        case kSecPolicyAppleIPSecClient: return tunnel(true, name)
        case kSecPolicyAppleSMIME:
            var policy = ChainPolicy(purpose: .mail, host: nil)
            policy.address = name
            return SecPolicy(policy)
        case kSecPolicyAppleCodeSigning: return SecPolicy(ChainPolicy(purpose: .code, host: nil))
        case kSecPolicyAppleTimeStamping: return SecPolicy(ChainPolicy(purpose: .timestamp, host: nil))
        case kSecPolicyAppleRevocation: return SecPolicyCreateRevocation(flags ?? kSecRevocationUseAnyAvailableMethod)
        default: return nil
        }
    }

    private func network(_ isClient: Bool) -> SecPolicy {
        var policy = ChainPolicy(purpose: isClient ? .networkClient : .networkServer, host: nil)
        policy.servers = names
        return SecPolicy(policy)
    }

    private func tunnel(_ isClient: Bool, _ host: String?) -> SecPolicy {
        SecPolicy(ChainPolicy(purpose: isClient ? .tunnelClient : .tunnelServer, host: host))
    }
}
