#define _GNU_SOURCE
#include "CPavisePlatform.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#else
#include <mach/vm_inherit.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
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
    const struct rlimit none = {0, 0};
    return setrlimit(RLIMIT_CORE, &none) == 0 ? 0 : errno;
#endif
}

int pavise_allows_core_files(void) {
#if defined(__linux__)
    int answer = prctl(PR_GET_DUMPABLE);
    return answer < 0 ? -errno : answer != 0;
#else
    struct rlimit limit;
    return getrlimit(RLIMIT_CORE, &limit) == 0 ? limit.rlim_cur != 0 : -errno;
#endif
}

int pavise_spawn_closes_others(void *actions) {
#if defined(__GLIBC__)
    return posix_spawn_file_actions_addclosefrom_np(actions, STDERR_FILENO + 1);
#else
    return (void)actions, ENOSYS;
#endif
}

int pavise_open_at(int folder, const char *name, int flags) {
    int descriptor;
    do {
        descriptor = openat(folder, name, flags);
    } while (descriptor < 0 && errno == EINTR);
    return descriptor < 0 ? -errno : descriptor;
}

int pavise_create_at(int folder, const char *name, unsigned mode) {
    int descriptor;
    do {
        descriptor = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, (mode_t)mode);
    } while (descriptor < 0 && errno == EINTR);
    return descriptor < 0 ? -errno : descriptor;
}

// Where the file system cannot: a second name for a file is atomic as well, and a folder takes only an empty one's place.
static int rename_new_in_steps(int folder, const char *name, int other, const char *target) {
    struct stat facts;
    if (linkat(folder, name, other, target, 0) == 0) return unlinkat(folder, name, 0) == 0 ? 0 : -errno;
    if (errno != EPERM && errno != ENOSYS && errno != ENOTSUP) return -errno;
    if (fstatat(other, target, &facts, AT_SYMLINK_NOFOLLOW) == 0) return -EEXIST;
    // What nobody can look at may be there, and would be replaced.
    if (errno != ENOENT) return -errno;
    return renameat(folder, name, other, target) == 0 ? 0 : -errno;
}

int pavise_rename_new(int folder, const char *name, int other, const char *target) {
#if defined(__linux__)
    if (renameat2(folder, name, other, target, RENAME_NOREPLACE) == 0) return 0;
#else
    if (renameatx_np(folder, name, other, target, RENAME_EXCL) == 0) return 0;
#endif
    if (errno != EINVAL && errno != ENOSYS && errno != ENOTSUP) return -errno;
    return rename_new_in_steps(folder, name, other, target);
}

int pavise_exchange(int folder, const char *name, const char *other) {
#if defined(__linux__)
    if (renameat2(folder, name, folder, other, RENAME_EXCHANGE) == 0) return 0;
#else
    if (renameatx_np(folder, name, folder, other, RENAME_SWAP) == 0) return 0;
#endif
    return errno == ENOSYS || errno == ENOTSUP ? -EINVAL : -errno;
}

int pavise_synchronise_all(int folder) {
#if defined(__linux__)
    return syncfs(folder) == 0 ? 0 : -errno;
#else
    // sync(2) only begins to write; the drive writes in order, and is then waited for.
    sync();
    return fcntl(folder, F_FULLFSYNC) >= 0 || fsync(folder) == 0 ? 0 : -errno;
#endif
}

int pavise_changes_open(void) {
#if defined(__linux__)
    int changes = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    return changes < 0 ? -errno : changes;
#else
    return -ENOSYS;
#endif
}

int pavise_changes_add(int changes, const char *path) {
#if defined(__linux__)
    uint32_t what = IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVE | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR
        | IN_DONT_FOLLOW;
    return inotify_add_watch(changes, path, what) >= 0 ? 0 : -errno;
#else
    (void)changes;
    (void)path;
    return -ENOSYS;
#endif
}

