// OpenSSL 3 for the one Swift module that may import it: CryptoBackend.
// Only what the importer cannot see stands here: function-like macros, one shim each.
#pragma once
#include <openssl/asn1.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/ocsp.h>
#include <openssl/params.h>
#include <openssl/param_build.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>
#include <openssl/pkcs7.h>
#include <openssl/provider.h>
#include <openssl/rsa.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

static inline void pavise_ssl_ctx_allow_finite_fields(SSL_CTX *context) { SSL_CTX_set_dh_auto(context, 1); }
static inline int pavise_ssl_ctx_set_min_version(SSL_CTX *context, int version) { return SSL_CTX_set_min_proto_version(context, version); }
static inline int pavise_ssl_ctx_set_max_version(SSL_CTX *context, int version) { return SSL_CTX_set_max_proto_version(context, version); }
static inline long pavise_ssl_ctx_set_groups(SSL_CTX *context, const char *list) { return SSL_CTX_set1_groups_list(context, list); }
static inline long pavise_ssl_ctx_set_signature_algorithms(SSL_CTX *context, const char *list) { return SSL_CTX_set1_sigalgs_list(context, list); }
static inline long pavise_ssl_ctx_set_session_cache_mode(SSL_CTX *context, long mode) { return SSL_CTX_set_session_cache_mode(context, mode); }
static inline long pavise_ssl_ctx_add_chain_certificate(SSL_CTX *context, X509 *certificate) { return SSL_CTX_add1_chain_cert(context, certificate); }
static inline int pavise_x509_count(const STACK_OF(X509) *stack) { return sk_X509_num(stack); }
static inline X509 *pavise_x509_at(const STACK_OF(X509) *stack, int index) { return sk_X509_value(stack, index); }
static inline STACK_OF(X509) *pavise_x509_stack(void) { return sk_X509_new_null(); }
static inline int pavise_x509_push(STACK_OF(X509) *stack, X509 *certificate) { return sk_X509_push(stack, certificate); }
static inline void pavise_x509_stack_free(STACK_OF(X509) *stack) { sk_X509_pop_free(stack, X509_free); }
static inline int pavise_pkcs7_count(const STACK_OF(PKCS7) *stack) { return sk_PKCS7_num(stack); }
static inline PKCS7 *pavise_pkcs7_at(const STACK_OF(PKCS7) *stack, int index) { return sk_PKCS7_value(stack, index); }
static inline void pavise_pkcs7_stack_free(STACK_OF(PKCS7) *stack) { sk_PKCS7_pop_free(stack, PKCS7_free); }
static inline int pavise_bag_count(const STACK_OF(PKCS12_SAFEBAG) *stack) { return sk_PKCS12_SAFEBAG_num(stack); }
static inline PKCS12_SAFEBAG *pavise_bag_at(const STACK_OF(PKCS12_SAFEBAG) *stack, int index) { return sk_PKCS12_SAFEBAG_value(stack, index); }
static inline void pavise_bag_stack_free(STACK_OF(PKCS12_SAFEBAG) *stack) { sk_PKCS12_SAFEBAG_pop_free(stack, PKCS12_SAFEBAG_free); }
static inline const char *pavise_ssl_server_name(SSL *ssl) { return SSL_get_servername(ssl, TLSEXT_NAMETYPE_host_name); }

// OSSL_PARAM_BLD keeps the addresses of names and values until to_param: a Swift string has none that lasts. So the
// whole build stands here. Returns NULL and leaves OpenSSL's error queue filled when the parts are no key.
static inline EVP_PKEY *pavise_key_from_builder(OSSL_PARAM_BLD *builder, const char *type, int selection) {
    EVP_PKEY *key = NULL;
    OSSL_PARAM *parameters = OSSL_PARAM_BLD_to_param(builder);
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, type, NULL);
    if (parameters == NULL || context == NULL || EVP_PKEY_fromdata_init(context) != 1 ||
        EVP_PKEY_fromdata(context, &key, selection, parameters) != 1)
        key = NULL;
    EVP_PKEY_CTX_free(context);
    OSSL_PARAM_free(parameters);
    return key;
}

