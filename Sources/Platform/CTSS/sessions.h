// Authorisation and policy sessions, all salted by a key of the TPM and all encrypting the first parameter both ways
// (AES-128-CFB), so that a listener on the bus reads neither passcodes nor unsealed keys.
#pragma once
#include "bytes.h"

// `kind` is TPM2_SE_HMAC, TPM2_SE_POLICY or TPM2_SE_TRIAL.
static inline TSS2_RC pavise_tpm_session(ESYS_CONTEXT *context, uint32_t salt_key, uint8_t kind, uint32_t *session) {
    TPMT_SYM_DEF cipher = {.algorithm = TPM2_ALG_AES, .keyBits = {.aes = 128}, .mode = {.aes = TPM2_ALG_CFB}};
    ESYS_TR made = ESYS_TR_NONE;
    TSS2_RC status = Esys_StartAuthSession(
        context, salt_key, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE, NULL, kind, &cipher,
        TPM2_ALG_SHA256, &made);
    if (status != TSS2_RC_SUCCESS) return status;
    TPMA_SESSION wanted = TPMA_SESSION_CONTINUESESSION | TPMA_SESSION_DECRYPT | TPMA_SESSION_ENCRYPT;
    if (kind != TPM2_SE_TRIAL) status = Esys_TRSess_SetAttributes(context, made, wanted, 0xff);
    if (status != TSS2_RC_SUCCESS) {
        Esys_FlushContext(context, made);
        return status;
    }
    *session = made;
    return TSS2_RC_SUCCESS;
}

// The policy so far holds while the eight-byte counter `index` equals `value`.
static inline TSS2_RC pavise_tpm_policy_counter(
    ESYS_CONTEXT *context, uint32_t policy, uint32_t index, uint32_t session, uint64_t value) {
    TPM2B_OPERAND operand = {.size = 8};
    for (int byte = 0; byte < 8; byte++) operand.buffer[byte] = (BYTE)(value >> (56 - 8 * byte));
    return Esys_PolicyNV(
        context, index, index, policy, session, ESYS_TR_NONE, ESYS_TR_NONE, &operand, 0, TPM2_EO_EQ);
}

// The policy so far holds once the authorisation of `entity`, set before, is shown. A PIN index counts this.
static inline TSS2_RC pavise_tpm_policy_secret(
    ESYS_CONTEXT *context, uint32_t policy, uint32_t entity, uint32_t session) {
    TPM2B_TIMEOUT *timeout = NULL;
    TPMT_TK_AUTH *ticket = NULL;
    TSS2_RC status = Esys_PolicySecret(
        context, entity, policy, session, ESYS_TR_NONE, ESYS_TR_NONE, NULL, NULL, NULL, 0, &timeout, &ticket);
    Esys_Free(timeout);
    Esys_Free(ticket);
    return status;
}

// The policy so far holds together with the object's own authorisation value.
static inline TSS2_RC pavise_tpm_policy_own_value(ESYS_CONTEXT *context, uint32_t policy) {
    return Esys_PolicyAuthValue(context, policy, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE);
}

// The policy so far holds after a P-256 signature (r, s, 32 bytes each) by `key` over this session.
static inline TSS2_RC pavise_tpm_policy_signed(
    ESYS_CONTEXT *context, uint32_t policy, uint32_t key, const uint8_t *nonce, size_t nonce_count, const uint8_t *raw) {
    TPM2B_NONCE expected = {0};
    TPMT_SIGNATURE signature = {.sigAlg = TPM2_ALG_ECDSA};
    signature.signature.ecdsa.hash = TPM2_ALG_SHA256;
    signature.signature.ecdsa.signatureR.size = 32;
    signature.signature.ecdsa.signatureS.size = 32;
    memcpy(signature.signature.ecdsa.signatureR.buffer, raw, 32);
    memcpy(signature.signature.ecdsa.signatureS.buffer, raw + 32, 32);
    TSS2_RC status = pavise_tpm_take(nonce, nonce_count, expected.buffer, sizeof expected.buffer, &expected.size);
    if (status != TSS2_RC_SUCCESS) return status;
    TPM2B_TIMEOUT *timeout = NULL;
    TPMT_TK_AUTH *ticket = NULL;
    status = Esys_PolicySigned(
        context, key, policy, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE, &expected, NULL, NULL, 0, &signature, &timeout,
        &ticket);
    Esys_Free(timeout);
    Esys_Free(ticket);
    return status;
}

// The TPM's last nonce in a session: what a signature for the policy covers.
static inline TSS2_RC pavise_tpm_nonce(ESYS_CONTEXT *context, uint32_t session, uint8_t *out, size_t *room) {
    TPM2B_NONCE *nonce = NULL;
    TSS2_RC status = Esys_TRSess_GetNonceTPM(context, session, &nonce);
    if (status != TSS2_RC_SUCCESS) return status;
    status = pavise_tpm_give(nonce->buffer, nonce->size, out, room);
    Esys_Free(nonce);
    return status;
}

static inline TSS2_RC pavise_tpm_policy_digest(ESYS_CONTEXT *context, uint32_t policy, uint8_t *out, size_t *room) {
    TPM2B_DIGEST *digest = NULL;
    TSS2_RC status = Esys_PolicyGetDigest(context, policy, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE, &digest);
    if (status != TSS2_RC_SUCCESS) return status;
    status = pavise_tpm_give(digest->buffer, digest->size, out, room);
    Esys_Free(digest);
    return status;
}
