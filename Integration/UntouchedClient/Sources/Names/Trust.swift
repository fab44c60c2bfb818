import Foundation
import Security

/// The names around trust and certificates. Compiled, never run.
func trustNames(_ der: Data, _ key: SecKey) -> [Any?] {
    guard let certificate = SecCertificateCreateWithData(nil, der as CFData) else { return [] }
    let policies = [SecPolicyCreateSSL(true, "example.org" as CFString), SecPolicyCreateBasicX509()]
    var optional: SecTrust?
    guard SecTrustCreateWithCertificates([certificate] as CFArray, policies as CFArray, &optional) == errSecSuccess,
        let trust = optional
    else { return [] }
    SecTrustSetPolicies(trust, policies as AnyObject)
    SecTrustSetAnchorCertificates(trust, [certificate] as CFArray)
    SecTrustSetAnchorCertificatesOnly(trust, true)
    var result = SecTrustResultType.invalid
    SecTrustEvaluate(trust, &result)
    var error: CFError?
    let isTrusted = SecTrustEvaluateWithError(trust, &error)
    SecTrustEvaluateAsync(trust, DispatchQueue.global()) { _, outcome in _ = outcome == .proceed }
    SecTrustEvaluateAsyncWithError(trust, DispatchQueue.global()) { _, isTrusted, error in _ = (isTrusted, error) }
    let chain = SecTrustCopyCertificateChain(trust) as? [SecCertificate]
    let first = SecTrustGetCertificateCount(trust) > 0 ? SecTrustGetCertificateAtIndex(trust, 0) : nil
    if let revocation = SecPolicyCreateRevocation(kSecRevocationUseAnyAvailableMethod) {
        SecTrustSetPolicies(trust, [revocation, policies[0]] as CFArray)
    }
    return [
        isTrusted, chain, first, SecTrustCopyKey(trust), SecTrustCopyPublicKey(trust), result == .unspecified, error,
    ]
}

func certificateNames(_ certificate: SecCertificate) -> [Any?] {
    var name: CFString?
    SecCertificateCopyCommonName(certificate, &name)
    var addresses: CFArray?
    SecCertificateCopyEmailAddresses(certificate, &addresses)
    var error: Unmanaged<CFError>?
    let serial = SecCertificateCopySerialNumberData(certificate, &error) as Data?
    let isCertificate = CFGetTypeID(certificate) == SecCertificateGetTypeID()
    return [
        name as String?, addresses as? [String], serial, isCertificate, SecCertificateCopyData(certificate) as Data,
        SecCertificateCopySubjectSummary(certificate) as String?, SecCertificateCopyKey(certificate),
        SecCertificateCopyNormalizedSubjectSequence(certificate) as Data?,
        SecCertificateCopyNormalizedIssuerSequence(certificate) as Data?,
    ]
}

/// Shared web credentials.
func sharedNames(_ done: @escaping (String?) -> Void) {
    let proposal = SecCreateSharedWebCredentialPassword() as String?
    SecAddSharedWebCredential("example.org" as CFString, "ada" as CFString, proposal as CFString?) { error in
        if let error = error { print(CFErrorGetCode(error)) }
        done(proposal)
    }
}
