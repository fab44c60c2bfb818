// One connection to a TPM.
#pragma once
#include "relay.h"

// Opens `address`, for example "device:/dev/tpmrm0". An answer may take so many milliseconds; then PAVISE_TPM_SILENT.
static inline TSS2_RC pavise_tpm_open(const char *address, int milliseconds, ESYS_CONTEXT **context) {
    TSS2_TCTI_CONTEXT *transport = NULL;
    TSS2_RC status = pavise_tpm_relay_open(address, milliseconds, &transport);
    if (status != TSS2_RC_SUCCESS) return status;
    status = Esys_Initialize(context, transport, NULL);
    if (status != TSS2_RC_SUCCESS) pavise_tpm_relay_close(transport);
    return status;
}

static inline void pavise_tpm_close(ESYS_CONTEXT *context) {
    TSS2_TCTI_CONTEXT *transport = NULL;
    Esys_GetTcti(context, &transport);
    Esys_Finalize(&context);
    if (transport != NULL) pavise_tpm_relay_close(transport);
}

// Starts a TPM that nobody started since its power came on: an emulator's.
static inline TSS2_RC pavise_tpm_startup(ESYS_CONTEXT *context) {
    return Esys_Startup(context, TPM2_SU_CLEAR);
}

// The handles of one kind, `first` being its lowest; `*count` is the capacity before and the number after.
static inline TSS2_RC pavise_tpm_handles(ESYS_CONTEXT *context, uint32_t first, uint32_t *handles, size_t *count) {
    TPMS_CAPABILITY_DATA *data = NULL;
    TPMI_YES_NO more = 0;
    TSS2_RC status = Esys_GetCapability(
        context, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE, TPM2_CAP_HANDLES, first, (UINT32)*count, &more, &data);
    if (status != TSS2_RC_SUCCESS) return status;
    size_t found = data->data.handles.count < *count ? data->data.handles.count : *count;
    for (size_t index = 0; index < found; index++) handles[index] = data->data.handles.handle[index];
    *count = found;
    Esys_Free(data);
    return TSS2_RC_SUCCESS;
}

// The four letters by which the maker calls itself.
static inline TSS2_RC pavise_tpm_manufacturer(ESYS_CONTEXT *context, uint32_t *value) {
    TPM2_PT property = TPM2_PT_MANUFACTURER;
    TPMS_CAPABILITY_DATA *data = NULL;
    TPMI_YES_NO more = 0;
    TSS2_RC status = Esys_GetCapability(
        context, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE, TPM2_CAP_TPM_PROPERTIES, property, 1, &more, &data);
    if (status != TSS2_RC_SUCCESS) return status;
    int found = data->data.tpmProperties.count == 1 && data->data.tpmProperties.tpmProperty[0].property == property;
    if (found) *value = data->data.tpmProperties.tpmProperty[0].value;
    Esys_Free(data);
    return found ? TSS2_RC_SUCCESS : PAVISE_TPM_BAD_BYTES;
}

// Flushes a handle that this connection did not make: ESAPI has no name for it, so the command is written out
// (TPM 2.0 part 3, TPM2_FlushContext).
static inline TSS2_RC pavise_tpm_flush_foreign(ESYS_CONTEXT *context, uint32_t handle) {
    TSS2_TCTI_CONTEXT *transport = NULL;
    TSS2_RC status = Esys_GetTcti(context, &transport);
    if (status != TSS2_RC_SUCCESS) return status;
    uint8_t command[14] = {0x80, 0x01, 0, 0, 0, 14, 0, 0, 0x01, 0x65};
    for (int index = 0; index < 4; index++) command[10 + index] = (uint8_t)(handle >> (24 - 8 * index));
    status = Tss2_Tcti_Transmit(transport, sizeof command, command);
    if (status != TSS2_RC_SUCCESS) return status;
    uint8_t answer[64] = {0};
    size_t count = sizeof answer;
    status = Tss2_Tcti_Receive(transport, &count, answer, TSS2_TCTI_TIMEOUT_BLOCK);
    if (status != TSS2_RC_SUCCESS) return status;
    if (count < 10) return PAVISE_TPM_BAD_BYTES;
    return (TSS2_RC)answer[6] << 24 | (TSS2_RC)answer[7] << 16 | (TSS2_RC)answer[8] << 8 | answer[9];
}

static inline TSS2_RC pavise_tpm_flush(ESYS_CONTEXT *context, uint32_t handle) {
    return Esys_FlushContext(context, handle);
}

// Forgets an NV index in this context only.
static inline void pavise_tpm_forget(ESYS_CONTEXT *context, uint32_t handle) {
    ESYS_TR object = handle;
    Esys_TR_Close(context, &object);
}

// Sets the authorisation value that later commands use for `handle`.
static inline TSS2_RC pavise_tpm_authorise(ESYS_CONTEXT *context, uint32_t handle, const uint8_t *bytes, size_t count) {
    TPM2B_AUTH value = {0};
    TSS2_RC status = pavise_tpm_take(bytes, count, value.buffer, sizeof value.buffer, &value.size);
    if (status == TSS2_RC_SUCCESS) status = Esys_TR_SetAuth(context, handle, &value);
    pavise_tpm_wipe(&value, sizeof value);
    return status;
}

// The name by which the TPM and its policies know an object or index (algorithm and digest of its public area).
static inline TSS2_RC pavise_tpm_name(ESYS_CONTEXT *context, uint32_t handle, uint8_t *out, size_t *room) {
    TPM2B_NAME *name = NULL;
    TSS2_RC status = Esys_TR_GetName(context, handle, &name);
    if (status != TSS2_RC_SUCCESS) return status;
    status = pavise_tpm_give(name->name, name->size, out, room);
    Esys_Free(name);
    return status;
}
