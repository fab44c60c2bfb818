#define _GNU_SOURCE
#include "CPavisePlatform.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#if defined(__linux__)
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/socket.h>
#else
#include <stdlib.h>
#include <sys/socket.h>
#endif

int pavise_random(void *bytes, size_t count) {
#if defined(__linux__)
    unsigned char *next = bytes;
    while (count > 0) {
        ssize_t got = getrandom(next, count, 0);
        if (got < 0) {
            if (errno == EINTR) continue;
            return errno;
        }
        next += got;
        count -= (size_t)got;
    }
#else
    arc4random_buf(bytes, count);
#endif
    return 0;
}

int pavise_forbid_core_files(void) {
#if defined(__linux__)
    return prctl(PR_SET_DUMPABLE, 0) == 0 ? 0 : errno;
#else
    return 0;
#endif
}

int pavise_open(const char *path, int flags, unsigned int mode) {
    int descriptor;
    do {
        descriptor = open(path, flags, (mode_t)mode);
    } while (descriptor < 0 && errno == EINTR);
    return descriptor < 0 ? -errno : descriptor;
}

int pavise_fcntl_int(int descriptor, int command, int value) {
    int result = fcntl(descriptor, command, value);
    return result < 0 ? -errno : result;
}

int pavise_accept(int listener) {
#if defined(__linux__)
    return accept4(listener, NULL, NULL, SOCK_CLOEXEC);
#else
    return accept(listener, NULL, NULL);
#endif
}

void pavise_forbid_crash_reports(void) {
    const int crashes[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGQUIT, SIGSEGV, SIGTRAP};
    for (size_t i = 0; i < sizeof crashes / sizeof crashes[0]; i++) signal(crashes[i], SIG_DFL);
}
