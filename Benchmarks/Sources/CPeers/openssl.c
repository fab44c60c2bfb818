#include "Peers.h"

#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/rsa.h>
#include <stdlib.h>
#include <string.h>

enum { point = 65, tag = 16, field = 32, material = 32 };

struct peer_ecies {
    EVP_PKEY *key;
    EVP_CIPHER *cipher;
    EVP_MD *hash;
};

struct peer_ecies *peer_ecies_new(void) {
    struct peer_ecies *peer = calloc(1, sizeof *peer);
    peer->key = EVP_EC_gen("P-256");
    peer->cipher = EVP_CIPHER_fetch(NULL, "AES-128-GCM", NULL);
    peer->hash = EVP_MD_fetch(NULL, "SHA256", NULL);
    return peer;
}

void peer_ecies_free(struct peer_ecies *peer) {
    EVP_PKEY_free(peer->key);
    EVP_CIPHER_free(peer->cipher);
    EVP_MD_free(peer->hash);
    free(peer);
}

static int shared_secret(EVP_PKEY *own, EVP_PKEY *other, uint8_t *secret) {
    size_t count = field;
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new(own, NULL);
    int fine = EVP_PKEY_derive_init(context) == 1 && EVP_PKEY_derive_set_peer(context, other) == 1
        && EVP_PKEY_derive(context, secret, &count) == 1 && count == field;
    EVP_PKEY_CTX_free(context);
    return fine;
}

// ANSI X9.63: one block of SHA-256 is all that a 16-byte key and a 16-byte IV take.
static int key_and_iv(struct peer_ecies *peer, const uint8_t *secret, const uint8_t *ephemeral, uint8_t *out) {
    static const uint8_t counter[4] = {0, 0, 0, 1};
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    int fine = EVP_DigestInit_ex(context, peer->hash, NULL) == 1 && EVP_DigestUpdate(context, secret, field) == 1
        && EVP_DigestUpdate(context, counter, 4) == 1 && EVP_DigestUpdate(context, ephemeral, point) == 1
        && EVP_DigestFinal_ex(context, out, NULL) == 1;
    EVP_MD_CTX_free(context);
    return fine;
}

int peer_ecies_seal(struct peer_ecies *peer, const uint8_t *plain, size_t count, uint8_t *packet) {
    uint8_t secret[field], keys[material];
    size_t size = 0;
    int wrote = 0;
    EVP_PKEY *ephemeral = EVP_EC_gen("P-256");
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    int fine = EVP_PKEY_get_octet_string_param(ephemeral, OSSL_PKEY_PARAM_PUB_KEY, packet, point, &size) == 1
        && shared_secret(ephemeral, peer->key, secret) && key_and_iv(peer, secret, packet, keys)
        && EVP_EncryptInit_ex(context, peer->cipher, NULL, NULL, NULL) == 1
        && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_IVLEN, 16, NULL) == 1
        && EVP_EncryptInit_ex(context, NULL, NULL, keys, keys + 16) == 1
        && EVP_EncryptUpdate(context, packet + point, &wrote, plain, (int)count) == 1
        && EVP_EncryptFinal_ex(context, packet + point + wrote, &wrote) == 1
        && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, tag, packet + point + count) == 1;
    EVP_CIPHER_CTX_free(context);
    EVP_PKEY_free(ephemeral);
    return fine;
}

static EVP_PKEY *key_from_point(const uint8_t *bytes) {
    EVP_PKEY *key = NULL;
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, (char *)"P-256", 0),
        OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, (void *)bytes, point),
        OSSL_PARAM_construct_end(),
    };
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, "EC", NULL);
    if (EVP_PKEY_fromdata_init(context) != 1 || EVP_PKEY_fromdata(context, &key, EVP_PKEY_PUBLIC_KEY, parameters) != 1)
        key = NULL;
    EVP_PKEY_CTX_free(context);
    return key;
}

int peer_ecies_open(struct peer_ecies *peer, const uint8_t *packet, size_t count, uint8_t *plain) {
    uint8_t secret[field], keys[material];
    size_t inner = count - point - tag;
    int wrote = 0;
    EVP_PKEY *ephemeral = key_from_point(packet);
    if (!ephemeral) return 0;
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    int fine = shared_secret(peer->key, ephemeral, secret) && key_and_iv(peer, secret, packet, keys)
        && EVP_DecryptInit_ex(context, peer->cipher, NULL, NULL, NULL) == 1
        && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_IVLEN, 16, NULL) == 1
        && EVP_DecryptInit_ex(context, NULL, NULL, keys, keys + 16) == 1
        && EVP_DecryptUpdate(context, plain, &wrote, packet + point, (int)inner) == 1
        && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, tag, (void *)(packet + point + inner)) == 1
        && EVP_DecryptFinal_ex(context, plain + wrote, &wrote) == 1;
    EVP_CIPHER_CTX_free(context);
    EVP_PKEY_free(ephemeral);
    return fine;
}

