internal import CPaviseOpenSSL

extension RSAPrivateKey {
    /// Whether the numbers belong together (RFC 8017 §3.2): n = p·q, e·d = 1 modulo p − 1 and q − 1, and the three
    /// numbers of the Chinese remainder theorem. Not whether p and q are prime: see ``init(pkcs1:)``.
    func isConsistent() -> Bool {
        defer { ERR_clear_error() }
        do {
            return try holds()
        } catch {
            return false
        }
    }

    private func holds() throws(CryptoFailure) -> Bool {
        guard let context = unsafe BN_CTX_secure_new() else { throw .last("RSA key") }
        defer { unsafe BN_CTX_free(context) }
        let n = try RSANumber(handle, OSSL_PKEY_PARAM_RSA_N)
        let p = try RSANumber(handle, "rsa-factor1")
        let q = try RSANumber(handle, "rsa-factor2")
        let product = try RSANumber()
        guard p.isOdd, q.isOdd, unsafe BN_mul(product.pointer, p.pointer, q.pointer, context) == 1,
            product.equals(n), unsafe try isInverse(p, "rsa-exponent1", context),
            unsafe try isInverse(q, "rsa-exponent2", context)
        else { return false }
        let coefficient = try RSANumber(handle, "rsa-coefficient1")
        return unsafe BN_mod_mul(product.pointer, coefficient.pointer, q.pointer, p.pointer, context) == 1
            && product.isOne && BN_cmp(coefficient.pointer, p.pointer) < 0
    }

    // Whether d and its part for this prime undo e modulo prime − 1, and the part is d modulo prime − 1.
    private func isInverse(
        _ prime: borrowing RSANumber, _ name: String, _ context: OpaquePointer
    ) throws(CryptoFailure) -> Bool {
        let e = try RSANumber(handle, OSSL_PKEY_PARAM_RSA_E)
        let d = try RSANumber(handle, OSSL_PKEY_PARAM_RSA_D)
        let part = try RSANumber(handle, name)
        let below = try RSANumber()
        let result = try RSANumber()
        guard unsafe BN_sub(below.pointer, prime.pointer, BN_value_one()) == 1,
            unsafe BN_nnmod(result.pointer, d.pointer, below.pointer, context) == 1, result.equals(part)
        else { return false }
        return unsafe BN_mod_mul(result.pointer, e.pointer, d.pointer, below.pointer, context) == 1 && result.isOne
    }
}
