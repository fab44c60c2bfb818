internal import CPaviseOpenSSL
package import PavisePrimitives

/// A public key on a NIST curve. The point is known to be on the curve.
package final class ECPublicKey: Sendable {
    let handle: KeyHandle
    /// The curve.
    package let curve: Curve
    /// 04‖X‖Y (SEC 1 §2.3.3), uncompressed.
    package let x963: [UInt8]

    /// Reads an uncompressed point.
    ///
    /// - Throws: ``CryptoFailure/invalidKey`` for any other form, a point off the curve, or infinity.
    package init(x963: [UInt8], curve: Curve) throws(CryptoFailure) {
        guard x963.count == curve.pointBytes, x963.first == 4 else { throw .invalidKey }
        handle = try unsafe KeyHandle.adopting(pavise_ec_key(curve.groupName, x963, x963.count, nil))
        self.curve = curve
        self.x963 = x963
        try Self.check(handle)
    }

    /// The public half of a pair, which only its public part is ever asked for.
    fileprivate init(halfOf pair: KeyHandle, point: [UInt8], curve: Curve) {
        handle = pair
        x963 = point
        self.curve = curve
    }

    // Range and curve; the order needs no check where the cofactor is 1 (NIST SP 800-56A §5.6.2.3.4).
    fileprivate static func check(_ handle: KeyHandle) throws(CryptoFailure) {
        guard let check = unsafe EVP_PKEY_CTX_new_from_pkey(nil, handle.pointer, nil) else { throw .last("EC key") }
        defer { unsafe EVP_PKEY_CTX_free(check) }
        guard unsafe EVP_PKEY_public_check_quick(check) == 1 else {
            ERR_clear_error()
            throw .invalidKey
        }
    }

    /// Reads a SubjectPublicKeyInfo with a named curve and an uncompressed point (RFC 5480 §2), in strict DER.
    package convenience init(spki: [UInt8]) throws(CryptoFailure) {
        guard let (curve, point) = try? Self.parts(of: spki), let curve else { throw .invalidKey }
        try self.init(x963: point, curve: curve)
    }

    // OpenSSL would also take BER, explicit parameters and compressed points: two texts for one key.
    private static func parts(of spki: [UInt8]) throws(DERFailure) -> (Curve?, [UInt8]) {
        var reader = DERReader(spki[...])
        var info = try reader.inside()
        try reader.finish()
        var algorithm = try info.inside()
        let type = try algorithm.next().objectIdentifier()
        let name = try algorithm.next().objectIdentifier()
        try algorithm.finish()
        let point = try info.next(DERTag.bitString).octetsOfBitString()
        try info.finish()
        guard type == "1.2.840.10045.2.1" else { throw DERFailure() }
        return (Curve.allCases.first { $0.identifier == name }, Array(point))
    }

    /// The SubjectPublicKeyInfo, DER.
    package func spki() throws(CryptoFailure) -> [UInt8] { try handle.spki() }

    /// Whether `signature` (DER, X9.62) belongs to `digest`; the leftmost bits count when the digest is longer than the
    /// order.
    package func verify(signature: [UInt8], digest: [UInt8]) -> Bool {
        unsafe curve.isRight && handle.verify(signature: signature, digest: digest) { _ in true }
    }
}

