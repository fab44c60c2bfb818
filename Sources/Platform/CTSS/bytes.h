// Between the stack's sized buffers and plain bytes.
#pragma once
#include <string.h>
#include <strings.h>
#include <tss2/tss2_esys.h>
#include <tss2/tss2_mu.h>
#include <tss2/tss2_rc.h>
#include <tss2/tss2_tctildr.h>

// What these functions add to the stack's own codes: bytes that do not fit the structure they are meant for.
#define PAVISE_TPM_BAD_BYTES ((TSS2_RC)(TSS2_MU_RC_BAD_SIZE))

// Overwrites memory that held a secret. explicit_bzero is not in every C library's default view.
static inline void pavise_tpm_wipe(void *memory, size_t count) {
    volatile unsigned char *bytes = (volatile unsigned char *)memory;
    while (count--) *bytes++ = 0;
}

// Copies `count` bytes out; `*room` is the capacity before and the length after.
static inline TSS2_RC pavise_tpm_give(const BYTE *bytes, size_t count, uint8_t *out, size_t *room) {
    if (count > *room) return PAVISE_TPM_BAD_BYTES;
    memcpy(out, bytes, count);
    *room = count;
    return TSS2_RC_SUCCESS;
}

static inline TSS2_RC pavise_tpm_take(const uint8_t *bytes, size_t count, BYTE *buffer, size_t room, UINT16 *size) {
    if (count > room) return PAVISE_TPM_BAD_BYTES;
    if (count > 0) memcpy(buffer, bytes, count);
    *size = (UINT16)count;
    return TSS2_RC_SUCCESS;
}

// Frees what the stack gave, after overwriting it.
static inline void pavise_tpm_free_secret(void *memory, size_t count) {
    if (memory != NULL) pavise_tpm_wipe(memory, count);
    Esys_Free(memory);
}
