// A name that one process at a time can hold, without a file: an address of the abstract namespace, which the kernel gives
// back when its holder ends. Like an emulator's port it belongs to the network namespace.
#pragma once
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

// Returns a descriptor to close, or -errno; -EADDRINUSE when another holds the name.
static inline int pavise_tpm_turn(const char *name, size_t count) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (count > sizeof address.sun_path - 1) return -ENAMETOOLONG;
    memcpy(address.sun_path + 1, name, count);
    int turn = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (turn < 0) return -errno;
    socklen_t length = (socklen_t)(sizeof address.sun_family + 1 + count);
    if (bind(turn, (const struct sockaddr *)&address, length) == 0) return turn;
    int code = errno;
    close(turn);
    return -code;
}
