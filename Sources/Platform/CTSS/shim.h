// The TPM 2.0 software stack (tpm2-tss, ESAPI) for the one Swift module that may import it: DeviceProtection.
// ESAPI speaks in structures with unions and fixed buffers, which Swift imports badly. So each call stands here once, with
// bytes and numbers on Swift's side. Secrets on the stack are overwritten before a function returns.
#pragma once
#include "bytes.h"
#include "relay.h"
#include "connection.h"
#include "sessions.h"
#include "objects.h"
#include "attestation.h"
#include "storage.h"
#include "turn.h"
