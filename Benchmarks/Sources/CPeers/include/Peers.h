// The peers that Pavise is measured against: the same work, written in C straight on the same system libraries.
#pragma once
#include <stddef.h>
#include <stdint.h>

// What one run of requests came to.
struct peer_http_result {
    double seconds;
    long requests;
    long failures;      // anything but status 200 with the expected number of body bytes
    char protocol[16];  // what the server says it spoke
};

// Sends GET requests for `seconds` with `in_flight` of them under way at all times, over kept-alive connections.
// Returns 0, or libcurl's code when not even the first request worked.
int peer_curl_get(
    const char *url, const char *probe, const char *anchors, int in_flight, double seconds, int http2,
    struct peer_http_result *result);

// ECIES on P-256 with SHA-256, IV from the KDF, AES-128-GCM: fresh ephemeral key, ECDH, X9.63 KDF, seal.
// `packet` takes 65 + count + 16 bytes. Returns 1 or 0.
struct peer_ecies;
struct peer_ecies *peer_ecies_new(void);
void peer_ecies_free(struct peer_ecies *peer);
int peer_ecies_seal(struct peer_ecies *peer, const uint8_t *plain, size_t count, uint8_t *packet);
int peer_ecies_open(struct peer_ecies *peer, const uint8_t *packet, size_t count, uint8_t *plain);

// AES-256-GCM with a 12-byte nonce and a context that keeps its key. `sealed` takes count + 16 bytes.
struct peer_gcm;
struct peer_gcm *peer_gcm_new(const uint8_t key[32]);
void peer_gcm_free(struct peer_gcm *peer);
int peer_gcm_seal(struct peer_gcm *peer, const uint8_t nonce[12], const uint8_t *plain, size_t count, uint8_t *sealed);
int peer_gcm_packet(struct peer_gcm *peer, const uint8_t nonce[12], const uint8_t *plain, size_t count);  // in memory of its own
int peer_gcm_open(struct peer_gcm *peer, const uint8_t nonce[12], const uint8_t *sealed, size_t count, uint8_t *plain);

// A plain SQLite file with write-ahead log and synchronous FULL; each insert is one durable transaction.
struct peer_sqlite;
struct peer_sqlite *peer_sqlite_open(const char *path);
void peer_sqlite_close(struct peer_sqlite *peer);
int peer_sqlite_insert(struct peer_sqlite *peer, const char *service, const char *account, const uint8_t *data, size_t count);
// A file of the same kind without a table, and one statement in it, whose rows are looked at and dropped. Returns 1 or 0.
struct peer_sqlite *peer_sqlite_open_empty(const char *path);
int peer_sqlite_run(struct peer_sqlite *peer, const char *statement);

// RSA with a key from PKCS#1: PKCS#1 v1.5 signatures over SHA-256, OAEP with SHA-256. All return 1 or 0.
struct evp_pkey_st;
struct evp_pkey_st *peer_rsa_new(const uint8_t *pkcs1, size_t count);
void peer_rsa_free(struct evp_pkey_st *key);
int peer_rsa_sign(struct evp_pkey_st *key, const uint8_t *message, size_t count, uint8_t *signature, size_t size);
int peer_rsa_verify(
    struct evp_pkey_st *key, const uint8_t *message, size_t count, const uint8_t *signature, size_t size);
int peer_rsa_open(struct evp_pkey_st *key, const uint8_t *packet, size_t count, uint8_t *plain, size_t *size);