// An EC key from a point and, unless NULL, its scalar.
static inline EVP_PKEY *pavise_ec_key(const char *group, const unsigned char *point, size_t count, const BIGNUM *scalar) {
    OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
    EVP_PKEY *key = NULL;
    if (builder != NULL && OSSL_PARAM_BLD_push_utf8_string(builder, OSSL_PKEY_PARAM_GROUP_NAME, group, 0) == 1 &&
        OSSL_PARAM_BLD_push_octet_string(builder, OSSL_PKEY_PARAM_PUB_KEY, point, count) == 1 &&
        (scalar == NULL || OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_PRIV_KEY, scalar) == 1))
        key = pavise_key_from_builder(builder, "EC", scalar == NULL ? EVP_PKEY_PUBLIC_KEY : EVP_PKEY_KEYPAIR);
    OSSL_PARAM_BLD_free(builder);
    return key;
}

// An RSA public key from modulus and exponent.
static inline EVP_PKEY *pavise_rsa_public_key(const BIGNUM *modulus, const BIGNUM *exponent) {
    OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
    EVP_PKEY *key = NULL;
    if (builder != NULL && OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_N, modulus) == 1 &&
        OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_E, exponent) == 1)
        key = pavise_key_from_builder(builder, "RSA", EVP_PKEY_PUBLIC_KEY);
    OSSL_PARAM_BLD_free(builder);
    return key;
}
static inline long pavise_ssl_set_server_name(SSL *ssl, const char *name) { return SSL_set_tlsext_host_name(ssl, name); }
// SSL_OP_… are macros with casts, which the importer does not see. A client of ours never renegotiates, compresses, keeps tickets or
// shows a certificate after the handshake.
static inline void pavise_ssl_ctx_harden(SSL_CTX *context) { SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_NO_TICKET); SSL_CTX_set_post_handshake_auth(context, 0); SSL_CTX_clear_options(context, SSL_OP_IGNORE_UNEXPECTED_EOF | SSL_OP_ALLOW_UNSAFE_LEGACY_RENEGOTIATION | SSL_OP_LEGACY_SERVER_CONNECT); }

// A context for HMAC with this digest, without a key: made once and copied, because looking the algorithms up by name costs
// more than the digest of a short text. OSSL_PARAM keeps addresses, so the whole construction stands here.
static inline EVP_MAC_CTX *pavise_hmac_template(const char *digest) {
    EVP_MAC *mac = EVP_MAC_fetch(NULL, "HMAC", NULL);
    EVP_MAC_CTX *context = mac == NULL ? NULL : EVP_MAC_CTX_new(mac);
    OSSL_PARAM parameters[2] = {
        OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, (char *)digest, 0), OSSL_PARAM_construct_end()};
    EVP_MAC_free(mac);
    if (context != NULL && EVP_MAC_CTX_set_params(context, parameters) == 1) return context;
    EVP_MAC_CTX_free(context);
    return NULL;
}

// OpenSSL 3.2 and later answers a bad PKCS#1 v1.5 packet with a made-up message unless told otherwise; older ones know no such
// parameter. Apple's answer is an error, and one answer on every system is wanted.
static inline int pavise_rsa_explicit_rejection(EVP_PKEY_CTX *context) {
#ifdef OSSL_ASYM_CIPHER_PARAM_IMPLICIT_REJECTION
    unsigned int wanted = 0;
    OSSL_PARAM parameters[2] = {
        OSSL_PARAM_construct_uint(OSSL_ASYM_CIPHER_PARAM_IMPLICIT_REJECTION, &wanted), OSSL_PARAM_construct_end()};
    return EVP_PKEY_CTX_set_params(context, parameters);
#else
    (void)context;
    return 1;
#endif
}

// For diagnosis alone: servers that know nothing of secure renegotiation (RFC 5746) are still shown.
static inline void pavise_ssl_ctx_allow_old_servers(SSL_CTX *context) { SSL_CTX_set_options(context, SSL_OP_LEGACY_SERVER_CONNECT); }