struct peer_gcm {
    EVP_CIPHER_CTX *seal;
    EVP_CIPHER_CTX *open;
};

struct peer_gcm *peer_gcm_new(const uint8_t key[32]) {
    struct peer_gcm *peer = calloc(1, sizeof *peer);
    peer->seal = EVP_CIPHER_CTX_new();
    peer->open = EVP_CIPHER_CTX_new();
    EVP_EncryptInit_ex(peer->seal, EVP_aes_256_gcm(), NULL, key, NULL);
    EVP_DecryptInit_ex(peer->open, EVP_aes_256_gcm(), NULL, key, NULL);
    return peer;
}

void peer_gcm_free(struct peer_gcm *peer) {
    EVP_CIPHER_CTX_free(peer->seal);
    EVP_CIPHER_CTX_free(peer->open);
    free(peer);
}

int peer_gcm_seal(struct peer_gcm *peer, const uint8_t nonce[12], const uint8_t *plain, size_t count, uint8_t *sealed) {
    int wrote = 0;
    return EVP_EncryptInit_ex(peer->seal, NULL, NULL, NULL, nonce) == 1
        && EVP_EncryptUpdate(peer->seal, sealed, &wrote, plain, (int)count) == 1
        && EVP_EncryptFinal_ex(peer->seal, sealed + wrote, &wrote) == 1
        && EVP_CIPHER_CTX_ctrl(peer->seal, EVP_CTRL_AEAD_GET_TAG, tag, sealed + count) == 1;
}

int peer_gcm_packet(struct peer_gcm *peer, const uint8_t nonce[12], const uint8_t *plain, size_t count) {
    uint8_t *packet = malloc(count + tag);
    int fine = packet && peer_gcm_seal(peer, nonce, plain, count, packet);
    free(packet);
    return fine;
}

int peer_gcm_open(struct peer_gcm *peer, const uint8_t nonce[12], const uint8_t *sealed, size_t count, uint8_t *plain) {
    int wrote = 0;
    size_t inner = count - tag;
    return EVP_DecryptInit_ex(peer->open, NULL, NULL, NULL, nonce) == 1
        && EVP_DecryptUpdate(peer->open, plain, &wrote, sealed, (int)inner) == 1
        && EVP_CIPHER_CTX_ctrl(peer->open, EVP_CTRL_AEAD_SET_TAG, tag, (void *)(sealed + inner)) == 1
        && EVP_DecryptFinal_ex(peer->open, plain + wrote, &wrote) == 1;
}

// RSA: contexts are made for each operation, as a caller does who has a key and a message.

EVP_PKEY *peer_rsa_new(const uint8_t *pkcs1, size_t count) {
    return d2i_PrivateKey(EVP_PKEY_RSA, NULL, &pkcs1, (long)count);
}

void peer_rsa_free(EVP_PKEY *key) { EVP_PKEY_free(key); }

int peer_rsa_sign(EVP_PKEY *key, const uint8_t *message, size_t count, uint8_t *signature, size_t size) {
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    int fine = EVP_DigestSignInit(context, NULL, EVP_sha256(), NULL, key) == 1
        && EVP_DigestSign(context, signature, &size, message, count) == 1;
    EVP_MD_CTX_free(context);
    return fine;
}

int peer_rsa_verify(EVP_PKEY *key, const uint8_t *message, size_t count, const uint8_t *signature, size_t size) {
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    int fine = EVP_DigestVerifyInit(context, NULL, EVP_sha256(), NULL, key) == 1
        && EVP_DigestVerify(context, signature, size, message, count) == 1;
    EVP_MD_CTX_free(context);
    return fine;
}

int peer_rsa_open(EVP_PKEY *key, const uint8_t *packet, size_t count, uint8_t *plain, size_t *size) {
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new(key, NULL);
    int fine = EVP_PKEY_decrypt_init(context) == 1
        && EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_OAEP_PADDING) == 1
        && EVP_PKEY_CTX_set_rsa_oaep_md(context, EVP_sha256()) == 1
        && EVP_PKEY_CTX_set_rsa_mgf1_md(context, EVP_sha256()) == 1
        && EVP_PKEY_decrypt(context, plain, size, packet, count) == 1;
    EVP_PKEY_CTX_free(context);
    return fine;
}
