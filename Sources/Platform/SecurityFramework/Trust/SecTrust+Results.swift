// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Dispatch
public import Foundation
internal import Synchronization

/// Judges the chain.
///
/// - Parameters:
///   - error: For an untrusted chain the finding of highest priority, domain `NSOSStatusErrorDomain`
///     (-67602 host name, -67818 dates, -67843 no trusted root, …); its underlying error lists every finding.
///   - trust: The chain and its policies.
/// - Returns: Whether the chain is trusted.
@discardableResult
@safe
public func SecTrustEvaluateWithError(_ trust: SecTrust, _ error: UnsafeMutablePointer<CFError?>?) -> Bool {
    let failures = trust.outcome().failures
    if let error = unsafe error { unsafe error.pointee = TrustError.make(failures, trust.subject) }
    return failures.isEmpty
}

/// Judges the chain on `queue`.
///
/// - Parameters:
///   - result: Gets the object, whether it is trusted, and the error of an untrusted one.
///   - trust: The chain and its policies.
///   - queue: Where `result` is called.
@discardableResult
public func SecTrustEvaluateAsyncWithError(
    _ trust: SecTrust, _ queue: DispatchQueue, _ result: @escaping (SecTrust, Bool, CFError?) -> Void
) -> OSStatus {
    // One call, on the queue that the caller names: what the closure holds is not touched here.
    nonisolated(unsafe) let result = result
    queue.async {
        let failures = trust.outcome().failures
        unsafe result(trust, failures.isEmpty, TrustError.make(failures, trust.subject))
    }
    return errSecSuccess
}

/// Judges the chain; an older form without reasons.
@discardableResult
@safe
public func SecTrustEvaluate(_ trust: SecTrust, _ result: UnsafeMutablePointer<SecTrustResultType>) -> OSStatus {
    unsafe result.pointee = trust.outcome().result
    return errSecSuccess
}

/// The result of the last evaluation; ``SecTrustResultType/invalid`` when there was none since the last change.
@discardableResult
@safe
public func SecTrustGetTrustResult(
    _ trust: SecTrust, _ result: UnsafeMutablePointer<SecTrustResultType>
) -> OSStatus {
    let isEvaluated = trust.state.withLock { $0.verdict != nil }
    unsafe result.pointee = isEvaluated ? trust.outcome().result : .invalid
    return errSecSuccess
}

/// The path that was built, leaf first; evaluates first where that was not done.
@discardableResult
public func SecTrustCopyCertificateChain(_ trust: SecTrust) -> CFArray? {
    trust.verdict().path.compactMap(SecCertificate.init(der:)) as NSArray
}

/// The length of the path that was built.
public func SecTrustGetCertificateCount(_ trust: SecTrust) -> CFIndex { trust.verdict().path.count }

/// One certificate of the path; 0 is the leaf. `nil` outside the path.
public func SecTrustGetCertificateAtIndex(_ trust: SecTrust, _ ix: CFIndex) -> SecCertificate? {
    let path = trust.verdict().path
    return path.indices.contains(ix) ? SecCertificate(der: path[ix]) : nil
}

/// The leaf's public key; `nil` for a kind without an implementation. Says nothing about trust.
public func SecTrustCopyKey(_ trust: SecTrust) -> SecKey? {
    trust.state.withLock { $0.certificates.first }.flatMap(SecCertificateCopyKey)
}

/// What is wrong now, as bytes to keep: with them the same leaf passes although it fails in the same ways.
@discardableResult
public func SecTrustCopyExceptions(_ trust: SecTrust) -> CFData? {
    let verdict = trust.verdict()
    guard let leaf = trust.state.withLock({ $0.certificates.first }) else { return nil }
    return NSData(data: Data(TrustExceptions(leaf: leaf, verdict.failures).encoded))
}

/// Accepts what ``SecTrustCopyExceptions(_:)`` gave. Fatal findings are never accepted.
///
/// - Returns: Whether the bytes are exceptions for this leaf; otherwise there are none afterwards.
@discardableResult
public func SecTrustSetExceptions(_ trust: SecTrust, _ exceptions: CFData?) -> Bool {
    let leaf = trust.state.withLock { $0.certificates.first }
    let read = exceptions.flatMap { TrustExceptions($0.copiedBytes) }
    let fitting = read.flatMap { read in leaf.map(read.fits) == true ? read : nil }
    trust.change { $0.exceptions = fitting }
    return fitting != nil
}

extension SecTrust {
    /// The leaf's name for messages.
    var subject: String {
        let leaf = state.withLock { $0.certificates.first }
        return leaf.flatMap(SecCertificateCopySubjectSummary).map { $0 as String } ?? "the certificate"
    }
}

/// The errors of an evaluation.
enum TrustError {
    /// The first finding, with all of them underneath; `nil` when there are none.
    static func make(_ failures: [TrustFinding], _ subject: String) -> CFError? {
        guard let first = failures.first else { return nil }
        let details = failures.map { "Certificate \($0.certificate): \($0.sentence) (\($0.code))" }
        let underlying = StatusError.make(first.code, details.joined(separator: " "))
        return StatusError.make(first.code, "“\(subject)” is not trusted. \(first.sentence)", underlying: underlying)
    }
}