// TLS 1.0 and 1.1 sign with MD5 and SHA-1 together, which OpenSSL takes at security level 0 alone. What that level would let in
// beside them stays out: suites, groups and Diffie-Hellman keys below 112 bits. Certificates are judged elsewhere.
static inline int pavise_old_versions_security(const SSL *ssl, const SSL_CTX *context, int operation, int bits, int nid, void *other, void *extra) {
    (void)ssl; (void)context; (void)nid; (void)other; (void)extra;
    switch (operation) {
    case SSL_SECOP_CIPHER_SUPPORTED: case SSL_SECOP_CIPHER_SHARED: case SSL_SECOP_CIPHER_CHECK:
    case SSL_SECOP_CURVE_SUPPORTED: case SSL_SECOP_CURVE_SHARED: case SSL_SECOP_CURVE_CHECK:
    case SSL_SECOP_TMP_DH:
        return bits >= 112;
    default:
        return 1;
    }
}
static inline void pavise_ssl_ctx_allow_old_versions(SSL_CTX *context) {
    SSL_CTX_set_security_level(context, 0);
    SSL_CTX_set_security_callback(context, pavise_old_versions_security);
}

// Status answers (RFC 6066 §8) as both ends need them; the calls are macros.
static inline void pavise_ssl_ctx_ask_status(SSL_CTX *context, int (*function)(SSL *, void *)) {
    SSL_CTX_set_tlsext_status_type(context, TLSEXT_STATUSTYPE_ocsp);
    SSL_CTX_set_tlsext_status_cb(context, function);
}
static inline long pavise_ssl_status(SSL *ssl, const unsigned char **bytes) { return SSL_get_tlsext_status_ocsp_resp(ssl, bytes); }
static inline void pavise_ssl_ctx_give_status(SSL_CTX *context, int (*function)(SSL *, void *), void *argument) {
    SSL_CTX_set_tlsext_status_cb(context, function);
    SSL_CTX_set_tlsext_status_arg(context, argument);
}
// OpenSSL frees what it is given.
static inline int pavise_ssl_set_status(SSL *ssl, const unsigned char *bytes, size_t count) {
    unsigned char *copy = OPENSSL_memdup(bytes, count);
    return copy != NULL && SSL_set_tlsext_status_ocsp_resp(ssl, copy, (long)count) == 1;
}

// A key whose private half OpenSSL never sees: a method of our own signs. OpenSSL 3 calls these ways old, and has no other but a
// whole provider.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
typedef int (*pavise_ec_sign)(int, const unsigned char *, int, unsigned char *, unsigned int *, const BIGNUM *, const BIGNUM *, EC_KEY *);
typedef int (*pavise_rsa_sign)(int, const unsigned char *, unsigned char *, RSA *, int);
static inline EC_KEY_METHOD *pavise_ec_method(pavise_ec_sign sign) {
    int (*usual)(int, const unsigned char *, int, unsigned char *, unsigned int *, const BIGNUM *, const BIGNUM *, EC_KEY *) = NULL;
    int (*setup)(EC_KEY *, BN_CTX *, BIGNUM **, BIGNUM **) = NULL;
    ECDSA_SIG *(*structured)(const unsigned char *, int, const BIGNUM *, const BIGNUM *, EC_KEY *) = NULL;
    EC_KEY_METHOD *method = EC_KEY_METHOD_new(EC_KEY_OpenSSL());
    if (method == NULL) return NULL;
    EC_KEY_METHOD_get_sign(method, &usual, &setup, &structured);
    EC_KEY_METHOD_set_sign(method, sign, setup, structured);
    return method;
}
static inline RSA_METHOD *pavise_rsa_method(pavise_rsa_sign sign) {
    RSA_METHOD *method = RSA_meth_dup(RSA_get_default_method());
    if (method == NULL) return NULL;
    RSA_meth_set_priv_enc(method, sign);
    RSA_meth_set_flags(method, RSA_meth_get_flags(method) | RSA_METHOD_FLAG_NO_CHECK);
    return method;
}
static inline void *pavise_ec_user(const EC_KEY *key, int slot) { return EC_KEY_get_ex_data(key, slot); }
static inline void *pavise_rsa_user(const RSA *key, int slot) { return RSA_get_ex_data(key, slot); }
static inline int pavise_rsa_bytes(const RSA *key) { return RSA_size(key); }
static inline int pavise_ec_bytes(const EC_KEY *key) { return ECDSA_size(key); }
// Takes over `user` only when it returns a key: the slot's own function lets go of it with the key.
static inline EVP_PKEY *pavise_foreign_ec(EVP_PKEY *public_key, const EC_KEY_METHOD *method, int slot, void *user) {
    const EC_KEY *known = EVP_PKEY_get0_EC_KEY(public_key);
    EC_KEY *own = known == NULL ? NULL : EC_KEY_dup(known);
    EVP_PKEY *key = EVP_PKEY_new();
    if (own != NULL && key != NULL && EC_KEY_set_method(own, method) == 1 && EVP_PKEY_set1_EC_KEY(key, own) == 1 &&
        EC_KEY_set_ex_data(own, slot, user) == 1) {
        EC_KEY_free(own);
        return key;
    }
    EC_KEY_free(own);
    EVP_PKEY_free(key);
    return NULL;
}
static inline EVP_PKEY *pavise_foreign_rsa(EVP_PKEY *public_key, const RSA_METHOD *method, int slot, void *user) {
    const RSA *known = EVP_PKEY_get0_RSA(public_key);
    RSA *own = known == NULL ? NULL : RSAPublicKey_dup(known);
    EVP_PKEY *key = EVP_PKEY_new();
    if (own != NULL && key != NULL && RSA_set_method(own, method) == 1 && EVP_PKEY_set1_RSA(key, own) == 1 &&
        RSA_set_ex_data(own, slot, user) == 1) {
        RSA_free(own);
        return key;
    }
    RSA_free(own);
    EVP_PKEY_free(key);
    return NULL;
}
#pragma clang diagnostic pop
static inline long pavise_ssl_add_chain_certificate(SSL *ssl, X509 *certificate) { return SSL_add1_chain_cert(ssl, certificate); }

