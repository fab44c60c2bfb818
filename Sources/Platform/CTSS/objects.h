// Keys and sealed data.
#pragma once
#include "bytes.h"

// What an object is for; its template follows from that.
enum pavise_tpm_kind {
    pavise_tpm_element_key = 1,  // P-256, ECDSA and ECDH, its authorisation value opens it
    pavise_tpm_guard_key = 2,    // HMAC-SHA256, its policy alone opens it, failures count against the whole TPM
    pavise_tpm_sealed = 3,       // data, its policy alone opens it
};

static inline void pavise_tpm_curve(TPMT_PUBLIC *area) {
    area->type = TPM2_ALG_ECC;
    area->parameters.eccDetail.scheme.scheme = TPM2_ALG_NULL;
    area->parameters.eccDetail.curveID = TPM2_ECC_NIST_P256;
    area->parameters.eccDetail.kdf.scheme = TPM2_ALG_NULL;
    area->parameters.eccDetail.symmetric.algorithm = TPM2_ALG_NULL;
}

static inline TPMT_PUBLIC pavise_tpm_template(enum pavise_tpm_kind kind) {
    TPMT_PUBLIC area = {.nameAlg = TPM2_ALG_SHA256};
    TPMA_OBJECT bound = TPMA_OBJECT_FIXEDTPM | TPMA_OBJECT_FIXEDPARENT;
    switch (kind) {
    case pavise_tpm_element_key:
        pavise_tpm_curve(&area);
        area.objectAttributes = bound | TPMA_OBJECT_SENSITIVEDATAORIGIN | TPMA_OBJECT_USERWITHAUTH |
                                TPMA_OBJECT_NODA | TPMA_OBJECT_SIGN_ENCRYPT | TPMA_OBJECT_DECRYPT;
        break;
    case pavise_tpm_guard_key:
        area.type = TPM2_ALG_KEYEDHASH;
        area.objectAttributes = bound | TPMA_OBJECT_SENSITIVEDATAORIGIN | TPMA_OBJECT_SIGN_ENCRYPT;
        area.parameters.keyedHashDetail.scheme.scheme = TPM2_ALG_HMAC;
        area.parameters.keyedHashDetail.scheme.details.hmac.hashAlg = TPM2_ALG_SHA256;
        break;
    case pavise_tpm_sealed:
        area.type = TPM2_ALG_KEYEDHASH;
        area.objectAttributes = bound | TPMA_OBJECT_NODA;
        area.parameters.keyedHashDetail.scheme.scheme = TPM2_ALG_NULL;
        break;
    }
    return area;
}

// The storage key of the owner hierarchy: the same template gives the same key each time, until the TPM is cleared.
static inline TSS2_RC pavise_tpm_primary(ESYS_CONTEXT *context, uint32_t *key) {
    TPM2B_PUBLIC wanted = {0};
    TPMT_PUBLIC *area = &wanted.publicArea;
    area->nameAlg = TPM2_ALG_SHA256;
    pavise_tpm_curve(area);
    area->objectAttributes = TPMA_OBJECT_FIXEDTPM | TPMA_OBJECT_FIXEDPARENT | TPMA_OBJECT_SENSITIVEDATAORIGIN |
                             TPMA_OBJECT_USERWITHAUTH | TPMA_OBJECT_NODA | TPMA_OBJECT_RESTRICTED | TPMA_OBJECT_DECRYPT;
    area->parameters.eccDetail.symmetric.algorithm = TPM2_ALG_AES;
    area->parameters.eccDetail.symmetric.keyBits.aes = 128;
    area->parameters.eccDetail.symmetric.mode.aes = TPM2_ALG_CFB;
    TPM2B_SENSITIVE_CREATE nothing = {0};
    TPM2B_DATA outside = {0};
    TPML_PCR_SELECTION registers = {0};
    TPM2B_PUBLIC *made = NULL;
    TPM2B_CREATION_DATA *data = NULL;
    TPM2B_DIGEST *digest = NULL;
    TPMT_TK_CREATION *ticket = NULL;
    ESYS_TR handle = ESYS_TR_NONE;
    TSS2_RC status = Esys_CreatePrimary(
        context, ESYS_TR_RH_OWNER, ESYS_TR_PASSWORD, ESYS_TR_NONE, ESYS_TR_NONE, &nothing, &wanted, &outside, &registers,
        &handle, &made, &data, &digest, &ticket);
    Esys_Free(made);
    Esys_Free(data);
    Esys_Free(digest);
    Esys_Free(ticket);
    if (status == TSS2_RC_SUCCESS) *key = handle;
    return status;
}

