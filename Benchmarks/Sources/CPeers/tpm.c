// What a C program does that uses a TPM's key with care: storage key, salted session with parameter encryption, load, sign.
#include "PeersTPM.h"
#include <stdlib.h>
#include <string.h>
#include <tss2/tss2_esys.h>
#include <tss2/tss2_tctildr.h>

struct peer_tpm {
    char *address;
    TPM2B_PUBLIC *area;
    TPM2B_PRIVATE *hidden;
};

struct link {
    TSS2_TCTI_CONTEXT *transport;
    ESYS_CONTEXT *context;
    ESYS_TR parent, session;
};

static const TPM2B_AUTH value = {.size = 32, .buffer = {7}};

static TPMT_PUBLIC curve(TPMA_OBJECT attributes) {
    TPMT_PUBLIC area = {.type = TPM2_ALG_ECC, .nameAlg = TPM2_ALG_SHA256, .objectAttributes = attributes};
    area.parameters.eccDetail.scheme.scheme = TPM2_ALG_NULL;
    area.parameters.eccDetail.curveID = TPM2_ECC_NIST_P256;
    area.parameters.eccDetail.kdf.scheme = TPM2_ALG_NULL;
    area.parameters.eccDetail.symmetric.algorithm = TPM2_ALG_NULL;
    return area;
}

static const TPMA_OBJECT bound = TPMA_OBJECT_FIXEDTPM | TPMA_OBJECT_FIXEDPARENT | TPMA_OBJECT_SENSITIVEDATAORIGIN |
                                 TPMA_OBJECT_USERWITHAUTH | TPMA_OBJECT_NODA;

static int make_parent(struct link *link) {
    TPM2B_PUBLIC wanted = {.publicArea = curve(bound | TPMA_OBJECT_RESTRICTED | TPMA_OBJECT_DECRYPT)};
    TPMT_SYM_DEF_OBJECT *cipher = &wanted.publicArea.parameters.eccDetail.symmetric;
    cipher->algorithm = TPM2_ALG_AES;
    cipher->keyBits.aes = 128;
    cipher->mode.aes = TPM2_ALG_CFB;
    TPM2B_SENSITIVE_CREATE nothing = {0};
    TPM2B_DATA outside = {0};
    TPML_PCR_SELECTION registers = {0};
    return Esys_CreatePrimary(link->context, ESYS_TR_RH_OWNER, ESYS_TR_PASSWORD, ESYS_TR_NONE, ESYS_TR_NONE, &nothing,
                              &wanted, &outside, &registers, &link->parent, NULL, NULL, NULL, NULL) == TSS2_RC_SUCCESS;
}

static int make_session(struct link *link) {
    TPMT_SYM_DEF cipher = {.algorithm = TPM2_ALG_AES, .keyBits = {.aes = 128}, .mode = {.aes = TPM2_ALG_CFB}};
    return Esys_StartAuthSession(link->context, link->parent, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE, NULL,
                                 TPM2_SE_HMAC, &cipher, TPM2_ALG_SHA256, &link->session) == TSS2_RC_SUCCESS &&
           Esys_TRSess_SetAttributes(
               link->context, link->session,
               TPMA_SESSION_CONTINUESESSION | TPMA_SESSION_DECRYPT | TPMA_SESSION_ENCRYPT, 0xff) == TSS2_RC_SUCCESS;
}

static void close_link(struct link *link) {
    if (link->session != ESYS_TR_NONE) Esys_FlushContext(link->context, link->session);
    if (link->parent != ESYS_TR_NONE) Esys_FlushContext(link->context, link->parent);
    if (link->context != NULL) Esys_Finalize(&link->context);
    if (link->transport != NULL) Tss2_TctiLdr_Finalize(&link->transport);
}

static int open_link(struct link *link, const char *address) {
    *link = (struct link){.parent = ESYS_TR_NONE, .session = ESYS_TR_NONE};
    if (Tss2_TctiLdr_Initialize(address, &link->transport) == TSS2_RC_SUCCESS &&
        Esys_Initialize(&link->context, link->transport, NULL) == TSS2_RC_SUCCESS && make_parent(link) && make_session(link))
        return 1;
    close_link(link);
    return 0;
}

struct peer_tpm *peer_tpm_new(const char *address) {
    struct peer_tpm *peer = calloc(1, sizeof *peer);
    struct link link;
    if (peer == NULL || !open_link(&link, address)) return NULL;
    peer->address = strdup(address);
    TPM2B_PUBLIC wanted = {.publicArea = curve(bound | TPMA_OBJECT_SIGN_ENCRYPT | TPMA_OBJECT_DECRYPT)};
    TPM2B_SENSITIVE_CREATE sensitive = {.sensitive = {.userAuth = value}};
    TPM2B_DATA outside = {0};
    TPML_PCR_SELECTION registers = {0};
    int made = Esys_Create(link.context, link.parent, link.session, ESYS_TR_NONE, ESYS_TR_NONE, &sensitive, &wanted,
                           &outside, &registers, &peer->hidden, &peer->area, NULL, NULL, NULL) == TSS2_RC_SUCCESS;
    close_link(&link);
    return made ? peer : NULL;
}

void peer_tpm_free(struct peer_tpm *peer) {
    Esys_Free(peer->area);
    Esys_Free(peer->hidden);
    free(peer->address);
    free(peer);
}

static int sign(struct link *link, ESYS_TR key, const uint8_t digest[32]) {
    TPM2B_DIGEST message = {.size = 32};
    memcpy(message.buffer, digest, 32);
    TPMT_SIG_SCHEME scheme = {.scheme = TPM2_ALG_ECDSA, .details = {.ecdsa = {.hashAlg = TPM2_ALG_SHA256}}};
    TPMT_TK_HASHCHECK unchecked = {.tag = TPM2_ST_HASHCHECK, .hierarchy = TPM2_RH_NULL};
    TPMT_SIGNATURE *signature = NULL;
    int done = Esys_Sign(link->context, key, link->session, ESYS_TR_NONE, ESYS_TR_NONE, &message, &scheme, &unchecked,
                         &signature) == TSS2_RC_SUCCESS;
    Esys_Free(signature);
    return done;
}

int peer_tpm_sign(struct peer_tpm *peer, const uint8_t digest[32], int count) {
    struct link link;
    if (!open_link(&link, peer->address)) return 0;
    ESYS_TR key = ESYS_TR_NONE;
    int done = Esys_Load(link.context, link.parent, link.session, ESYS_TR_NONE, ESYS_TR_NONE, peer->hidden, peer->area,
                         &key) == TSS2_RC_SUCCESS &&
               Esys_TR_SetAuth(link.context, key, &value) == TSS2_RC_SUCCESS;
    for (int number = 0; done && number < count; number++) done = sign(&link, key, digest);
    if (key != ESYS_TR_NONE) Esys_FlushContext(link.context, key);
    close_link(&link);
    return done;
}
