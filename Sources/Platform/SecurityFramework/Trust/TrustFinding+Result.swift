extension TrustFinding {
    /// The OSStatus that names this finding in an NSError.
    package var code: Int32 {
        switch kind {
        case .weakKey: -67735
        case .weakSignature: -67815
        case .notCompliant(let rule): rule.code
        case .unknownAuthority(let missing): missing == nil ? -67843 : -25318
        case .selfSigned: -67843
        case .wrongPurpose(.extendedKeyUsage): -67609
        case .wrongPurpose(.keyUsage): -67608
        case .wrongHost: -67602
        case .expired, .notYetValid: -67818
        case .revoked: -67820
        case .revocationUnknown: -67635
        }
    }

    /// Lower numbers are told first: an expired certificate for another host is one for another host.
    package var priority: Int {
        switch kind {
        case .revoked, .revocationUnknown: 1
        case .weakKey: 2
        case .weakSignature: 3
        case .notCompliant: 5
        case .unknownAuthority, .selfSigned: 7
        case .wrongPurpose: 8
        case .wrongHost: 9
        case .expired, .notYetValid: 10
        }
    }

    /// Whether nobody, not even a person who looked, may overrule it.
    package var isFatal: Bool {
        switch kind {
        case .weakKey(_, let belowHardLimit): belowHardLimit
        case .weakSignature(_, let isUnknown): isUnknown
        case .notCompliant(.unreadable("certificate")), .revoked: true
        default: false
        }
    }

    // More than a person reads are counted.
    private static func list(_ names: [String]) -> String {
        guard names.count > 6 else { return names.isEmpty ? "no host" : names.joined(separator: ", ") }
        return names.prefix(5).joined(separator: ", ") + " and \(names.count - 5) others"
    }

    /// One sentence for a person.
    package var sentence: String {
        switch kind {
        case .weakKey(let key, _): "The key (\(key)) is too weak."
        case .weakSignature(let name, _): "The signature (\(name)) is too weak."
        case .notCompliant(let rule): rule.sentence
        case .unknownAuthority(let missing?): "The certificate of the issuer “\(missing)” is missing."
        case .unknownAuthority: "The authority that signed the certificate is not trusted."
        case .selfSigned: "The certificate is signed by its own key."
        case .wrongPurpose(.extendedKeyUsage): "The certificate is not for this purpose."
        case .wrongPurpose(.keyUsage) where certificate == 0: "The certificate's key may not be used for this purpose."
        case .wrongPurpose(.keyUsage): "The issuer's key may not sign certificates."
        case .wrongHost(let host, let names):
            "The certificate is not for “\(host)”. It names \(Self.list(names))."
        case .expired: "The certificate has expired."
        case .notYetValid: "The certificate is not valid yet."
        case .revoked: "The issuer has revoked the certificate."
        case .revocationUnknown(let gap): gap.sentence
        }
    }
}

extension ComplianceRule {
    /// The OSStatus that names the rule.
    package var code: Int32 {
        switch self {
        case .missingBasicConstraints: -67604
        case .notAuthority: -67605
        case .pathTooLong: -67611
        case .nameConstraint: -67689
        case .unknownCriticalExtension: -67603
        case .unreadable: -67618
        case .repeatedExtension: -67903
        case .keyIdentifierMismatch: -67610
        case .emptySubject: -67655
        case .lifetime: -67901
        case .policy: -67835
        case .transparency: -67825
        case .searchLimit: -67843
        }
    }

    /// One sentence for a person.
    package var sentence: String {
        switch self {
        case .missingBasicConstraints: "An issuer does not say that it is an authority."
        case .notAuthority: "An issuer is not an authority."
        case .pathTooLong(let limit): "An issuer allows \(limit) authorities below it, and there are more."
        case .nameConstraint(let name): "The issuer may not vouch for “\(name)”."
        case .unknownCriticalExtension(let oid): "The certificate demands a rule that is not known here (\(oid))."
        case .unreadable("certificate"): "The certificate cannot be read."
        case .unreadable(let oid): "A part of the certificate cannot be read (\(oid))."
        case .repeatedExtension(let oid): "A part of the certificate is there twice (\(oid))."
        case .keyIdentifierMismatch: "The certificate names another key of its issuer."
        case .emptySubject: "The certificate names nobody."
        case .lifetime(let seconds, let limit):
            "The certificate is valid for \(seconds / 86_400) days, and at most \(limit / 86_400) are allowed."
        case .policy: "The certificate was issued under no policy that its authorities allow."
        case .transparency(.listTooOld): "The list of certificate logs is too old to judge by."
        case .transparency(.tooFew(let count)):
            "Too few certificate logs vouch for it: \(count.qualified) inside and \(count.current) current in "
                + "all, where "
                + "\(count.required) inside are needed."
        case .searchLimit: "The certificates are too many or too entangled to find a trusted path."
        }
    }
}
