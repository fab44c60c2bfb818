// Endorsement keys, attestation keys and quotes.
#pragma once
#include "objects.h"

// TCG EK Credential Profile, annex B.3.3 and B.3.4: the templates L-1 and L-2, whose keys makers certify.
static inline void pavise_tpm_endorsement_template(int is_rsa, TPMT_PUBLIC *area) {
    static const BYTE policy[32] = {0x83, 0x71, 0x97, 0x67, 0x44, 0x84, 0xb3, 0xf8, 0x1a, 0x90, 0xcc,
                                    0x8d, 0x46, 0xa5, 0xd7, 0x24, 0xfd, 0x52, 0xd7, 0x6e, 0x06, 0x52,
                                    0x0b, 0x64, 0xf2, 0xa1, 0xda, 0x1b, 0x33, 0x14, 0x69, 0xaa};
    TPMT_SYM_DEF_OBJECT cipher = {.algorithm = TPM2_ALG_AES, .keyBits = {.aes = 128}, .mode = {.aes = TPM2_ALG_CFB}};
    area->nameAlg = TPM2_ALG_SHA256;
    area->objectAttributes = TPMA_OBJECT_FIXEDTPM | TPMA_OBJECT_FIXEDPARENT | TPMA_OBJECT_SENSITIVEDATAORIGIN |
                             TPMA_OBJECT_ADMINWITHPOLICY | TPMA_OBJECT_RESTRICTED | TPMA_OBJECT_DECRYPT;
    area->authPolicy.size = sizeof policy;
    memcpy(area->authPolicy.buffer, policy, sizeof policy);
    if (is_rsa) {
        area->type = TPM2_ALG_RSA;
        area->parameters.rsaDetail.symmetric = cipher;
        area->parameters.rsaDetail.scheme.scheme = TPM2_ALG_NULL;
        area->parameters.rsaDetail.keyBits = 2048;
        area->unique.rsa.size = 256;
    } else {
        pavise_tpm_curve(area);
        area->parameters.eccDetail.symmetric = cipher;
        area->unique.ecc.x.size = 32;
        area->unique.ecc.y.size = 32;
    }
}

// Signs what the TPM made and nothing else. `label` (32 bytes) sets it apart from the same TPM's other keys.
static inline void pavise_tpm_attestation_template(int is_restricted, const uint8_t *label, TPMT_PUBLIC *area) {
    area->nameAlg = TPM2_ALG_SHA256;
    pavise_tpm_curve(area);
    area->objectAttributes = TPMA_OBJECT_FIXEDTPM | TPMA_OBJECT_FIXEDPARENT | TPMA_OBJECT_SENSITIVEDATAORIGIN |
                             TPMA_OBJECT_USERWITHAUTH | TPMA_OBJECT_NODA | TPMA_OBJECT_SIGN_ENCRYPT |
                             (is_restricted ? TPMA_OBJECT_RESTRICTED : 0);
    area->parameters.eccDetail.scheme.scheme = TPM2_ALG_ECDSA;
    area->parameters.eccDetail.scheme.details.ecdsa.hashAlg = TPM2_ALG_SHA256;
    area->unique.ecc.x.size = 32;
    memcpy(area->unique.ecc.x.buffer, label, 32);
}

enum pavise_tpm_endorsed_kind {
    pavise_tpm_endorsement_rsa = 1,
    pavise_tpm_endorsement_p256 = 2,
    pavise_tpm_attestation = 3,
    pavise_tpm_attestation_unrestricted = 4,  // for tests: a verifier must refuse it
};

