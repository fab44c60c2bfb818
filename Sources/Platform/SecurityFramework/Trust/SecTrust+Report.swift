// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation
internal import PaviseCrypto
internal import PavisePrimitives
internal import Synchronization

/// In a result: the time that the chain was judged at, a date.
@safe nonisolated(unsafe) public let kSecTrustEvaluationDate: CFString = "TrustEvaluationDate"
/// In a result: the number of a ``SecTrustResultType``.
@safe nonisolated(unsafe) public let kSecTrustResultValue: CFString = "TrustResultValue"
/// In a result: true for a chain of extended validation. Never there on Linux: no list says which authorities may
/// promise it.
@safe nonisolated(unsafe) public let kSecTrustExtendedValidation: CFString = "TrustExtendedValidation"
/// In a result: the organization that extended validation vouches for. Never there on Linux, for the same reason.
@safe nonisolated(unsafe) public let kSecTrustOrganizationName: CFString = "Organization"
/// In a result: true where good answers cover every certificate below the anchor, false where revocation was to be
/// looked at and an answer is missing; not there where nobody asked.
@safe nonisolated(unsafe) public let kSecTrustRevocationChecked: CFString = "TrustRevocationChecked"
/// In a result: the first date at which one of the good answers may change.
@safe nonisolated(unsafe) public let kSecTrustRevocationValidUntilDate: CFString = "TrustExpirationDate"
/// In a result: true where enough logs of certificates vouch for the leaf.
@safe nonisolated(unsafe) public let kSecTrustCertificateTransparency: CFString = "TrustCertificateTransparency"

/// What the evaluation of a chain found, for people and records; evaluates first where that was not done.
///
/// ```swift
/// let result = SecTrustCopyResult(trust) as? [String: Any]
/// let isLogged = result?[kSecTrustCertificateTransparency as String] as? Bool ?? false
/// ```
///
/// Whether logs vouch for the leaf can be told only where the logs are known: `PAVISE_TRANSPARENCY_LOGS` names a list
/// of them in the form that Apple and Google publish (`log_list.json`). Without it, or with one older than 60 days, the
/// key is not there. It tells and demands nothing; a connection's demand is the transport's.
///
/// - Returns: `kSecTrustResultValue` and `kSecTrustEvaluationDate`, and for a trusted chain what is known of
///   `kSecTrustRevocationChecked`, `kSecTrustRevocationValidUntilDate`, `kSecTrustCertificateTransparency`.
public func SecTrustCopyResult(_ trust: SecTrust) -> CFDictionary? {
    let report = trust.report()
    var result: [CFString: Any] = [
        kSecTrustResultValue: NSNumber(value: report.result.rawValue),
        kSecTrustEvaluationDate: NSDate(timeIntervalSince1970: TimeInterval(report.judged)),
    ]
    result[kSecTrustRevocationChecked] = report.isRevocationChecked.map { NSNumber(value: $0) }
    result[kSecTrustRevocationValidUntilDate] = report.goodUntil.map {
        NSDate(timeIntervalSince1970: TimeInterval($0))
    }
    if report.isLogged { result[kSecTrustCertificateTransparency] = NSNumber(value: true) }
    return result as NSDictionary
}

/// What an evaluation found beside its failures.
struct SecTrustReport {
    let result: SecTrustResultType
    /// Seconds since 1970.
    let judged: Int64
    /// `nil` where revocation was nobody's question, or the chain is not trusted.
    var isRevocationChecked: Bool?
    /// Seconds since 1970.
    var goodUntil: Int64?
    var isLogged = false
}

extension SecTrust {
    func report() -> SecTrustReport {
        let result = outcome().result
        let (state, verdict) = (state.withLock { $0 }, verdict())
        var report = SecTrustReport(result: result, judged: state.judged)
        // As on Apple's systems: an untrusted chain has no merits. One that exceptions saved need not end anywhere.
        guard verdict.isTrusted, verdict.path.count > 1 else { return report }
        let isAsked = !state.answers.isEmpty || state.policies.contains { $0.policy.revocation != .ignored }
        if isAsked {
            let path = verdict.path.compactMap { try? X509Certificate(der: $0) }
            let rule = RevocationRule(path: path, demand: .hard, evidence: state.evidence, time: state.judged)
            report.goodUntil = rule.goodUntil()
            report.isRevocationChecked = report.goodUntil != nil
        }
        report.isLogged = isLogged(verdict.path, state)
        return report
    }

    private func isLogged(_ path: [[UInt8]], _ state: State) -> Bool {
        guard let logs = TransparencyLogList.known, logs.isFresh(at: state.judged) else { return false }
        let demand = TransparencyDemand(
            logs: logs, presented: [Self.list(of: state.timestamps)], scope: .everyServer)
        let count = TransparencyCount(path: path, demand: demand, evidence: state.evidence, at: state.judged)
        return count?.isEnough ?? false
    }

    // The list of RFC 6962 §3.3, of what fits into one.
    private static func list(of timestamps: [[UInt8]]) -> [UInt8] {
        let honest = timestamps.filter { (1...1_000).contains($0.count) }.prefix(SignedCertificateTimestamp.limit)
        let content = honest.flatMap { [UInt8($0.count >> 8), UInt8($0.count & 255)] + $0 }
        return [UInt8(content.count >> 8), UInt8(content.count & 255)] + content
    }
}

extension TransparencyLogList {
    /// The logs that trust objects know: the test's, else those that `PAVISE_TRANSPARENCY_LOGS` names.
    static var known: TransparencyLogList? {
        guard let override = SecurityEnvironment.override else { return named }
        return override.logs
    }

    // A list that cannot be read knows no log: nothing is vouched for.
    private static let named = LibraryVariable.trusted("PAVISE_TRANSPARENCY_LOGS").flatMap { path in
        try? TransparencyLogList(json: InputFile.read(path, limit: maximumSize))
    }
}