static inline TSS2_RC pavise_tpm_marshal(
    const TPM2B_PUBLIC *area, const TPM2B_PRIVATE *hidden, uint8_t *area_out, size_t *area_room, uint8_t *hidden_out,
    size_t *hidden_room) {
    size_t used = 0;
    TSS2_RC status = Tss2_MU_TPM2B_PUBLIC_Marshal(area, area_out, *area_room, &used);
    if (status != TSS2_RC_SUCCESS) return status;
    *area_room = used;
    used = 0;
    status = Tss2_MU_TPM2B_PRIVATE_Marshal(hidden, hidden_out, *hidden_room, &used);
    if (status == TSS2_RC_SUCCESS) *hidden_room = used;
    return status;
}

// Makes an object under `parent`. `value` is its authorisation value, `secret` what a sealed object holds, `policy` the
// digest of its policy or nothing. Gives both halves in the TPM's own encoding.
static inline TSS2_RC pavise_tpm_create(
    ESYS_CONTEXT *context, uint32_t parent, uint32_t session, enum pavise_tpm_kind kind, const uint8_t *value,
    size_t value_count, const uint8_t *secret, size_t secret_count, const uint8_t *policy, size_t policy_count,
    uint8_t *area_out, size_t *area_room, uint8_t *hidden_out, size_t *hidden_room) {
    TPM2B_PUBLIC wanted = {.publicArea = pavise_tpm_template(kind)};
    TPM2B_SENSITIVE_CREATE sensitive = {0};
    TPM2B_DATA outside = {0};
    TPML_PCR_SELECTION registers = {0};
    TPM2B_AUTH *own = &sensitive.sensitive.userAuth;
    TPM2B_SENSITIVE_DATA *data = &sensitive.sensitive.data;
    TPM2B_DIGEST *needed = &wanted.publicArea.authPolicy;
    TSS2_RC status = pavise_tpm_take(value, value_count, own->buffer, sizeof own->buffer, &own->size);
    if (status == TSS2_RC_SUCCESS) status = pavise_tpm_take(secret, secret_count, data->buffer, 128, &data->size);
    if (status == TSS2_RC_SUCCESS)
        status = pavise_tpm_take(policy, policy_count, needed->buffer, sizeof needed->buffer, &needed->size);
    TPM2B_PRIVATE *hidden = NULL;
    TPM2B_PUBLIC *area = NULL;
    TPM2B_CREATION_DATA *creation = NULL;
    TPM2B_DIGEST *digest = NULL;
    TPMT_TK_CREATION *ticket = NULL;
    if (status == TSS2_RC_SUCCESS)
        status = Esys_Create(
            context, parent, session, ESYS_TR_NONE, ESYS_TR_NONE, &sensitive, &wanted, &outside, &registers, &hidden, &area,
            &creation, &digest, &ticket);
    pavise_tpm_wipe(&sensitive, sizeof sensitive);
    if (status == TSS2_RC_SUCCESS)
        status = pavise_tpm_marshal(area, hidden, area_out, area_room, hidden_out, hidden_room);
    Esys_Free(hidden);
    Esys_Free(area);
    Esys_Free(creation);
    Esys_Free(digest);
    Esys_Free(ticket);
    return status;
}

