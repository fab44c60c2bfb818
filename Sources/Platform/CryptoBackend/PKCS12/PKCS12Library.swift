internal import CPaviseOpenSSL

/// OpenSSL with its old ciphers, for PKCS#12 alone: many files in the world are encrypted with RC2 of 40 bits or
/// triple DES. Everything else goes on without them.
// Safe to share: loaded once, never changed, and OpenSSL locks what is inside.
@safe
struct PKCS12Library: @unchecked Sendable {
    let context: OpaquePointer?

    static let shared = PKCS12Library()

    // Without the module of old ciphers the newer files can be read still.
    private init() {
        let context = unsafe OSSL_LIB_CTX_new()
        // OPENSSL_MODULES would name another folder.
        unsafe _ = OSSL_PROVIDER_set_default_search_path(context, OPENSSL_info(OPENSSL_INFO_MODULES_DIR))
        for name in ["default", "legacy"] {
            unsafe _ = OSSL_PROVIDER_load(context, name)
        }
        ERR_clear_error()
        unsafe self.context = context
    }
}