// A primary key of the endorsement hierarchy: the same template gives the same key each time. Gives its TPMT_PUBLIC.
static inline TSS2_RC pavise_tpm_endorsed(
    ESYS_CONTEXT *context, enum pavise_tpm_endorsed_kind kind, const uint8_t *label, uint32_t *key, uint8_t *out,
    size_t *room) {
    TPM2B_PUBLIC wanted = {0};
    if (kind == pavise_tpm_endorsement_rsa || kind == pavise_tpm_endorsement_p256)
        pavise_tpm_endorsement_template(kind == pavise_tpm_endorsement_rsa, &wanted.publicArea);
    else pavise_tpm_attestation_template(kind == pavise_tpm_attestation, label, &wanted.publicArea);
    TPM2B_SENSITIVE_CREATE nothing = {0};
    TPM2B_DATA outside = {0};
    TPML_PCR_SELECTION registers = {0};
    TPM2B_PUBLIC *made = NULL;
    TPM2B_CREATION_DATA *data = NULL;
    TPM2B_DIGEST *digest = NULL;
    TPMT_TK_CREATION *ticket = NULL;
    ESYS_TR handle = ESYS_TR_NONE;
    TSS2_RC status = Esys_CreatePrimary(
        context, ESYS_TR_RH_ENDORSEMENT, ESYS_TR_PASSWORD, ESYS_TR_NONE, ESYS_TR_NONE, &nothing, &wanted, &outside,
        &registers, &handle, &made, &data, &digest, &ticket);
    if (status == TSS2_RC_SUCCESS) {
        size_t used = 0;
        status = Tss2_MU_TPMT_PUBLIC_Marshal(&made->publicArea, out, *room, &used);
        if (status == TSS2_RC_SUCCESS) {
            *room = used;
            *key = handle;
        } else {
            Esys_FlushContext(context, handle);
        }
    }
    Esys_Free(made);
    Esys_Free(data);
    Esys_Free(digest);
    Esys_Free(ticket);
    return status;
}

// The policy so far holds once the authorisation of the endorsement hierarchy is shown.
static inline TSS2_RC pavise_tpm_policy_endorsement(ESYS_CONTEXT *context, uint32_t policy, uint32_t session) {
    TPM2B_TIMEOUT *timeout = NULL;
    TPMT_TK_AUTH *ticket = NULL;
    TSS2_RC status = Esys_PolicySecret(
        context, ESYS_TR_RH_ENDORSEMENT, policy, session, ESYS_TR_NONE, ESYS_TR_NONE, NULL, NULL, NULL, 0, &timeout,
        &ticket);
    Esys_Free(timeout);
    Esys_Free(ticket);
    return status;
}

// Opens a credential (TPMS_ID_OBJECT and the encrypted seed) that is about `object`; `policy` authorises the endorsement key.
static inline TSS2_RC pavise_tpm_activate(
    ESYS_CONTEXT *context, uint32_t object, uint32_t endorsement, uint32_t policy, const uint8_t *credential,
    size_t credential_count, const uint8_t *seed, size_t seed_count, uint8_t *out, size_t *room) {
    TPM2B_ID_OBJECT blob = {0};
    TPM2B_ENCRYPTED_SECRET secret = {0};
    TSS2_RC status =
        pavise_tpm_take(credential, credential_count, blob.credential, sizeof blob.credential, &blob.size);
    if (status == TSS2_RC_SUCCESS)
        status = pavise_tpm_take(seed, seed_count, secret.secret, sizeof secret.secret, &secret.size);
    if (status != TSS2_RC_SUCCESS) return status;
    TPM2B_DIGEST *opened = NULL;
    status = Esys_ActivateCredential(
        context, object, endorsement, ESYS_TR_PASSWORD, policy, ESYS_TR_NONE, &blob, &secret, &opened);
    if (status == TSS2_RC_SUCCESS) status = pavise_tpm_give(opened->buffer, opened->size, out, room);
    pavise_tpm_free_secret(opened, opened == NULL ? 0 : sizeof *opened);
    return status;
}

// `registers` has a bit for each of 24 registers of the SHA-256 bank.
static inline TPML_PCR_SELECTION pavise_tpm_registers(uint32_t registers) {
    TPML_PCR_SELECTION wanted = {.count = 1};
    wanted.pcrSelections[0].hash = TPM2_ALG_SHA256;
    wanted.pcrSelections[0].sizeofSelect = 3;
    for (int byte = 0; byte < 3; byte++) wanted.pcrSelections[0].pcrSelect[byte] = (BYTE)(registers >> (8 * byte));
    return wanted;
}