// Derivations of NIST SP 800-108 and SP 800-56C with SHA-256. OSSL_PARAM keeps addresses, so each construction stands here. An
// empty context is left out: OpenSSL takes no parameter of no bytes.
static inline int pavise_kdf_counter(const unsigned char *key, size_t key_count, const unsigned char *label, size_t label_count, const unsigned char *context, size_t context_count, unsigned char *out, size_t count) {
    EVP_KDF *method = EVP_KDF_fetch(NULL, "KBKDF", NULL);
    EVP_KDF_CTX *state = method == NULL ? NULL : EVP_KDF_CTX_new(method);
    OSSL_PARAM parameters[7] = {
        OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_MODE, (char *)"COUNTER", 0),
        OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_MAC, (char *)"HMAC", 0),
        OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, (char *)"SHA256", 0),
        OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_KEY, (void *)key, key_count),
        OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_SALT, (void *)label, label_count),
        context_count == 0 ? OSSL_PARAM_construct_end() : OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_INFO, (void *)context, context_count),
        OSSL_PARAM_construct_end()};
    int status = state != NULL && EVP_KDF_derive(state, out, count, parameters) == 1;
    EVP_KDF_CTX_free(state);
    EVP_KDF_free(method);
    return status;
}
static inline int pavise_kdf_single_step(const unsigned char *secret, size_t secret_count, const unsigned char *info, size_t info_count, unsigned char *out, size_t count) {
    EVP_KDF *method = EVP_KDF_fetch(NULL, "SSKDF", NULL);
    EVP_KDF_CTX *state = method == NULL ? NULL : EVP_KDF_CTX_new(method);
    OSSL_PARAM parameters[4] = {
        OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, (char *)"SHA256", 0),
        OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_KEY, (void *)secret, secret_count),
        OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_INFO, (void *)info, info_count),
        OSSL_PARAM_construct_end()};
    int status = state != NULL && EVP_KDF_derive(state, out, count, parameters) == 1;
    EVP_KDF_CTX_free(state);
    EVP_KDF_free(method);
    return status;
}

// The label of OAEP; OpenSSL frees what it is given.
static inline int pavise_rsa_oaep_label(EVP_PKEY_CTX *context, const unsigned char *label, size_t count) {
    unsigned char *copy = OPENSSL_memdup(label, count);
    if (copy == NULL) return 0;
    if (EVP_PKEY_CTX_set0_rsa_oaep_label(context, copy, (int)count) == 1) return 1;
    OPENSSL_free(copy);
    return 0;
}
