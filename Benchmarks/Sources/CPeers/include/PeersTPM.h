// The peer of the secure element: tpm2-tss's ESAPI in C, with nothing above it.
#pragma once
#include <stddef.h>
#include <stdint.h>

// A P-256 key under the owner's storage key, kept in memory in its two halves.
struct peer_tpm;
struct peer_tpm *peer_tpm_new(const char *address);
void peer_tpm_free(struct peer_tpm *peer);

// Connects, makes the storage key and a salted, encrypting session, loads the key, signs `count` digests (ECDSA, SHA-256),
// flushes all and closes. Returns 1 or 0.
int peer_tpm_sign(struct peer_tpm *peer, const uint8_t digest[32], int count);
