// A way to a TPM that does not wait for ever: the stack's own transports block until a TPM answers, on some while they connect
// too, and cannot be interrupted. So a thread of each connection does the blocking, and its caller waits for it with a limit.
// A thread that never comes back keeps its connection, and ends both when the TPM answers or goes away.
#pragma once
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#include "bytes.h"

// The transport layer's code for a TPM that did not answer in time; no code of the stack's own.
#define PAVISE_TPM_SILENT ((TSS2_RC)(TSS2_TCTI_RC_LAYER | 0x0f00))

#define PAVISE_TPM_LONGEST 4096

enum pavise_tpm_relay_state { pavise_relay_idle, pavise_relay_asked, pavise_relay_answered };

struct pavise_tpm_relay {
    // First, as the stack wants it: what it calls.
    TSS2_TCTI_CONTEXT_COMMON_V2 common;
    TSS2_TCTI_CONTEXT *below;
    pthread_t thread;
    // A child after fork has the memory and not the thread.
    pid_t process;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    enum pavise_tpm_relay_state state;
    // Nobody waits any more; the thread frees everything when it comes back.
    int is_abandoned;
    int is_closing;
    int milliseconds;
    TSS2_RC status;
    size_t count;
    uint8_t bytes[PAVISE_TPM_LONGEST];
    char address[264];
};

static inline void pavise_tpm_relay_free(struct pavise_tpm_relay *relay) {
    pthread_cond_destroy(&relay->changed);
    pthread_mutex_destroy(&relay->mutex);
    pavise_tpm_wipe(relay->bytes, sizeof relay->bytes);
    free(relay);
}

// Gives the status of what was asked, and waits for the next question. Returns 0 when there will be none.
static inline int pavise_tpm_relay_next(struct pavise_tpm_relay *relay, TSS2_RC status) {
    pthread_mutex_lock(&relay->mutex);
    relay->status = status;
    relay->state = pavise_relay_answered;
    pthread_cond_broadcast(&relay->changed);
    while (relay->state != pavise_relay_asked && !relay->is_closing && !relay->is_abandoned)
        pthread_cond_wait(&relay->changed, &relay->mutex);
    int is_asked = !relay->is_closing && !relay->is_abandoned;
    pthread_mutex_unlock(&relay->mutex);
    return is_asked;
}

static inline void *pavise_tpm_relay_run(void *argument) {
    struct pavise_tpm_relay *relay = (struct pavise_tpm_relay *)argument;
    // Signals are for the program's own threads; the SIGPIPE of a TPM that went away is for nobody.
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, NULL);
    TSS2_RC status = Tss2_TctiLdr_Initialize(relay->address, &relay->below);
    while (pavise_tpm_relay_next(relay, status)) {
        status = Tss2_Tcti_Transmit(relay->below, relay->count, relay->bytes);
        if (status != TSS2_RC_SUCCESS) continue;
        relay->count = sizeof relay->bytes;
        status = Tss2_Tcti_Receive(relay->below, &relay->count, relay->bytes, TSS2_TCTI_TIMEOUT_BLOCK);
    }
    if (relay->below != NULL) Tss2_TctiLdr_Finalize(&relay->below);
    pthread_mutex_lock(&relay->mutex);
    int is_abandoned = relay->is_abandoned;
    pthread_mutex_unlock(&relay->mutex);
    if (is_abandoned) pavise_tpm_relay_free(relay);
    return NULL;
}

// Waits until the thread answered; PAVISE_TPM_SILENT when it did not in time. Call it with the lock held.
static inline TSS2_RC pavise_tpm_relay_wait(struct pavise_tpm_relay *relay, int milliseconds) {
    struct timespec end;
    clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_sec += milliseconds / 1000;
    end.tv_nsec += (long)(milliseconds % 1000) * 1000000;
    if (end.tv_nsec >= 1000000000) {
        end.tv_sec += 1;
        end.tv_nsec -= 1000000000;
    }
    while (relay->state != pavise_relay_answered)
        if (pthread_cond_timedwait(&relay->changed, &relay->mutex, &end) != 0)
            return relay->state == pavise_relay_answered ? TSS2_RC_SUCCESS : PAVISE_TPM_SILENT;
    return TSS2_RC_SUCCESS;
}

static inline TSS2_RC pavise_tpm_relay_transmit(TSS2_TCTI_CONTEXT *context, size_t count, const uint8_t *command) {
    struct pavise_tpm_relay *relay = (struct pavise_tpm_relay *)context;
    if (relay == NULL || command == NULL) return TSS2_TCTI_RC_BAD_REFERENCE;
    if (count > sizeof relay->bytes) return TSS2_TCTI_RC_BAD_VALUE;
    if (relay->process != getpid()) return TSS2_TCTI_RC_NO_CONNECTION;
    pthread_mutex_lock(&relay->mutex);
    TSS2_RC status = TSS2_TCTI_RC_BAD_SEQUENCE;
    // After silence nothing more is asked: the late answer would be taken for another question's.
    if (relay->is_closing) status = PAVISE_TPM_SILENT;
    else if (relay->state == pavise_relay_idle) {
        memcpy(relay->bytes, command, count);
        relay->count = count;
        relay->state = pavise_relay_asked;
        pthread_cond_broadcast(&relay->changed);
        status = TSS2_RC_SUCCESS;
    }
    pthread_mutex_unlock(&relay->mutex);
    return status;
}

