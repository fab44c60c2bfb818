import Foundation
import SecurityFramework
import TestSupport
import Testing

/// The status codes and their sentences (facts: keychain §9, §14).
@Suite struct StatusTests {
    private let named = (-70_000...0).compactMap { number in
        StatusNames.name(of: OSStatus(number)).map { (OSStatus(number), $0) }
    }

    @Test func `all 381 codes have a name of their own`() {
        #expect(named.count == 381)
        #expect(Set(named.map(\.1)).count == 381)
    }

    @Test func `every code has a sentence of its own`() {
        let sentences = named.compactMap { SecCopyErrorMessageString($0.0, nil) as String? }
        #expect(sentences.count == 381)
        #expect(Set(sentences).count == 381)
        #expect(sentences.allSatisfy { $0.hasSuffix(".") && $0.count > 5 })
    }

    @Test(arguments: [1, 7, -1, -5, -25_000, -99_999, OSStatus.max, OSStatus.min])
    func `other numbers have neither`(_ status: OSStatus) {
        #expect(StatusNames.name(of: status) == nil)
        #expect(SecCopyErrorMessageString(status, nil) == nil)
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
}