// Reads both halves; bytes that are left over are refused.
static inline TSS2_RC pavise_tpm_unmarshal(
    const uint8_t *area_bytes, size_t area_count, const uint8_t *hidden_bytes, size_t hidden_count, TPM2B_PUBLIC *area,
    TPM2B_PRIVATE *hidden) {
    size_t used = 0;
    TSS2_RC status = Tss2_MU_TPM2B_PUBLIC_Unmarshal(area_bytes, area_count, &used, area);
    if (status != TSS2_RC_SUCCESS) return status;
    if (used != area_count) return PAVISE_TPM_BAD_BYTES;
    used = 0;
    status = Tss2_MU_TPM2B_PRIVATE_Unmarshal(hidden_bytes, hidden_count, &used, hidden);
    if (status == TSS2_RC_SUCCESS && used != hidden_count) return PAVISE_TPM_BAD_BYTES;
    return status;
}

static inline TSS2_RC pavise_tpm_load(
    ESYS_CONTEXT *context, uint32_t parent, uint32_t session, const uint8_t *area_bytes, size_t area_count,
    const uint8_t *hidden_bytes, size_t hidden_count, uint32_t *object) {
    TPM2B_PUBLIC area = {0};
    TPM2B_PRIVATE hidden = {0};
    TSS2_RC status = pavise_tpm_unmarshal(area_bytes, area_count, hidden_bytes, hidden_count, &area, &hidden);
    if (status != TSS2_RC_SUCCESS) return status;
    ESYS_TR loaded = ESYS_TR_NONE;
    status = Esys_Load(context, parent, session, ESYS_TR_NONE, ESYS_TR_NONE, &hidden, &area, &loaded);
    if (status == TSS2_RC_SUCCESS) *object = loaded;
    return status;
}

// A right-aligned number of a point, 32 bytes wide.
static inline TSS2_RC pavise_tpm_number(const TPM2B_ECC_PARAMETER *number, uint8_t *out) {
    if (number->size > 32) return PAVISE_TPM_BAD_BYTES;
    memset(out, 0, 32);
    memcpy(out + 32 - number->size, number->buffer, number->size);
    return TSS2_RC_SUCCESS;
}

// X and Y (64 bytes) of a P-256 key's public half.
static inline TSS2_RC pavise_tpm_point(const uint8_t *area_bytes, size_t area_count, uint8_t *out) {
    TPM2B_PUBLIC area = {0};
    size_t used = 0;
    TSS2_RC status = Tss2_MU_TPM2B_PUBLIC_Unmarshal(area_bytes, area_count, &used, &area);
    if (status != TSS2_RC_SUCCESS) return status;
    if (used != area_count || area.publicArea.type != TPM2_ALG_ECC) return PAVISE_TPM_BAD_BYTES;
    status = pavise_tpm_number(&area.publicArea.unique.ecc.x, out);
    return status == TSS2_RC_SUCCESS ? pavise_tpm_number(&area.publicArea.unique.ecc.y, out + 32) : status;
}

// Loads a foreign P-256 public key (X and Y), for checking a signature.
static inline TSS2_RC pavise_tpm_load_point(ESYS_CONTEXT *context, const uint8_t *point, uint32_t *object) {
    TPM2B_PUBLIC area = {.publicArea = {.nameAlg = TPM2_ALG_SHA256}};
    pavise_tpm_curve(&area.publicArea);
    area.publicArea.objectAttributes = TPMA_OBJECT_USERWITHAUTH | TPMA_OBJECT_SIGN_ENCRYPT;
    area.publicArea.unique.ecc.x.size = 32;
    area.publicArea.unique.ecc.y.size = 32;
    memcpy(area.publicArea.unique.ecc.x.buffer, point, 32);
    memcpy(area.publicArea.unique.ecc.y.buffer, point + 32, 32);
    ESYS_TR loaded = ESYS_TR_NONE;
    TSS2_RC status = Esys_LoadExternal(
        context, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE, NULL, &area, ESYS_TR_RH_NULL, &loaded);
    if (status == TSS2_RC_SUCCESS) *object = loaded;
    return status;
}

