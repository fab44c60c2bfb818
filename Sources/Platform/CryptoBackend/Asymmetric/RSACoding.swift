internal import CPaviseOpenSSL
internal import PavisePrimitives

/// RSA keys as PKCS#1 (RFC 8017 appendix A.1), and what must hold for one that comes from outside.
enum RSACoding {
    /// The sizes of a modulus in bits: Apple's, for keys of every use. What may be trusted is another question, of
    /// chains.
    static let sizes = 512...8192

    /// Reads PKCS#1 and nothing behind it: what encodes back to the same bytes.
    static func decode(_ der: [UInt8], privateHalf: Bool) throws(CryptoFailure) -> KeyHandle {
        // OpenSSL tries several formats on what it does not know, which takes long and is not wanted here.
        guard der.count <= 16_384, hasNumbers(der, privateHalf: privateHalf) else { throw .invalidKey }
        let key = unsafe der.withUnsafeBufferPointer { buffer -> OpaquePointer? in
            var next = buffer.baseAddress
            return unsafe privateHalf
                ? d2i_PrivateKey(EVP_PKEY_RSA, nil, &next, buffer.count)
                : d2i_PublicKey(EVP_PKEY_RSA, nil, &next, buffer.count)
        }
        let handle = try unsafe KeyHandle.adopting(key)
        guard unsafe EVP_PKEY_is_a(handle.pointer, "RSA") == 1 else { throw .invalidKey }
        try checkSize(handle)
        // What is kept is what was given.
        let same =
            try privateHalf
            ? encodePrivate(handle).matches(SecretBytes(copying: der.span)) : encodePublic(handle) == der
        guard same else { throw .invalidKey }
        return handle
    }

    private static func checkSize(_ handle: KeyHandle) throws(CryptoFailure) {
        let bits = Int(unsafe EVP_PKEY_get_bits(handle.pointer))
        guard sizes.contains(bits) else {
            throw .invalidParameter("the RSA key has \(bits) bits, and 512 to 8192 are supported")
        }
    }

    /// A key of its two numbers, big-endian.
    static func key(modulus: [UInt8], exponent: [UInt8]) throws(CryptoFailure) -> KeyHandle {
        guard (64...2048).contains(modulus.count), (1...8).contains(exponent.count), isOdd(modulus[...]),
            isOdd(exponent[...]), exponent.drop(while: { $0 == 0 }) != [1]
        else { throw .invalidKey }
        guard let n = unsafe BN_bin2bn(modulus, Int32(modulus.count), nil) else { throw .last("RSA key") }
        defer { unsafe BN_free(n) }
        guard let e = unsafe BN_bin2bn(exponent, Int32(exponent.count), nil) else { throw .last("RSA key") }
        defer { unsafe BN_free(e) }
        let handle = try unsafe KeyHandle.adopting(pavise_rsa_public_key(n, e))
        try checkSize(handle)
        return handle
    }

    /// Writes the PKCS#1 RSAPrivateKey: what the older encoders do for RSA.
    static func encodePrivate(_ handle: KeyHandle) throws(CryptoFailure) -> SecretBytes {
        let size = unsafe i2d_PrivateKey(handle.pointer, nil)
        guard size > 0 else { throw .last("RSA key") }
        var written: Int32 = 0
        let bytes = SecretBytes(count: Int(size)) { span in
            unsafe span.withUnsafeMutableBytes { buffer in
                var next = unsafe buffer.bindMemory(to: UInt8.self).baseAddress
                written = unsafe i2d_PrivateKey(handle.pointer, &next)
            }
        }
        guard written == size else { throw .last("RSA key") }
        return bytes
    }

    /// Writes the PKCS#1 RSAPublicKey. OpenSSL's own encoder looks for one that fits each time, which takes longer than
    /// a verification.
    static func encodePublic(_ handle: KeyHandle) throws(CryptoFailure) -> [UInt8] {
        let modulus = try integer(handle.number(OSSL_PKEY_PARAM_RSA_N))
        return DEREncoding.element(0x30, modulus + (try integer(handle.number(OSSL_PKEY_PARAM_RSA_E))))
    }

    // A first bit that is set would make it negative.
    private static func integer(_ number: borrowing SecretBytes) -> [UInt8] {
        let octets = number.withBytes { bytes in Array(bytes) }
        let isNegative = octets.first.map { $0 >= 0x80 } ?? true
        return DEREncoding.element(0x02, (isNegative ? [0] : []) + octets)
    }

    /// Whether `der` is the sequence of RFC 8017 appendix A.1 and nothing behind it: positive whole numbers in their
    /// shortest form, of two primes. The modulus of two odd primes is odd; the exponent must be odd and above 1 to have
    /// an inverse.
    private static func hasNumbers(_ der: [UInt8], privateHalf: Bool) -> Bool {
        do throws(DERFailure) {
            var outer = DERReader(der[...])
            var numbers = try outer.inside()
            try outer.finish()
            if privateHalf { guard try numbers.next().smallInteger() == 0 else { return false } }
            let modulus = try positive(&numbers)
            let exponent = try positive(&numbers)
            for _ in 0..<(privateHalf ? 6 : 0) { _ = try positive(&numbers) }
            try numbers.finish()
            return isOdd(modulus) && isOdd(exponent) && exponent != [1]
        } catch {
            return false
        }
    }

    private static func positive(_ numbers: inout DERReader) throws(DERFailure) -> ArraySlice<UInt8> {
        let number = try numbers.next(DERTag.integer).integerBytes()
        guard let first = number.first, first < 0x80, number != [0] else { throw DERFailure() }
        return number
    }

    private static func isOdd(_ number: ArraySlice<UInt8>) -> Bool { (number.last ?? 0) & 1 == 1 }
}

/// One number of an RSA key, wiped when it goes away.
@safe
struct RSANumber: ~Copyable {
    let pointer: OpaquePointer

    /// The number `name` of a key; secret ones are worked on in constant time.
    init(_ handle: KeyHandle, _ name: String) throws(CryptoFailure) {
        var number: OpaquePointer?
        guard unsafe EVP_PKEY_get_bn_param(handle.pointer, name, &number) == 1, let number = unsafe number else {
            throw .last("RSA key")
        }
        unsafe BN_set_flags(number, BN_FLG_CONSTTIME)
        unsafe pointer = number
    }

    /// Room for a result.
    init() throws(CryptoFailure) {
        guard let number = unsafe BN_secure_new() else { throw .last("RSA key") }
        unsafe BN_set_flags(number, BN_FLG_CONSTTIME)
        unsafe pointer = number
    }

    var isOdd: Bool { unsafe BN_is_odd(pointer) == 1 }
    var isOne: Bool { unsafe BN_is_one(pointer) == 1 }

    func equals(_ other: borrowing RSANumber) -> Bool { unsafe BN_cmp(pointer, other.pointer) == 0 }

    deinit { unsafe BN_clear_free(pointer) }
}
