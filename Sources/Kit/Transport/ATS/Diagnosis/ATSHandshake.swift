/// What one handshake of the diagnosis gave.
package enum ATSHandshake: Hashable, Sendable {
    /// It was completed, with this version, suite and judgement of the chain.
    case completed(version: ATSVersion, suite: String, chain: ATSChainJudgement)
    /// The server ended it, or chose what was not offered; in the library's words.
    case refused(String)
    /// What answered does not speak TLS.
    case notTLS
    /// The server closed or fell silent in the middle; in the library's words.
    case broken(String)
    /// The time was up.
    case timeout

    /// Whether it can stand for every wider offer: completed with TLS 1.2 or later and a chain that passes every rule.
    var decidesAll: Bool {
        guard case .completed(let version, _, let chain) = self else { return false }
        return version.wireNumber >= ATSVersion.tls12.wireNumber && chain == .strict
    }
}

/// How good the chain is that a server showed.
package enum ATSChainJudgement: Hashable, Sendable {
    /// The system trusts it, and it keeps the rules of ATS.
    case strict
    /// The system trusts it; a rule of ATS is broken, in words.
    case systemOnly(String, code: ATSFailureCode)
    /// The system does not trust it, in words.
    case untrusted(String)
}

extension ATSChainJudgement {
    /// What ATS's rules need of one certificate.
    package struct Facts: Hashable, Sendable {
        package let isRSA: Bool
        package let isEC: Bool
        package let keyBits: Int
        /// For example `SHA-256`; `nil` when it is not known.
        package let hash: String?
        package let isSelfIssued: Bool

        package init(isRSA: Bool, isEC: Bool, keyBits: Int, hash: String?, isSelfIssued: Bool) {
            self.isRSA = isRSA
            self.isEC = isEC
            self.keyBits = keyBits
            self.hash = hash
            self.isSelfIssued = isSelfIssued
        }
    }

    /// Judges a path that the system trusts by the rules of ATS. The leaf comes first.
    package init(trusted path: [Facts], rules: ATSParameters.CertificateRules = .ats) {
        guard let leaf = path.first else {
            self = .untrusted("The server showed no certificate.")
            return
        }
        if leaf.isRSA ? leaf.keyBits < rules.minimumRSABits : !leaf.isEC || leaf.keyBits < rules.minimumECBits {
            self = .systemOnly("The server's key of \(leaf.keyBits) bits is too small for ATS.", code: .minimumKeySize)
            return
        }
        // The signature of a root on itself proves nothing, so its hash does not matter.
        let weak = path.indices.first { index in
            !(index > 0 && path[index].isSelfIssued) && !["SHA-256", "SHA-384", "SHA-512"].contains(path[index].hash)
        }
        guard let weak else {
            self = .strict
            return
        }
        self = .systemOnly(
            "Certificate \(weak) is signed with \(path[weak].hash ?? "an unknown hash"); ATS asks for SHA-256.",
            code: weak == 0 ? .leafHash : .certificateHash)
    }
}