int pavise_is_mount_point(int folder) {
#if defined(__linux__)
    struct statx facts;
    if (statx(folder, "", AT_EMPTY_PATH | AT_NO_AUTOMOUNT, STATX_BASIC_STATS, &facts) != 0) return 1;
    return (facts.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0;
#else
    (void)folder;
    return 0;
#endif
}

int64_t pavise_birth_time(int folder, const char *name) {
#if defined(__linux__)
    struct statx facts;
    int how = AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT | (*name ? 0 : AT_EMPTY_PATH);
    if (statx(folder, name, how, STATX_BTIME, &facts) != 0 || !(facts.stx_mask & STATX_BTIME)) return -1;
    return facts.stx_btime.tv_sec * INT64_C(1000000000) + facts.stx_btime.tv_nsec;
#else
    struct stat facts;
    if ((*name ? fstatat(folder, name, &facts, AT_SYMLINK_NOFOLLOW) : fstat(folder, &facts)) != 0) return -1;
    return facts.st_birthtimespec.tv_sec * INT64_C(1000000000) + facts.st_birthtimespec.tv_nsec;
#endif
}

void *pavise_secret_pages(size_t count, int wants_lock, int *granted) {
    void *pages = mmap(NULL, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0);
    if (pages == MAP_FAILED) return NULL;
    *granted = 0;
#if defined(__linux__)
    if (madvise(pages, count, MADV_DONTDUMP) == 0) *granted |= pavise_pages_not_dumped;
    if (madvise(pages, count, MADV_DONTFORK) == 0) *granted |= pavise_pages_not_forked;
    if (wants_lock && (mlock2(pages, count, MLOCK_ONFAULT) == 0 || mlock(pages, count) == 0)) *granted |= pavise_pages_locked;
#else
    if (minherit(pages, count, VM_INHERIT_NONE) == 0) *granted |= pavise_pages_not_forked;
    if (wants_lock && mlock(pages, count) == 0) *granted |= pavise_pages_locked;
#endif
    return pages;
}

void pavise_secret_pages_free(void *pages, size_t count) { munmap(pages, count); }

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

const char *pavise_trusted_variable(const char *name) {
#if defined(__linux__)
    return secure_getenv(name);
#else
    return issetugid() ? NULL : getenv(name);
#endif
}

void pavise_forbid_crash_reports(void) {
    const int crashes[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGQUIT, SIGSEGV, SIGTRAP};
    for (size_t i = 0; i < sizeof crashes / sizeof crashes[0]; i++) signal(crashes[i], SIG_DFL);
}
#if defined(__linux__)
int pavise_poll_create(void) {
    int poll = epoll_create1(EPOLL_CLOEXEC);
    return poll < 0 ? -errno : poll;
}

int pavise_poll_set(int poll, int descriptor, uint32_t what, uint64_t key, int is_new) {
    struct epoll_event event = {.events = 0, .data.u64 = key};
    if (what & pavise_ready_read) event.events |= EPOLLIN;
    if (what & pavise_ready_write) event.events |= EPOLLOUT;
    if (what == 0) return epoll_ctl(poll, EPOLL_CTL_DEL, descriptor, &event) == 0 ? 0 : -errno;
    int first = is_new ? EPOLL_CTL_ADD : EPOLL_CTL_MOD;
    if (epoll_ctl(poll, first, descriptor, &event) == 0) return 0;
    if (errno != (is_new ? EEXIST : ENOENT)) return -errno;
    int second = is_new ? EPOLL_CTL_MOD : EPOLL_CTL_ADD;
    return epoll_ctl(poll, second, descriptor, &event) == 0 ? 0 : -errno;
}

int pavise_poll_wait(int poll, struct pavise_ready *answers, int count, int milliseconds) {
    struct epoll_event events[64];
    int got = epoll_wait(poll, events, count < 64 ? count : 64, milliseconds);
    if (got < 0) return errno == EINTR ? 0 : -errno;
    for (int index = 0; index < got; index++) {
        uint32_t what = 0;
        if (events[index].events & (EPOLLIN | EPOLLHUP)) what |= pavise_ready_read;
        if (events[index].events & EPOLLOUT) what |= pavise_ready_write;
        if (events[index].events & EPOLLERR) what |= pavise_ready_error;
        answers[index] = (struct pavise_ready){.key = events[index].data.u64, .what = what};
    }
    return got;
}

int pavise_wakeup_create(void) {
    int descriptor = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    return descriptor < 0 ? -errno : descriptor;
}
#else
int pavise_poll_create(void) { return -ENOSYS; }
int pavise_poll_set(int poll, int descriptor, uint32_t what, uint64_t key, int is_new) { (void)poll, (void)descriptor, (void)what, (void)key, (void)is_new; return -ENOSYS; }
int pavise_poll_wait(int poll, struct pavise_ready *answers, int count, int milliseconds) { (void)poll, (void)answers, (void)count, (void)milliseconds; return -ENOSYS; }
int pavise_wakeup_create(void) { return -ENOSYS; }
#endif

void pavise_report_file_size_limit(void) { signal(SIGXFSZ, SIG_IGN); }

static int stop_pipe[2] = {-1, -1};

static void stop_was_asked(int number) {
    (void)number;
    const int before = errno;
    const char byte = 0;
    ssize_t ignored = write(stop_pipe[1], &byte, 1);
    (void)ignored;
    errno = before;
}

static int open_stop_pipe(void) {
    int ends[2];
#if defined(__linux__)
    /* In one step: a program that another thread starts in between would inherit both ends. */
    if (pipe2(ends, O_CLOEXEC) != 0) return -errno;
#else
    if (pipe(ends) != 0) return -errno;
    for (int end = 0; end < 2; end++) fcntl(ends[end], F_SETFD, FD_CLOEXEC);
#endif
    fcntl(ends[1], F_SETFL, O_NONBLOCK);
    stop_pipe[1] = ends[1];
    stop_pipe[0] = ends[0];
    return 0;
}

/* The first call may come from several threads at once: with two pipes one of them would wait at the wrong one. One that
   fails is no last one. */
int pavise_stop_watch(void) {
    static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&first);
    int code = stop_pipe[0] >= 0 ? 0 : open_stop_pipe();
    int watched = code == 0 ? stop_pipe[0] : code;
    pthread_mutex_unlock(&first);
    return watched;
}