static inline TSS2_RC pavise_tpm_relay_take(struct pavise_tpm_relay *relay, size_t *count, uint8_t *answer) {
    if (relay->status == TSS2_RC_SUCCESS && *count < relay->count) return TSS2_TCTI_RC_INSUFFICIENT_BUFFER;
    relay->state = pavise_relay_idle;
    if (relay->status != TSS2_RC_SUCCESS) return relay->status;
    memcpy(answer, relay->bytes, relay->count);
    *count = relay->count;
    return TSS2_RC_SUCCESS;
}

static inline TSS2_RC pavise_tpm_relay_receive(
    TSS2_TCTI_CONTEXT *context, size_t *count, uint8_t *answer, int32_t milliseconds) {
    struct pavise_tpm_relay *relay = (struct pavise_tpm_relay *)context;
    if (relay == NULL || count == NULL) return TSS2_TCTI_RC_BAD_REFERENCE;
    if (answer == NULL) {
        *count = sizeof relay->bytes;
        return TSS2_RC_SUCCESS;
    }
    pthread_mutex_lock(&relay->mutex);
    TSS2_RC status = TSS2_TCTI_RC_BAD_SEQUENCE;
    if (relay->is_closing) status = PAVISE_TPM_SILENT;
    else if (relay->state != pavise_relay_idle) {
        int isPatient = milliseconds == TSS2_TCTI_TIMEOUT_BLOCK;
        status = pavise_tpm_relay_wait(relay, isPatient ? relay->milliseconds : milliseconds);
        if (status == TSS2_RC_SUCCESS) status = pavise_tpm_relay_take(relay, count, answer);
        else if (isPatient) relay->is_closing = 1;
        else status = TSS2_TCTI_RC_TRY_AGAIN;
    }
    pthread_mutex_unlock(&relay->mutex);
    return status;
}

// Ends the connection. One that is silent ends later, by itself.
static inline void pavise_tpm_relay_close(TSS2_TCTI_CONTEXT *context) {
    struct pavise_tpm_relay *relay = (struct pavise_tpm_relay *)context;
    if (relay->process != getpid()) return;
    pthread_mutex_lock(&relay->mutex);
    pthread_t thread = relay->thread;
    int is_silent = relay->state == pavise_relay_asked;
    relay->is_closing = 1;
    relay->is_abandoned = is_silent;
    pthread_cond_broadcast(&relay->changed);
    pthread_mutex_unlock(&relay->mutex);
    if (is_silent) {
        pthread_detach(thread);
    } else {
        pthread_join(thread, NULL);
        pavise_tpm_relay_free(relay);
    }
}

static inline TSS2_RC pavise_tpm_relay_start(struct pavise_tpm_relay *relay) {
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_mutex_init(&relay->mutex, NULL);
    pthread_cond_init(&relay->changed, &attributes);
    pthread_condattr_destroy(&attributes);
    if (pthread_create(&relay->thread, NULL, pavise_tpm_relay_run, relay) == 0) return TSS2_RC_SUCCESS;
    pavise_tpm_relay_free(relay);
    return TSS2_TCTI_RC_GENERAL_FAILURE;
}

// Connects to `address`; every answer may take so many milliseconds.
static inline TSS2_RC pavise_tpm_relay_open(const char *address, int milliseconds, TSS2_TCTI_CONTEXT **opened) {
    if (strlen(address) >= sizeof((struct pavise_tpm_relay *)NULL)->address) return TSS2_TCTI_RC_BAD_VALUE;
    struct pavise_tpm_relay *relay = (struct pavise_tpm_relay *)calloc(1, sizeof *relay);
    if (relay == NULL) return TSS2_TCTI_RC_MEMORY;
    relay->common.v1.magic = 0x7061766973655450;
    relay->common.v1.version = 2;
    relay->common.v1.transmit = pavise_tpm_relay_transmit;
    relay->common.v1.receive = pavise_tpm_relay_receive;
    relay->common.v1.finalize = pavise_tpm_relay_close;
    relay->milliseconds = milliseconds;
    relay->process = getpid();
    // What is asked first is to connect.
    relay->state = pavise_relay_asked;
    strcpy(relay->address, address);
    TSS2_RC status = pavise_tpm_relay_start(relay);
    if (status != TSS2_RC_SUCCESS) return status;
    pthread_mutex_lock(&relay->mutex);
    status = pavise_tpm_relay_wait(relay, milliseconds);
    if (status == TSS2_RC_SUCCESS) {
        status = relay->status;
        relay->state = pavise_relay_idle;
    }
    pthread_mutex_unlock(&relay->mutex);
    if (status == TSS2_RC_SUCCESS) *opened = (TSS2_TCTI_CONTEXT *)relay;
    else pavise_tpm_relay_close((TSS2_TCTI_CONTEXT *)relay);
    return status;
}
