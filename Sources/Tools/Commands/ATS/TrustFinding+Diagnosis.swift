internal import SecurityFramework

extension TrustFinding {
    /// What the finding means for a diagnosis: one sentence with the certificate it is about.
    var diagnosis: String {
        let place = certificate == 0 ? "The server's certificate" : "Certificate \(certificate) of the chain"
        return switch kind {
        case .weakKey(let key, _): "\(place) has a key that is too weak (\(key))."
        case .weakSignature(let signature, _): "\(place) is signed with a broken hash (\(signature))."
        case .notCompliant(.lifetime): "\(place) is valid for longer than the rules allow."
        case .notCompliant: "\(place) breaks a rule for server certificates."
        case .unknownAuthority(let missing?): "The chain lacks its issuer “\(missing)” or ends at an unknown authority."
        case .unknownAuthority(nil): "The chain ends at an authority that is not known here."
        case .selfSigned: "The server signed its certificate itself."
        case .wrongPurpose: "\(place) is made for another purpose."
        case .wrongHost(let host, _): "The certificate is for other names than “\(host)”."
        case .expired: "\(place) has expired."
        case .notYetValid: "\(place) is not valid yet."
        case .revoked: "\(place) was revoked by its issuer."
        case .revocationUnknown(let gap): "\(place): \(gap.sentence)"
        }
    }
}
