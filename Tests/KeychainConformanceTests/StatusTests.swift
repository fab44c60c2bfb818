import Foundation
import SecurityFramework
import TestSupport
import Testing

/// The status codes and their sentences.
@Suite struct StatusTests {
    private static let named = (-70_000...0).compactMap { number in
        StatusNames.name(of: OSStatus(number)).map { (OSStatus(number), $0) }
    }

    @Test func `all 381 codes have a name of their own`() {
        #expect(Self.named.count == 381)
        #expect(Set(Self.named.map(\.1)).count == 381)
    }

    @Test func `every code has a sentence of its own`() {
        let sentences = Self.named.compactMap { SecCopyErrorMessageString($0.0, nil) as String? }
        #expect(sentences.count == 381)
        #expect(Set(sentences).count == 381)
        #expect(sentences.allSatisfy { $0.hasSuffix(".") && $0.count > 5 })
    }

    @Test(arguments: [1, 7, -1, -5, -25_000, -99_999, 99_999, 100_255, OSStatus.max, OSStatus.min])
    func `other numbers have no name, and are told by their number`(_ status: OSStatus) {
        #expect(StatusNames.name(of: status) == nil)
        #expect(SecCopyErrorMessageString(status, nil) as String? == "OSStatus \(status)")
    }

    @Test(arguments: [(100_000, "Success"), (100_002, "No such file or directory"), (100_254, "Unknown error 254")])
    func `an error number of the system has the system's text`(_ status: OSStatus, _ text: String) {
        #expect(SecCopyErrorMessageString(status, nil) as String? == "UNIX[\(text)]")
    }

    static let codes: [(OSStatus, OSStatus)] = [
        (errSecSuccess, 0), (errSecUnimplemented, -4), (errSecDiskFull, -34), (errSecIO, -36), (errSecParam, -50),
        (errSecAllocate, -108), (errSecUserCanceled, -128), (errSecNotAvailable, -25_291), (errSecReadOnly, -25_292),
        (errSecAuthFailed, -25_293), (errSecDuplicateItem, -25_299), (errSecItemNotFound, -25_300),
        (errSecNoSuchAttr, -25_303), (errSecInvalidItemRef, -25_304), (errSecNoSuchClass, -25_306),
        (errSecInteractionNotAllowed, -25_308), (errSecWrongSecVersion, -25_310), (errSecKeySizeNotAllowed, -25_311),
        (errSecDecode, -26_275), (errSecMissingEntitlement, -34_018), (errSecRestrictedAPI, -34_020),
        (errSecVerifyFailed, -67_808), (errSecMissingQualifiedCertStatement, -67_904),
        (errSecCertificateIsCA, -67_902), (errSecHostNameMismatch, -67_602),
    ]

    @Test(arguments: codes)
    func `a code has Apple's number`(_ constant: OSStatus, _ number: OSStatus) {
        #expect(constant == number)
        #expect(StatusNames.name(of: constant) != nil)
    }

    private static let secured = (-70_000...0).compactMap { number in
        StatusNames.secureTransportName(of: OSStatus(number)).map { (OSStatus(number), $0) }
    }

    @Test func `the 74 codes of TLS have names and sentences of their own, and none is a code of the keychain`() {
        #expect(Self.secured.count == 74)
        #expect(Set(Self.secured.map(\.1)).count == 74)
        let sentences = (Self.named + Self.secured).compactMap { SecCopyErrorMessageString($0.0, nil) as String? }
        #expect(Set(sentences).count == 381 + 74)
        #expect(Self.secured.allSatisfy { StatusNames.name(of: $0.0) == nil })
        #expect(Self.secured.allSatisfy { (SecCopyErrorMessageString($0.0, nil) as String?)?.hasSuffix(".") == true })
        let numbers = [Int](-9865 ... -9800) + [Int](-9886 ... -9880) + [-9890]
        #expect(Self.secured.map { Int($0.0) } == numbers.sorted())
    }

    static let securedCodes: [(OSStatus, Int32, String)] = [
        (errSSLProtocol, -9800, "Protocol"), (errSSLClosedGraceful, -9805, "ClosedGraceful"),
        (errSSLCrypto, -9809, "Crypto"), (errSSLBadCipherSuite, -9818, "BadCipherSuite"),
        (errSSLPeerUnexpectedMsg, -9819, "PeerUnexpectedMsg"), (errSSLIllegalParam, -9830, "IllegalParam"),
        (errSSLPeerNoRenegotiation, -9840, "PeerNoRenegotiation"), (errSSLHostNameMismatch, -9843, "HostNameMismatch"),
        (errSSLWeakPeerEphemeralDHKey, -9850, "WeakPeerEphemeralDHKey"),
        (errSSLUnrecognizedName, -9865, "UnrecognizedName"), (errSSLATSViolation, -9880, "ATSViolation"),
        (errSSLATSCertificateTrustViolation, -9886, "ATSCertificateTrustViolation"),
        (errSSLEarlyDataRejected, -9890, "EarlyDataRejected"),
    ]

    @Test(arguments: securedCodes)
    func `a code of TLS has Apple's name and number`(_ constant: OSStatus, _ number: Int32, _ name: String) {
        #expect(constant == number)
        #expect(StatusNames.secureTransportName(of: constant) == name)
    }

    @Test func `the sentences of TLS say what happened`() {
        #expect(
            SecCopyErrorMessageString(errSSLHostNameMismatch, nil) as String?
                == "The certificate is for another host name.")
    }
}