/// A private key on a NIST curve, in memory.
package final class ECPrivateKey: Sendable {
    let handle: KeyHandle
    /// The public half.
    package let publicKey: ECPublicKey

    /// Makes a fresh key.
    package init(generating curve: Curve) throws(CryptoFailure) {
        guard let context = unsafe EVP_PKEY_CTX_new_from_name(nil, "EC", nil) else { throw .last("EC key") }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        guard unsafe EVP_PKEY_keygen_init(context) == 1,
            unsafe EVP_PKEY_CTX_set_group_name(context, curve.groupName) == 1,
            unsafe EVP_PKEY_generate(context, &key) == 1, let key = unsafe key
        else { throw .last("EC key") }
        handle = unsafe KeyHandle(owning: key)
        publicKey = ECPublicKey(halfOf: handle, point: try handle.octets(OSSL_PKEY_PARAM_PUB_KEY), curve: curve)
    }

    /// Reads a scalar and computes its public half.
    ///
    /// - Throws: ``CryptoFailure/invalidKey`` unless 0 < scalar < order and the length is the curve's.
    package convenience init(scalar: Span<UInt8>, curve: Curve) throws(CryptoFailure) {
        try self.init(scalar: scalar, point: try Self.point(of: scalar, curve: curve), curve: curve)
    }

    /// Reads a pair whose halves are known to belong together, for example because they were sealed together.
    package init(scalar: Span<UInt8>, point: [UInt8], curve: Curve) throws(CryptoFailure) {
        guard scalar.count == curve.fieldBytes, point.count == curve.pointBytes else { throw .invalidKey }
        guard
            let number = unsafe scalar.withUnsafeBytes({ buffer in
                unsafe BN_secure_new().flatMap { target in
                    unsafe BN_bin2bn(buffer.bindMemory(to: UInt8.self).baseAddress, Int32(buffer.count), target)
                }
            })
        else { throw .last("EC key") }
        defer { unsafe BN_clear_free(number) }
        handle = try unsafe KeyHandle.adopting(pavise_ec_key(curve.groupName, point, point.count, number))
        publicKey = ECPublicKey(halfOf: handle, point: point, curve: curve)
        try ECPublicKey.check(handle)
    }

    /// The scalar, big-endian, as wide as the field.
    package func scalar() throws(CryptoFailure) -> SecretBytes {
        try handle.number(OSSL_PKEY_PARAM_PRIV_KEY, width: publicKey.curve.fieldBytes)
    }

    /// A signature over a finished digest, DER (X9.62).
    package func sign(digest: [UInt8]) throws(CryptoFailure) -> [UInt8] {
        try publicKey.curve.requireSelfTest()
        return try unsafe handle.sign(digest: digest) { _ in true }
    }

    /// The x-coordinate of ECDH with `peer`, as wide as the field (NIST SP 800-56A §5.7.1.2).
    package func sharedSecret(with peer: ECPublicKey) throws(CryptoFailure) -> SecretBytes {
        guard peer.curve == publicKey.curve else { throw .invalidKey }
        try peer.curve.requireSelfTest()
        // Every ``ECPublicKey`` was checked when it was made: not a second time here.
        return try handle.derive(with: peer.handle, count: peer.curve.fieldBytes)
    }

    // scalar · G, with the range check that OpenSSL leaves to the caller.
    private static func point(of scalar: Span<UInt8>, curve: Curve) throws(CryptoFailure) -> [UInt8] {
        guard scalar.count == curve.fieldBytes else { throw .invalidKey }
        let nid = unsafe OBJ_txt2nid(curve.groupName)
        guard let group = unsafe EC_GROUP_new_by_curve_name(nid) else { throw .last("EC key") }
        defer { unsafe EC_GROUP_free(group) }
        guard
            let number = unsafe scalar.withUnsafeBytes({ buffer in
                unsafe BN_bin2bn(buffer.bindMemory(to: UInt8.self).baseAddress, Int32(buffer.count), nil)
            })
        else { throw .last("EC key") }
        defer { unsafe BN_clear_free(number) }
        guard unsafe BN_is_zero(number) == 0, unsafe BN_cmp(number, EC_GROUP_get0_order(group)) < 0 else {
            throw .invalidKey
        }
        guard let point = unsafe EC_POINT_new(group) else { throw .last("EC key") }
        defer { unsafe EC_POINT_free(point) }
        unsafe BN_set_flags(number, BN_FLG_CONSTTIME)
        guard unsafe EC_POINT_mul(group, point, number, nil, nil, nil) == 1 else { throw .last("EC key") }
        let size = curve.pointBytes
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            count = unsafe EC_POINT_point2oct(
                group, point, POINT_CONVERSION_UNCOMPRESSED, buffer.baseAddress, size, nil)
        }
        guard bytes.count == size else { throw .last("EC key") }
        return bytes
    }
}
