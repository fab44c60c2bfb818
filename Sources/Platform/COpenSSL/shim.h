// OpenSSL 3 for the one Swift module that may import it: CryptoBackend.
// Only what the importer cannot see stands here: function-like macros, one shim each.
#pragma once
#include <openssl/asn1.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/params.h>
#include <openssl/param_build.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

static inline int pavise_ssl_ctx_set_min_version(SSL_CTX *context, int version) { return SSL_CTX_set_min_proto_version(context, version); }
static inline int pavise_ssl_ctx_set_max_version(SSL_CTX *context, int version) { return SSL_CTX_set_max_proto_version(context, version); }
static inline long pavise_ssl_ctx_set_groups(SSL_CTX *context, const char *list) { return SSL_CTX_set1_groups_list(context, list); }
static inline long pavise_ssl_ctx_set_signature_algorithms(SSL_CTX *context, const char *list) { return SSL_CTX_set1_sigalgs_list(context, list); }
static inline long pavise_ssl_ctx_set_session_cache_mode(SSL_CTX *context, long mode) { return SSL_CTX_set_session_cache_mode(context, mode); }
static inline long pavise_ssl_ctx_add_chain_certificate(SSL_CTX *context, X509 *certificate) { return SSL_CTX_add1_chain_cert(context, certificate); }
static inline int pavise_x509_count(const STACK_OF(X509) *stack) { return sk_X509_num(stack); }
static inline X509 *pavise_x509_at(const STACK_OF(X509) *stack, int index) { return sk_X509_value(stack, index); }
static inline const char *pavise_ssl_server_name(SSL *ssl) { return SSL_get_servername(ssl, TLSEXT_NAMETYPE_host_name); }

// SSL_OP_… are macros with casts, which the importer does not see. A client of ours never renegotiates, compresses or keeps tickets.
static inline void pavise_ssl_ctx_harden(SSL_CTX *context) { SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_NO_TICKET); SSL_CTX_clear_options(context, SSL_OP_IGNORE_UNEXPECTED_EOF | SSL_OP_ALLOW_UNSAFE_LEGACY_RENEGOTIATION | SSL_OP_LEGACY_SERVER_CONNECT); }