int pavise_stop_at(int number, int even_ignored) {
    struct sigaction before;
    if (sigaction(number, NULL, &before) != 0) return -errno;
    if (before.sa_handler == SIG_IGN && !even_ignored) return 0;
    struct sigaction action = {.sa_handler = stop_was_asked, .sa_flags = SA_RESTART};
    return sigaction(number, &action, NULL) == 0 ? 0 : -errno;
}

#if defined(__linux__)
/* To sleep and be woken costs as much as a near server's whole answer, above all in a virtual machine. Giving the
   processor away between two looks lets a server run that shares it. */
static int look_for_a_while(struct pollfd *watched, long nanoseconds) {
    const long patience = nanoseconds < 100000 ? nanoseconds : 100000;
    struct timespec start, now;
    clock_gettime(CLOCK_MONOTONIC, &start);
    for (;;) {
        int got = poll(watched, 2, 0);
        if (got != 0) return got;
        sched_yield();
        clock_gettime(CLOCK_MONOTONIC, &now);
        if ((now.tv_sec - start.tv_sec) * 1000000000 + (now.tv_nsec - start.tv_nsec) >= patience) return 0;
    }
}

int pavise_wait_for_socket(int socket, uint32_t what, int wakeup, long nanoseconds) {
    struct pollfd watched[2] = {{.fd = socket}, {.fd = wakeup, .events = POLLIN}};
    if (what & pavise_ready_read) watched[0].events |= POLLIN;
    if (what & pavise_ready_write) watched[0].events |= POLLOUT;
    int got = look_for_a_while(watched, nanoseconds);
    if (got == 0) {
        struct timespec time = {.tv_sec = nanoseconds / 1000000000, .tv_nsec = nanoseconds % 1000000000};
        got = ppoll(watched, 2, &time, NULL);
    }
    if (got < 0) return errno == EINTR ? 0 : -errno;
    int ready = 0;
    if (watched[0].revents & (POLLIN | POLLHUP)) ready |= pavise_ready_read;
    if (watched[0].revents & POLLOUT) ready |= pavise_ready_write;
    if (watched[0].revents & POLLERR) ready |= pavise_ready_error;
    return ready;
}
#else
int pavise_wait_for_socket(int socket, uint32_t what, int wakeup, long nanoseconds) { (void)socket, (void)what, (void)wakeup, (void)nanoseconds; return -ENOSYS; }
#endif

#if defined(__linux__)
#include <linux/keyctl.h>
#include <sys/syscall.h>
#include <unistd.h>

// The number to link and search by; 0 where the session has no keyring of its own and would share the user's.
static long keyring(int is_session) {
    if (!is_session) return KEY_SPEC_USER_KEYRING;
    long own = syscall(SYS_keyctl, KEYCTL_GET_KEYRING_ID, KEY_SPEC_SESSION_KEYRING, 0);
    long users = syscall(SYS_keyctl, KEYCTL_GET_KEYRING_ID, KEY_SPEC_USER_SESSION_KEYRING, 0);
    return own < 0 || own == users ? 0 : KEY_SPEC_SESSION_KEYRING;
}

int32_t pavise_keyring_add(const char *name, const void *bytes, size_t count, unsigned int seconds, int is_session) {
    long ring = keyring(is_session);
    if (ring == 0) return -ENOKEY;
    // Made in the thread's own keyring, where the caller possesses the key and may set it up, whatever its session is; a
    // crash until then leaves nothing behind.
    long key = syscall(SYS_add_key, "user", name, bytes, count, KEY_SPEC_THREAD_KEYRING);
    if (key < 0) return -errno;
    int failure = 0;
    // Possessor: all. User: view, read, search, and setting the time; of a session's key nothing.
    if (syscall(SYS_keyctl, KEYCTL_SETPERM, key, is_session ? 0x3f000000 : 0x3f2b0000) < 0
        || syscall(SYS_keyctl, KEYCTL_SET_TIMEOUT, key, seconds) < 0
        || syscall(SYS_keyctl, KEYCTL_LINK, key, ring) < 0)
        failure = errno;
    syscall(SYS_keyctl, KEYCTL_UNLINK, key, KEY_SPEC_THREAD_KEYRING);
    return failure ? -failure : (int32_t)key;
}

