// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import Foundation
internal import PaviseCrypto
internal import PavisePrimitives
internal import Synchronization

/// The result of an evaluation, in one number.
public enum SecTrustResultType: UInt32, Hashable, Sendable {
    /// Not evaluated, or not possible.
    case invalid = 0
    /// Trusted because somebody decided so.
    case proceed = 1
    /// Refused because somebody decided so.
    case deny = 3
    /// Trusted, and nobody decided anything special: the usual success.
    case unspecified = 4
    /// Not trusted; a person may overrule it.
    case recoverableTrustFailure = 5
    /// Not trusted, and nobody may overrule it.
    case fatalTrustFailure = 6
    /// The evaluation itself failed.
    case otherError = 7
}

/// A chain, the policies to judge it by, and where trust begins. Changing any of them drops the result.
public final class SecTrust: Hashable, Sendable, TypeIdentified {
    struct State: Sendable {
        var certificates: [SecCertificate]
        var policies: [SecPolicy]
        var customAnchors: [SecCertificate]?
        /// Whether the machine's roots count too, beside custom anchors.
        var trustsSystemToo = false
        /// Seconds since 1970; `nil` means now.
        var time: Int64?
        var mayFetch = false
        var exceptions: TrustExceptions?
        /// Answers of status services, DER.
        var answers: [[UInt8]] = []
        /// Timestamps of certificate logs, each as RFC 6962 §3.2 has it.
        var timestamps: [[UInt8]] = []
        var verdict: TrustVerdict?
        /// The time that the verdict was made for, seconds since 1970.
        var judged: Int64 = 0

        /// What is known about revocation.
        var evidence: RevocationEvidence { RevocationEvidence(lists: [], answers: answers) }
    }

    let state: Mutex<State>

    package static let typeNumber = TypeNumber.trust

    init(certificates: [SecCertificate], policies: [SecPolicy]) {
        state = Mutex(State(certificates: certificates, policies: policies))
    }

    /// Whether both are the same object.
    public static func == (one: SecTrust, other: SecTrust) -> Bool { one === other }

    /// Mixes the object's identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    /// Changes the input and drops the result.
    func change(_ body: (inout State) -> Void) {
        state.withLock {
            body(&$0)
            $0.verdict = nil
        }
    }

    /// The verdict, from the last evaluation or from one made now.
    func verdict() -> TrustVerdict {
        state.withLock { state in
            if let verdict = state.verdict { return verdict }
            state.judged = state.time ?? TimeSource.system.wallSeconds
            let verdict = Self.evaluate(state)
            state.verdict = verdict
            return verdict
        }
    }

    // Every policy must hold; the first one that does not gives the path.
    private static func evaluate(_ state: State) -> TrustVerdict {
        guard let leaf = state.certificates.first else { return .unreadable }
        let custom = state.customAnchors.map { anchors in
            (state.trustsSystemToo ? TrustAnchors.system : .none).adding(anchors.map(\.der))
        }
        let evidence = state.evidence
        let verdicts = state.policies.map { policy in
            ServerTrust.evaluate(
                leaf: leaf.certificate, others: state.certificates.dropFirst().map(\.certificate),
                policy: policy.policy.lookingAtAnswers(!state.answers.isEmpty), at: state.judged,
                anchors: custom ?? .system, evidence: evidence)
        }
        return verdicts.first { !$0.isTrusted } ?? verdicts.first ?? .unreadable
    }

    /// What remains against the chain when exceptions are counted, and the result as a number.
    func outcome() -> (failures: [TrustFinding], result: SecTrustResultType) {
        let verdict = verdict()
        guard !verdict.isTrusted else { return ([], .unspecified) }
        let exceptions = state.withLock { $0.exceptions }
        let remaining = verdict.failures.filter { $0.isFatal || exceptions?.covers($0) != true }
        guard !remaining.isEmpty else { return ([], .proceed) }
        return (remaining, remaining.contains(where: \.isFatal) ? .fatalTrustFailure : .recoverableTrustFailure)
    }
}

/// The number of trust objects' kind; see ``CFGetTypeID(_:)``.
public func SecTrustGetTypeID() -> CFTypeID { TypeNumber.trust }

/// Makes a trust object.
///
/// - Parameters:
///   - certificates: A certificate, or an array whose first element is the leaf; the others in any order.
///   - policies: A policy or an array of them; `nil` means ``SecPolicyCreateBasicX509()``.
///   - trust: Gets the object.
/// - Returns: 0; -50 for no certificates or objects of other kinds.
@discardableResult
@safe
public func SecTrustCreateWithCertificates(
    _ certificates: CFTypeRef, _ policies: CFTypeRef?, _ trust: UnsafeMutablePointer<SecTrust?>
) -> OSStatus {
    guard let chain: [SecCertificate] = list(certificates), !chain.isEmpty else { return errSecParam }
    guard let policies else {
        unsafe trust.pointee = SecTrust(certificates: chain, policies: [SecPolicyCreateBasicX509()])
        return errSecSuccess
    }
    guard let rules: [SecPolicy] = list(policies), !rules.isEmpty else { return errSecParam }
    unsafe trust.pointee = SecTrust(certificates: chain, policies: rules)
    return errSecSuccess
}

/// One object of a kind, or an array of them and of nothing else.
func list<Element: AnyObject>(_ value: AnyObject) -> [Element]? {
    if let one = value as? Element { return [one] }
    guard let array = value as? NSArray else { return nil }
    let elements = array.compactMap { $0 as? Element }
    return elements.count == array.count ? elements : nil
}
