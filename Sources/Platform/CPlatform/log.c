// Datagrams and streams for logs: none of these calls waits.
#define _GNU_SOURCE
#include "CPavisePlatform.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

int pavise_datagram_socket(void) {
    int descriptor = socket(AF_UNIX, SOCK_DGRAM, 0);
    if (descriptor < 0) return -errno;
    if (fcntl(descriptor, F_SETFD, FD_CLOEXEC) < 0 || fcntl(descriptor, F_SETFL, O_NONBLOCK) < 0) {
        int code = errno;
        close(descriptor);
        return -code;
    }
    return descriptor;
}

static int address_of(const char *path, struct sockaddr_un *address) {
    memset(address, 0, sizeof *address);
    address->sun_family = AF_UNIX;
    if (strlen(path) >= sizeof address->sun_path) return ENAMETOOLONG;
    memcpy(address->sun_path, path, strlen(path));
    return 0;
}

#if defined(MSG_NOSIGNAL)
enum { quiet = MSG_DONTWAIT | MSG_NOSIGNAL };
#else
enum { quiet = MSG_DONTWAIT };
#endif

int pavise_datagram_send(int descriptor, const char *path, const void *bytes, size_t count) {
    struct sockaddr_un address;
    int code = address_of(path, &address);
    if (code) return code;
    ssize_t sent;
    do sent = sendto(descriptor, bytes, count, quiet, (struct sockaddr *)&address, sizeof address);
    while (sent < 0 && errno == EINTR);
    return sent < 0 ? errno : 0;
}

int pavise_memory_file(const void *bytes, size_t count) {
#if defined(__linux__)
    int file = memfd_create("pavise", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (file < 0) return -errno;
    const char *next = bytes;
    while (count > 0) {
        ssize_t wrote = write(file, next, count);
        if (wrote < 0 && errno == EINTR) continue;
        if (wrote < 0) goto failed;
        next += wrote;
        count -= (size_t)wrote;
    }
    if (lseek(file, 0, SEEK_SET) < 0) goto failed;
    if (fcntl(file, F_ADD_SEALS, F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE) < 0) goto failed;
    return file;
failed:;
    int code = errno;
    close(file);
    return -code;
#else
    (void)bytes, (void)count;
    return -ENOSYS;
#endif
}

int pavise_datagram_send_file(int descriptor, const char *path, const void *bytes, size_t count) {
#if defined(__linux__)
    struct sockaddr_un address;
    int code = address_of(path, &address);
    if (code) return code;
    int file = pavise_memory_file(bytes, count);
    if (file < 0) return -file;
    union { struct cmsghdr head; char room[CMSG_SPACE(sizeof(int))]; } control;
    memset(&control, 0, sizeof control);
    struct msghdr message = {
        .msg_name = &address, .msg_namelen = sizeof address,
        .msg_control = control.room, .msg_controllen = sizeof control.room,
    };
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(head), &file, sizeof(int));
    if (sendmsg(descriptor, &message, quiet) < 0) goto failed;
    close(file);
    return 0;
failed:
    code = errno;
    close(file);
    return code;
#else
    (void)descriptor, (void)path, (void)bytes, (void)count;
    return ENOSYS;
#endif
}

int pavise_write_without_waiting(int descriptor, const void *bytes, size_t count) {
    struct pollfd ready = {.fd = descriptor, .events = POLLOUT};
    int found;
    do found = poll(&ready, 1, 0);
    while (found < 0 && errno == EINTR);
    if (found < 0) return errno;
    if (found == 0) return EAGAIN;
    if (ready.revents & (POLLERR | POLLNVAL | POLLHUP)) return EPIPE;
    ssize_t wrote;
    do wrote = write(descriptor, bytes, count);
    while (wrote < 0 && errno == EINTR);
    if (wrote < 0) return errno;
    return (size_t)wrote == count ? 0 : EAGAIN;
}
