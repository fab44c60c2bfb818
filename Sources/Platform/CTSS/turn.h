// A name that one process at a time can hold, without a file: an address of the abstract namespace, which the kernel gives
// back when its holder ends. Like an emulator's port it belongs to the network namespace, and like it any user can take it: whoever
// waits in vain asks the kernel who has it.
#pragma once
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

// struct ucred, which glibc shows to GNU sources only (socket(7), SO_PEERCRED).
struct pavise_tpm_holder {
    int32_t process;
    uint32_t user;
    uint32_t group;
};

static inline int pavise_tpm_turn_socket(const char *name, size_t count, struct sockaddr_un *address, socklen_t *length) {
    if (count > sizeof address->sun_path - 1) return -ENAMETOOLONG;
    memset(address, 0, sizeof *address);
    address->sun_family = AF_UNIX;
    memcpy(address->sun_path + 1, name, count);
    *length = (socklen_t)(sizeof address->sun_family + 1 + count);
    int turn = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    return turn < 0 ? -errno : turn;
}

// Returns a descriptor to close, or -errno; -EADDRINUSE when another holds the name.
static inline int pavise_tpm_turn(const char *name, size_t count) {
    struct sockaddr_un address;
    socklen_t length;
    int turn = pavise_tpm_turn_socket(name, count, &address, &length);
    if (turn < 0) return turn;
    // It listens so that others can ask who holds it; nobody is answered.
    if (bind(turn, (const struct sockaddr *)&address, length) == 0 && listen(turn, 16) == 0) return turn;
    int code = errno;
    close(turn);
    return -code;
}

// Returns the user who holds the name, or -errno where it does not say: it is free, or taken by something that is no turn.
static inline int64_t pavise_tpm_turn_holder(const char *name, size_t count) {
    struct sockaddr_un address;
    socklen_t length;
    int question = pavise_tpm_turn_socket(name, count, &address, &length);
    if (question < 0) return question;
    struct pavise_tpm_holder holder;
    socklen_t size = sizeof holder;
    int64_t result = 0;
    if (connect(question, (const struct sockaddr *)&address, length) != 0
        || getsockopt(question, SOL_SOCKET, SO_PEERCRED, &holder, &size) != 0) {
        result = -errno;
    } else {
        result = holder.user;
    }
    close(question);
    return result;
}
