internal import CPaviseOpenSSL
internal import PavisePrimitives
internal import Synchronization

/// Known answers that are computed before the first use of a primitive, not at the start. Once one is wrong, none of
/// these primitives works any more in this process, and ``CryptoSelfTest/failure`` names it, so that nothing more is
/// opened.
package enum ConditionalSelfTest: String, CaseIterable, Sendable {
    case rsaPSS = "RSA-PSS"
    case ecdsa384 = "ECDSA P-384"
    case rsaPKCS1 = "RSA PKCS#1 v1.5"
    case rsaOAEP = "RSA-OAEP"

    /// Whether this and every other known answer so far was right.
    var isRight: Bool {
        switch self {
        case .rsaPSS: Self.rsaPSSOnce
        case .ecdsa384: Self.ecdsa384Once
        case .rsaPKCS1: Self.rsaPKCS1Once
        case .rsaOAEP: Self.rsaOAEPOnce
        }
        return Self.found.load(ordering: .acquiring) < 0
    }

    /// - Throws: ``CryptoFailure/library(operation:reason:)`` where one was wrong.
    func require() throws(CryptoFailure) {
        guard !isRight, let wrong = Self.wrong else { return }
        throw .library(operation: "self-test", reason: "\(wrong.rawValue) gives a wrong answer")
    }

    private static let rsaPSSOnce: Void = rsaPSS.computeOnce()
    private static let ecdsa384Once: Void = ecdsa384.computeOnce()
    private static let rsaPKCS1Once: Void = rsaPKCS1.computeOnce()
    private static let rsaOAEPOnce: Void = rsaOAEP.computeOnce()

    private func computeOnce() { note(isRight: (try? compute()) == true) }

    // The place of the one that was wrong.
    private static let found = Atomic<Int>(-1)

    /// One that was wrong.
    static var wrong: ConditionalSelfTest? {
        let place = found.load(ordering: .acquiring)
        return place < 0 ? nil : allCases[place]
    }

    /// What came out. A test of what follows from a wrong answer calls it, in a process of its own.
    package func note(isRight: Bool) {
        guard !isRight, let place = Self.allCases.firstIndex(of: self) else { return }
        Self.found.store(place, ordering: .releasing)
    }
}

extension ConditionalSelfTest {
    private static let abc = Hash.digest(.sha256, Array("abc".utf8))
    private static let other = Hash.digest(.sha256, [])

    /// Computes the answer anew.
    func compute() throws -> Bool {
        switch self {
        case .rsaPSS: try Self.rsaPSSIsRight()
        case .ecdsa384: try Self.ecdsa384IsRight()
        case .rsaPKCS1: try Self.rsaPKCS1IsRight()
        case .rsaOAEP: try Self.rsaOAEPIsRight()
        }
    }

    // Made by the package `cryptography` of Python: a key of 2,048 bits, whose private half is not kept.
    private static func rsaPSSIsRight() throws -> Bool {
        let key = try RSACoding.key(modulus: ConditionalSelfTestVectors.rsaModulus, exponent: [1, 0, 1])
        return isSignature(ConditionalSelfTestVectors.rsa, of: abc, by: key, .pss(.sha256))
            && !isSignature(ConditionalSelfTestVectors.rsa, of: other, by: key, .pss(.sha256))
    }

    // RFC 6979, appendix A.2.6: certificates of many authorities are signed with this curve.
    private static func ecdsa384IsRight() throws -> Bool {
        let point = ConditionalSelfTestVectors.ecdsa384Key
        let key = try unsafe KeyHandle.adopting(pavise_ec_key(Curve.p384.groupName, point, point.count, nil))
        guard let signature = ECDSASignature.der(raw: ConditionalSelfTestVectors.ecdsa384, curve: .p384) else {
            return false
        }
        let digest = Hash.digest(.sha384, Array("sample".utf8))
        return unsafe key.verify(signature: signature, digest: digest) { _ in true }
            && !key.verify(signature: signature, digest: Hash.digest(.sha384, [])) { _ in true }
    }

    // This padding has no salt: the signature is the same each time.
    private static func rsaPKCS1IsRight() throws -> Bool {
        let (padding, signature) = (RSASignaturePadding.pkcs1(.sha256), ConditionalSelfTestVectors.rsaPKCS1)
        let pair = try RSACoding.decode(ConditionalSelfTestVectors.rsaPair, privateHalf: true)
        return try unsafe pair.sign(digest: abc) { unsafe padding.configure($0) } == signature
            && isSignature(signature, of: abc, by: pair, padding)
            && !isSignature(signature, of: other, by: pair, padding)
    }

    // What was altered does not open.
    private static func rsaOAEPIsRight() throws -> Bool {
        let pair = try RSACoding.decode(ConditionalSelfTestVectors.rsaPair, privateHalf: true)
        var cipher = ConditionalSelfTestVectors.rsaOAEP
        let plain = Array("abc".utf8)
        guard try pair.decrypt(cipher.span, .oaep(.sha256)).matches(SecretBytes(copying: plain.span)) else {
            return false
        }
        cipher[100] ^= 1
        do throws(CryptoFailure) {
            _ = try pair.decrypt(cipher.span, .oaep(.sha256))
            return false
        } catch {
            return error == .authentication
        }
    }

    private static func isSignature(
        _ signature: [UInt8], of digest: [UInt8], by key: KeyHandle, _ padding: RSASignaturePadding
    ) -> Bool {
        unsafe key.verify(signature: signature, digest: digest) { unsafe padding.configure($0) }
    }
}

extension Curve {
    // Whether the curve's known answer is right, or is of those that are computed at the start.
    var isRight: Bool { self != .p384 || ConditionalSelfTest.ecdsa384.isRight }

    func requireSelfTest() throws(CryptoFailure) {
        if self == .p384 { try ConditionalSelfTest.ecdsa384.require() }
    }
}

extension RSASignaturePadding {
    var selfTest: ConditionalSelfTest {
        switch self {
        case .pss: .rsaPSS
        case .pkcs1, .pkcs1Bare: .rsaPKCS1
        }
    }
}
