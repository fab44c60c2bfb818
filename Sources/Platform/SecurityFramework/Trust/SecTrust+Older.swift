// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Dispatch

/// Gets the object and the result of its evaluation.
public typealias SecTrustCallback = (SecTrust, SecTrustResultType) -> Void

/// Judges the chain on `queue`; an older form without reasons. See ``SecTrustEvaluateAsyncWithError(_:_:_:)``.
@discardableResult
public func SecTrustEvaluateAsync(
    _ trust: SecTrust, _ queue: DispatchQueue?, _ result: @escaping SecTrustCallback
) -> OSStatus {
    // One call, on the queue that the caller names: what the closure holds is not touched here.
    nonisolated(unsafe) let result = result
    (queue ?? .global()).async { unsafe result(trust, trust.outcome().result) }
    return errSecSuccess
}

/// The leaf's public key; an older name of ``SecTrustCopyKey(_:)``.
public func SecTrustCopyPublicKey(_ trust: SecTrust) -> SecKey? { SecTrustCopyKey(trust) }