int32_t pavise_keyring_find(const char *name, int is_session) {
    long ring = keyring(is_session);
    if (ring == 0) return -ENOKEY;
    long key = syscall(SYS_keyctl, KEYCTL_SEARCH, ring, "user", name, 0);
    return key < 0 ? -errno : (int32_t)key;
}

long pavise_keyring_read(int32_t key, void *bytes, size_t count) {
    long length = syscall(SYS_keyctl, KEYCTL_READ, key, bytes, count);
    return length < 0 ? -errno : length;
}

int pavise_keyring_expire(int32_t key, unsigned int seconds) {
    return syscall(SYS_keyctl, KEYCTL_SET_TIMEOUT, key, seconds) < 0 ? -errno : 0;
}

int pavise_keyring_invalidate(int32_t key) {
    return syscall(SYS_keyctl, KEYCTL_INVALIDATE, key) < 0 ? -errno : 0;
}

int pavise_keyring_revoke(int32_t key) {
    return syscall(SYS_keyctl, KEYCTL_REVOKE, key) < 0 ? -errno : 0;
}

int32_t pavise_keyring_join_session(void) {
    long key = syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, NULL);
    return key < 0 ? -errno : (int32_t)key;
}
#else
int32_t pavise_keyring_add(const char *name, const void *bytes, size_t count, unsigned int seconds, int is_session) { (void)name, (void)bytes, (void)count, (void)seconds, (void)is_session; return -ENOSYS; }
int32_t pavise_keyring_find(const char *name, int is_session) { (void)name, (void)is_session; return -ENOSYS; }
long pavise_keyring_read(int32_t key, void *bytes, size_t count) { (void)key, (void)bytes, (void)count; return -ENOSYS; }
int pavise_keyring_expire(int32_t key, unsigned int seconds) { (void)key, (void)seconds; return -ENOSYS; }
int pavise_keyring_invalidate(int32_t key) { (void)key; return -ENOSYS; }
int pavise_keyring_revoke(int32_t key) { (void)key; return -ENOSYS; }
int32_t pavise_keyring_join_session(void) { return -ENOSYS; }
#endif

#if defined(__linux__)
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <sys/socket.h>
#include <sys/timerfd.h>

int pavise_network_watch(void) {
    int watch = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_ROUTE);
    if (watch < 0) return -errno;
    struct sockaddr_nl address = {
        .nl_family = AF_NETLINK,
        .nl_groups = RTMGRP_LINK | RTMGRP_IPV4_IFADDR | RTMGRP_IPV4_ROUTE | RTMGRP_IPV6_IFADDR | RTMGRP_IPV6_ROUTE};
    if (bind(watch, (struct sockaddr *)&address, sizeof address) == 0) return watch;
    int failure = errno;
    close(watch);
    return -failure;
}

long pavise_network_read(int watch, void *bytes, size_t count) {
    struct sockaddr_nl sender = {0};
    struct iovec place = {.iov_base = bytes, .iov_len = count};
    struct msghdr message = {.msg_name = &sender, .msg_namelen = sizeof sender, .msg_iov = &place, .msg_iovlen = 1};
    ssize_t got = recvmsg(watch, &message, MSG_TRUNC);
    if (got < 0) return -errno;
    // Any process may send to this socket: the kernel is number 0.
    return message.msg_namelen == sizeof sender && sender.nl_pid == 0 ? got : 0;
}

// A moment that never comes: only the jump ends the wait.
static int wait_for_jump(int watch) {
    struct itimerspec never = {.it_value = {.tv_sec = sizeof(time_t) == 8 ? (time_t)INT64_MAX : (time_t)INT32_MAX}};
    return timerfd_settime(watch, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &never, NULL) < 0 ? -errno : 0;
}

int pavise_clock_watch(void) {
    int watch = timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC | TFD_NONBLOCK);
    if (watch < 0) return -errno;
    int failure = wait_for_jump(watch);
    if (failure == 0) return watch;
    close(watch);
    return failure;
}

int pavise_clock_jumped(int watch) {
    uint64_t count;
    if (read(watch, &count, sizeof count) >= 0) return 0;
    if (errno == EAGAIN || errno == EINTR) return 0;
    if (errno != ECANCELED) return -errno;
    int failure = wait_for_jump(watch);
    return failure < 0 ? failure : 1;
}
#else
int pavise_network_watch(void) { return -ENOSYS; }
long pavise_network_read(int watch, void *bytes, size_t count) { (void)watch, (void)bytes, (void)count; return -ENOSYS; }
int pavise_clock_watch(void) { return -ENOSYS; }
int pavise_clock_jumped(int watch) { (void)watch; return -ENOSYS; }
#endif