// ECDSA over 32 bytes that are called a SHA-256 digest; r and s in `out` (64 bytes).
static inline TSS2_RC pavise_tpm_sign(
    ESYS_CONTEXT *context, uint32_t key, uint32_t session, const uint8_t *digest, uint8_t *out) {
    TPM2B_DIGEST message = {.size = 32};
    memcpy(message.buffer, digest, 32);
    TPMT_SIG_SCHEME scheme = {.scheme = TPM2_ALG_ECDSA, .details = {.ecdsa = {.hashAlg = TPM2_ALG_SHA256}}};
    TPMT_TK_HASHCHECK unchecked = {.tag = TPM2_ST_HASHCHECK, .hierarchy = TPM2_RH_NULL};
    TPMT_SIGNATURE *made = NULL;
    TSS2_RC status =
        Esys_Sign(context, key, session, ESYS_TR_NONE, ESYS_TR_NONE, &message, &scheme, &unchecked, &made);
    if (status != TSS2_RC_SUCCESS) return status;
    status = made->sigAlg == TPM2_ALG_ECDSA ? pavise_tpm_number(&made->signature.ecdsa.signatureR, out)
                                            : PAVISE_TPM_BAD_BYTES;
    if (status == TSS2_RC_SUCCESS) status = pavise_tpm_number(&made->signature.ecdsa.signatureS, out + 32);
    Esys_Free(made);
    return status;
}

// ECDH with the point X and Y (64 bytes); the shared x coordinate in `out` (32 bytes).
static inline TSS2_RC pavise_tpm_agree(
    ESYS_CONTEXT *context, uint32_t key, uint32_t session, const uint8_t *peer, uint8_t *out) {
    TPM2B_ECC_POINT point = {.size = 0};
    point.point.x.size = 32;
    point.point.y.size = 32;
    memcpy(point.point.x.buffer, peer, 32);
    memcpy(point.point.y.buffer, peer + 32, 32);
    TPM2B_ECC_POINT *shared = NULL;
    TSS2_RC status = Esys_ECDH_ZGen(context, key, session, ESYS_TR_NONE, ESYS_TR_NONE, &point, &shared);
    if (status == TSS2_RC_SUCCESS) status = pavise_tpm_number(&shared->point.x, out);
    pavise_tpm_free_secret(shared, shared == NULL ? 0 : sizeof *shared);
    return status;
}

// HMAC-SHA256 of 32 bytes by a key of the TPM, `out` 32 bytes.
static inline TSS2_RC pavise_tpm_hmac(
    ESYS_CONTEXT *context, uint32_t key, uint32_t session, const uint8_t *input, uint8_t *out) {
    TPM2B_MAX_BUFFER buffer = {.size = 32};
    memcpy(buffer.buffer, input, 32);
    TPM2B_DIGEST *made = NULL;
    TSS2_RC status =
        Esys_HMAC(context, key, session, ESYS_TR_NONE, ESYS_TR_NONE, &buffer, TPM2_ALG_SHA256, &made);
    pavise_tpm_wipe(&buffer, sizeof buffer);
    if (status != TSS2_RC_SUCCESS) return status;
    if (made->size == 32) memcpy(out, made->buffer, 32);
    else status = PAVISE_TPM_BAD_BYTES;
    pavise_tpm_free_secret(made, sizeof *made);
    return status;
}

// What a sealed object holds, which must be `count` bytes.
static inline TSS2_RC pavise_tpm_unseal(
    ESYS_CONTEXT *context, uint32_t object, uint32_t policy, uint8_t *out, size_t count) {
    TPM2B_SENSITIVE_DATA *data = NULL;
    TSS2_RC status = Esys_Unseal(context, object, policy, ESYS_TR_NONE, ESYS_TR_NONE, &data);
    if (status != TSS2_RC_SUCCESS) return status;
    if (data->size == count) memcpy(out, data->buffer, count);
    else status = PAVISE_TPM_BAD_BYTES;
    pavise_tpm_free_secret(data, sizeof *data);
    return status;
}
