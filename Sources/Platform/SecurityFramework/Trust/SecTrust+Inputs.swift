// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation
internal import Synchronization

/// Replaces the policies.
///
/// - Returns: 0; -50 for no policies or objects of another kind.
@discardableResult
public func SecTrustSetPolicies(_ trust: SecTrust, _ policies: CFTypeRef) -> OSStatus {
    guard let rules: [SecPolicy] = list(policies), !rules.isEmpty else { return errSecParam }
    trust.change { $0.policies = rules }
    return errSecSuccess
}

/// The policies.
@discardableResult
@safe
public func SecTrustCopyPolicies(_ trust: SecTrust, _ policies: UnsafeMutablePointer<CFArray?>) -> OSStatus {
    unsafe policies.pointee = trust.state.withLock { $0.policies } as NSArray
    return errSecSuccess
}

/// Sets where trust begins: these certificates **and no others**, until
/// ``SecTrustSetAnchorCertificatesOnly(_:_:)`` says otherwise. `nil` goes back to the machine's roots.
///
/// - Returns: 0; -50 for objects of another kind.
@discardableResult
public func SecTrustSetAnchorCertificates(_ trust: SecTrust, _ anchorCertificates: CFArray?) -> OSStatus {
    guard let anchorCertificates else {
        trust.change {
            $0.customAnchors = nil
            $0.trustsSystemToo = false
        }
        return errSecSuccess
    }
    guard let anchors: [SecCertificate] = list(anchorCertificates) else { return errSecParam }
    trust.change {
        $0.customAnchors = anchors
        $0.trustsSystemToo = false
    }
    return errSecSuccess
}

/// Whether only the custom anchors count. Without custom anchors, `true` trusts nothing.
@discardableResult
public func SecTrustSetAnchorCertificatesOnly(_ trust: SecTrust, _ anchorCertificatesOnly: Bool) -> OSStatus {
    trust.change {
        $0.customAnchors = $0.customAnchors ?? (anchorCertificatesOnly ? [] : nil)
        $0.trustsSystemToo = !anchorCertificatesOnly
    }
    return errSecSuccess
}

/// The custom anchors; `nil` when there are none.
@discardableResult
@safe
public func SecTrustCopyCustomAnchorCertificates(
    _ trust: SecTrust, _ anchors: UnsafeMutablePointer<CFArray?>
) -> OSStatus {
    unsafe anchors.pointee = trust.state.withLock { $0.customAnchors }.map { $0 as NSArray }
    return errSecSuccess
}

/// Judges at another time than now.
@discardableResult
public func SecTrustSetVerifyDate(_ trust: SecTrust, _ verifyDate: CFDate) -> OSStatus {
    let seconds = verifyDate.timeIntervalSince1970.rounded(.down)
    guard let time = Int64(exactly: seconds) else { return errSecParam }
    trust.change { $0.time = time }
    return errSecSuccess
}

/// The time to judge at, in seconds since 2001.
public func SecTrustGetVerifyTime(_ trust: SecTrust) -> CFAbsoluteTime {
    guard let time = trust.state.withLock({ $0.time }) else { return CFAbsoluteTimeGetCurrent() }
    return Date(timeIntervalSince1970: TimeInterval(time)).timeIntervalSinceReferenceDate
}

/// Whether missing issuers may be fetched. This evaluator never fetches; the setting is kept for the caller.
@discardableResult
public func SecTrustSetNetworkFetchAllowed(_ trust: SecTrust, _ allowFetch: Bool) -> OSStatus {
    trust.change { $0.mayFetch = allowFetch }
    return errSecSuccess
}

/// What ``SecTrustSetNetworkFetchAllowed(_:_:)`` set.
@discardableResult
@safe
public func SecTrustGetNetworkFetchAllowed(
    _ trust: SecTrust, _ allowFetch: UnsafeMutablePointer<DarwinBoolean>
) -> OSStatus {
    unsafe allowFetch.pointee = trust.state.withLock { $0.mayFetch }
    return errSecSuccess
}

/// Gives answers of status services (OCSP, DER), as a server staples them to its handshake: one CFData or an array of
/// them; `nil` takes them away. What is revoked by them is refused under every policy.
///
/// - Returns: 0; -50 for objects of another kind.
@discardableResult
public func SecTrustSetOCSPResponse(_ trust: SecTrust, _ responseData: CFTypeRef?) -> OSStatus {
    guard let responseData else {
        trust.change { $0.answers = [] }
        return errSecSuccess
    }
    guard let answers: [NSData] = list(responseData) else { return errSecParam }
    trust.change { $0.answers = answers.map(\.copiedBytes) }
    return errSecSuccess
}

/// Gives timestamps of certificate logs, as a server sends them in its handshake: CFData objects, each one signed
/// certificate timestamp (RFC 6962 §3.2); `nil` takes them away. At most 64 count.
///
/// They count, with those inside the certificate and in answers of status services, for
/// `kSecTrustCertificateTransparency` of ``SecTrustCopyResult(_:)``.
///
/// - Returns: 0; -50 for objects of another kind.
@discardableResult
public func SecTrustSetSignedCertificateTimestamps(_ trust: SecTrust, _ sctArray: CFArray?) -> OSStatus {
    guard let timestamps: [NSData] = list(sctArray ?? NSArray()) else { return errSecParam }
    trust.change { $0.timestamps = timestamps.map(\.copiedBytes) }
    return errSecSuccess
}
