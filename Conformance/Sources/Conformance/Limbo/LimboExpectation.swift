internal import PaviseCrypto

/// Where a published verdict is not ours, by rule: the suite judges how certificates are to be issued, Apple's systems
/// judge whether a path can be relied on.
///
/// A rule names no case. It says what Apple's evaluation does not judge (read in its published source), in which
/// families of ids the suite asks for it, and what a certificate of the case has to show: a case in which no
/// certificate has that property is a failure, whatever its id. So the rules hold for every edition and every part of
/// the suite.
struct LimboExpectation: Sendable {
    /// The ids, with `*` for any text.
    let patterns: [String]
    /// What Apple's evaluation does, and where that is written.
    let reason: String
    /// Whether the case asks for what the rule is about.
    let isAbout: @Sendable (LimboFacts) -> Bool

    /// Why a case that the suite refuses is accepted, if a rule says so.
    static func reason(_ entry: LimboCase) -> String? {
        let rules = all.filter { rule in rule.patterns.contains { GlobPattern.matches($0, entry.id) } }
        guard !rules.isEmpty else { return nil }
        let facts = LimboFacts(entry)
        return rules.first { $0.isAbout(facts) }?.reason
    }

    // Where it says “parents”: `SecPVCParentCertificateChecks`, which is called for issuers and never for the leaf.
    private static let all = [
        LimboExpectation(
            patterns: ["*::cn::*"],
            reason: "A server's common name is never read; alternative names alone count (support.apple.com/103769).",
            isAbout: { $0.isForServer && $0.leaf?.certificate.subject.commonName != nil }),
        LimboExpectation(
            patterns: ["*::aki::*", "*::ski::*"],
            reason: "Key identifiers are compared where issuer and subject both carry one; nothing else is asked of "
                + "them, nor of their marks (SecPolicyServer.c, SecPolicyCheckIdLinkage); a root has no issuer to "
                + "compare with.",
            isAbout: { $0.all.contains(where: \.hasUnusualKeyIdentifiers) }),
        LimboExpectation(
            patterns: ["*serial*"],
            reason: "A serial number is 1 to 37 bytes long; its value is not judged (SecCertificate.c).",
            isAbout: { $0.all.contains(where: \.hasUnusualSerial) }),
        LimboExpectation(
            patterns: ["*eku*"],
            reason: "Under an app's own anchor a leaf from before July 2019 need not name a purpose, and may name any "
                + "(support.apple.com/103769); purposes of a root are not read.",
            isAbout: { $0.hasOldLeafWithoutServerPurpose || $0.hasAnchorWithPurposes }),
        LimboExpectation(
            patterns: ["*forbidden-rsa-*not-divisible*"],
            reason: "An RSA key has a least size and no other demand.",
            isAbout: { $0.all.contains(where: \.hasOddRSASize) }),
        LimboExpectation(
            patterns: ["*::nc::*leading-period*", "*::nc::*leading-dot*"],
            reason: "A DNS constraint that begins with a dot is read as a suffix.",
            isAbout: { $0.issuers.contains(where: \.hasNameConstraintWithDot) }),
        LimboExpectation(
            patterns: ["*::nc::*-ee*", "*::nc::*leaf*"],
            reason: "Name constraints bind the certificates below; below a leaf there are none (SecPolicyServer.c, "
                + "SecPolicyCheckBasicCertificateProcessing ends with the leaf before it takes its constraints).",
            isAbout: { $0.leaf?.certificate.extensions.nameConstraints != nil }),
        LimboExpectation(
            patterns: ["*unknown-critical-extension*root*"],
            reason: "A trusted anchor is not asked for extensions that are not known (SecPolicyServer.c, "
                + "SecPolicyCheckBasicCertificateProcessing leaves it out; RFC 5280 §6.1.1 d).",
            isAbout: { $0.anchors.contains { !$0.certificate.extensions.unknownCritical.isEmpty } }),
        LimboExpectation(
            patterns: ["*critical*"],
            reason: "Whether a known extension is marked critical is not judged, only that no critical one is unknown "
                + "(SecPolicyServer.c, SecPolicyCheckBasicCertificateProcessing).",
            isAbout: { $0.all.contains(where: \.hasUnusualCriticality) }),
        LimboExpectation(
            patterns: ["*ca-as-leaf*", "*ca-as-ee*", "*leaf*-ca*", "*ee-*-ca*"],
            reason: "Basic constraints are asked of parents alone: an authority's certificate that serves the host is "
                + "taken as a server's.",
            isAbout: { $0.leaf?.certificate.extensions.basicConstraints?.isAuthority == true }),
        LimboExpectation(
            patterns: ["*keyusage*", "*-ku-*", "*::ku::*"],
            reason: "Key usage is asked of parents alone; for a TLS leaf it is only counted (SecPolicyServer.c, "
                + "SecPolicyCheckKeyUsageReportOnly).",
            isAbout: { $0.leaf?.certificate.extensions.keyUsage != nil && $0.issuersMaySign }),
    ]
}

/// Text with `*` for any other text.
enum GlobPattern {
    static func matches(_ pattern: String, _ text: String) -> Bool {
        let parts = pattern.split(separator: "*", omittingEmptySubsequences: false)
        guard let first = parts.first, let last = parts.last, parts.count > 1 else { return pattern == text }
        guard text.hasPrefix(first) else { return false }
        var rest = text.dropFirst(first.count)
        for part in parts.dropFirst().dropLast() where !part.isEmpty {
            guard let range = rest.firstRange(of: part) else { return false }
            rest = rest[range.upperBound...]
        }
        return rest.hasSuffix(last)
    }
}