// A quote by `key` (TPMS_ATTEST) and its signature (TPMT_SIGNATURE).
static inline TSS2_RC pavise_tpm_quote(
    ESYS_CONTEXT *context, uint32_t key, uint32_t session, const uint8_t *nonce, size_t nonce_count, uint32_t registers,
    uint8_t *quote_out, size_t *quote_room, uint8_t *signature_out, size_t *signature_room) {
    TPM2B_DATA data = {0};
    TSS2_RC status = pavise_tpm_take(nonce, nonce_count, data.buffer, sizeof data.buffer, &data.size);
    if (status != TSS2_RC_SUCCESS) return status;
    TPML_PCR_SELECTION wanted = pavise_tpm_registers(registers);
    TPMT_SIG_SCHEME own = {.scheme = TPM2_ALG_NULL};
    TPM2B_ATTEST *made = NULL;
    TPMT_SIGNATURE *signature = NULL;
    status = Esys_Quote(
        context, key, session, ESYS_TR_NONE, ESYS_TR_NONE, &data, &own, &wanted, &made, &signature);
    if (status != TSS2_RC_SUCCESS) return status;
    status = pavise_tpm_give(made->attestationData, made->size, quote_out, quote_room);
    size_t used = 0;
    if (status == TSS2_RC_SUCCESS)
        status = Tss2_MU_TPMT_SIGNATURE_Marshal(signature, signature_out, *signature_room, &used);
    if (status == TSS2_RC_SUCCESS) *signature_room = used;
    Esys_Free(made);
    Esys_Free(signature);
    return status;
}

// One register of the SHA-256 bank, 32 bytes.
static inline TSS2_RC pavise_tpm_register(ESYS_CONTEXT *context, int number, uint8_t *out) {
    TPML_PCR_SELECTION wanted = pavise_tpm_registers((uint32_t)1 << number);
    UINT32 counter = 0;
    TPML_PCR_SELECTION *found = NULL;
    TPML_DIGEST *values = NULL;
    TSS2_RC status =
        Esys_PCR_Read(context, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE, &wanted, &counter, &found, &values);
    if (status != TSS2_RC_SUCCESS) return status;
    if (values->count == 1 && values->digests[0].size == 32) memcpy(out, values->digests[0].buffer, 32);
    else status = PAVISE_TPM_BAD_BYTES;
    Esys_Free(found);
    Esys_Free(values);
    return status;
}

// All bytes of an index that everybody may read, as makers' certificates are.
static inline TSS2_RC pavise_tpm_nv_content(
    ESYS_CONTEXT *context, uint32_t session, uint32_t handle, uint8_t *out, size_t *room) {
    TPM2B_NV_PUBLIC *area = NULL;
    TPM2B_NAME *name = NULL;
    TSS2_RC status = Esys_NV_ReadPublic(context, handle, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE, &area, &name);
    if (status != TSS2_RC_SUCCESS) return status;
    size_t size = area->nvPublic.dataSize, done = 0;
    Esys_Free(area);
    Esys_Free(name);
    if (size > *room) return PAVISE_TPM_BAD_BYTES;
    while (status == TSS2_RC_SUCCESS && done < size) {
        TPM2B_MAX_NV_BUFFER *part = NULL;
        UINT16 count = (UINT16)(size - done < 512 ? size - done : 512);
        status = Esys_NV_Read(
            context, handle, handle, session, ESYS_TR_NONE, ESYS_TR_NONE, count, (UINT16)done, &part);
        if (status != TSS2_RC_SUCCESS) return status;
        if (part->size == count) memcpy(out + done, part->buffer, count);
        else status = PAVISE_TPM_BAD_BYTES;
        done += count;
        Esys_Free(part);
    }
    *room = size;
    return status;
}
