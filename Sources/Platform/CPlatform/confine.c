#define _GNU_SOURCE
#include "CPavisePlatform.h"
#include <errno.h>
#if defined(__linux__)
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__x86_64__)
#define PAVISE_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define PAVISE_ARCH AUDIT_ARCH_AARCH64
#endif

#ifndef PAVISE_ARCH
unsigned pavise_confinement(void) { return 0; }
int pavise_make_root(char *root, const char *const *readable) {
    (void)root, (void)readable;
    return ENOSYS;
}
void pavise_remove_root(const char *root, const char *const *readable) { (void)root, (void)readable; }
int pavise_start_confined(const char *path, char *const *words, const char *const *readable, const char *root, int input,
                          int output, struct pavise_bounds bounds, unsigned layers) {
    (void)path, (void)words, (void)readable, (void)root, (void)input, (void)output, (void)bounds, (void)layers;
    return -ENOSYS;
}
#else

// What a program may do that reads its standard input, computes, and writes its standard output. Everything else is
// answered with EPERM: no socket, no other process, no file that is written, no right that grows.
static const int calls[] = {
    SYS_read, SYS_write, SYS_readv, SYS_writev, SYS_pread64, SYS_close, SYS_fstat, SYS_newfstatat, SYS_statx, SYS_lseek,
    SYS_mmap, SYS_mprotect, SYS_munmap, SYS_mremap, SYS_madvise, SYS_brk, SYS_rt_sigaction, SYS_rt_sigprocmask,
    SYS_rt_sigreturn, SYS_sigaltstack, SYS_exit, SYS_exit_group, SYS_set_tid_address, SYS_set_robust_list, SYS_rseq,
    SYS_getrandom, SYS_futex, SYS_readlinkat, SYS_faccessat, SYS_faccessat2, SYS_getcwd, SYS_getpid, SYS_gettid,
    SYS_getuid, SYS_geteuid, SYS_getgid, SYS_getegid, SYS_uname, SYS_clock_gettime, SYS_clock_nanosleep,
    SYS_sched_getaffinity, SYS_sched_yield, SYS_sysinfo, SYS_statfs, SYS_fstatfs, SYS_getdents64, SYS_dup,
#if defined(__x86_64__)
    SYS_access, SYS_readlink, SYS_stat, SYS_lstat, SYS_arch_prctl, SYS_time,
#endif
};

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define ANSWER(value) BPF_STMT(BPF_RET | BPF_K, value)
#define LOW_WORD(index) (offsetof(struct seccomp_data, args) + 8 * (index))
#define HIGH_WORD(index) (LOW_WORD(index) + 4)

// Opening for reading alone, one execution (of the path that the parent named: the pointer is its own), and the limits
// that are asked for, not set.
static int filter(const char *path) {
    enum { room = 64 + 2 * sizeof calls / sizeof *calls };
    struct sock_filter lines[room];
    unsigned short count = 0;
#define ADD(line) lines[count++] = (struct sock_filter)line
    ADD(LOAD(arch));
    ADD(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, PAVISE_ARCH, 1, 0));
    ADD(ANSWER(SECCOMP_RET_KILL_PROCESS));
    ADD(LOAD(nr));
#if defined(__x86_64__)
    // The calls of x32 have numbers of their own.
    ADD(BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1));
    ADD(ANSWER(SECCOMP_RET_KILL_PROCESS));
#endif
    for (unsigned index = 0; index < sizeof calls / sizeof *calls; index++) {
        ADD(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)calls[index], 0, 1));
        ADD(ANSWER(SECCOMP_RET_ALLOW));
    }
    const unsigned writing = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND;
#if defined(__x86_64__)
    ADD(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_open, 0, 4));
    ADD(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, LOW_WORD(1)));
    ADD(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, writing, 0, 1));
    ADD(ANSWER(SECCOMP_RET_ERRNO | EACCES));
    ADD(ANSWER(SECCOMP_RET_ALLOW));
#endif
    ADD(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 0, 4));
    ADD(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, LOW_WORD(2)));
    ADD(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, writing, 0, 1));
    ADD(ANSWER(SECCOMP_RET_ERRNO | EACCES));
    ADD(ANSWER(SECCOMP_RET_ALLOW));
    ADD(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_fcntl, 0, 4));
    ADD(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, LOW_WORD(1)));
    ADD(BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, F_SETFL, 0, 1));
    ADD(ANSWER(SECCOMP_RET_ERRNO | EPERM));
    ADD(ANSWER(SECCOMP_RET_ALLOW));
    // The limits are asked for (glibc does), never set: the third argument is NULL.
    ADD(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_prlimit64, 0, 6));
    ADD(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, LOW_WORD(2)));
    ADD(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 3));
    ADD(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, HIGH_WORD(2)));
    ADD(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 1));
    ADD(ANSWER(SECCOMP_RET_ALLOW));
    ADD(ANSWER(SECCOMP_RET_ERRNO | EPERM));
    ADD(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_execve, 0, 6));
    ADD(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, LOW_WORD(0)));
    ADD(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)(uintptr_t)path, 0, 3));
    ADD(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, HIGH_WORD(0)));
    ADD(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)((uint64_t)(uintptr_t)path >> 32), 0, 1));
    ADD(ANSWER(SECCOMP_RET_ALLOW));
    ADD(ANSWER(SECCOMP_RET_ERRNO | EPERM));
    ADD(ANSWER(SECCOMP_RET_ERRNO | EPERM));
#undef ADD
    struct sock_fprog program = {count, lines};
    return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program);
}

static long landlock_version(void) {
    return syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
}

// Files below `readable` can be read and executed; nothing else can be opened, and nothing can be made or changed.
static int landlock(const char *const *readable) {
    // The rights of the first version. Those of later ones are about changing files, which the filter forbids.
    struct landlock_ruleset_attr rules = {.handled_access_fs = (LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1};
    int set = (int)syscall(SYS_landlock_create_ruleset, &rules, sizeof rules.handled_access_fs, 0);
    if (set < 0) return -1;
    for (; *readable; readable++) {
        int place = open(*readable, O_PATH | O_CLOEXEC);
        // What this machine does not have needs no rule.
        if (place < 0) continue;
        struct landlock_path_beneath_attr rule = {
            .allowed_access = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR,
            .parent_fd = place};
        long done = syscall(SYS_landlock_add_rule, set, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
        if (done != 0 && errno == EINVAL) {
            // A file, not a folder.
            rule.allowed_access = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE;
            done = syscall(SYS_landlock_add_rule, set, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
        }
        close(place);
        if (done != 0) return -1;
    }
    int done = (int)syscall(SYS_landlock_restrict_self, set, 0);
    close(set);
    return done;
}

// `place`, an absolute path, below `root`.
static int below(const char *root, const char *place, char joined[PATH_MAX]) {
    size_t first = strlen(root), second = strlen(place);
    if (first + second >= PATH_MAX) return -1;
    memcpy(joined, root, first);
    memcpy(joined + first, place, second + 1);
    return 0;
}

// The folders above `place` below `root`, and an empty folder or file for what it is here.
static int make_place(const char *root, const char *place) {
    struct stat facts;
    char path[PATH_MAX];
    // What this machine does not have needs no place.
    if (stat(place, &facts) != 0) return 0;
    if (below(root, place, path) != 0) return ENAMETOOLONG;
    for (char *end = strchr(path + strlen(root) + 1, '/'); end; end = strchr(end + 1, '/')) {
        *end = 0;
        int made = mkdir(path, 0700);
        *end = '/';
        if (made != 0 && errno != EEXIST) return errno;
    }
    if (S_ISDIR(facts.st_mode)) return mkdir(path, 0700) == 0 ? 0 : errno;
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    return file >= 0 && close(file) == 0 ? 0 : errno;
}

int pavise_make_root(char *root, const char *const *readable) {
    memcpy(root, "/tmp/pavise-XXXXXX", sizeof "/tmp/pavise-XXXXXX");
    if (!mkdtemp(root)) {
        *root = 0;
        return errno;
    }
    for (const char *const *place = readable; *place; place++) {
        int code = make_place(root, *place);
        if (code == 0) continue;
        pavise_remove_root(root, readable);
        *root = 0;
        return code;
    }
    return 0;
}

// Empty files and empty folders alone: what holds something stays.
void pavise_remove_root(const char *root, const char *const *readable) {
    if (!*root) return;
    for (; *readable; readable++) {
        char path[PATH_MAX];
        if (below(root, *readable, path) != 0) continue;
        struct stat facts;
        if (lstat(path, &facts) != 0) continue;
        if (S_ISREG(facts.st_mode) && facts.st_size == 0) (void)!unlink(path);
        for (size_t end = strlen(path); end > strlen(root); end--) {
            if (path[end] != '/' && path[end] != 0) continue;
            path[end] = 0;
            (void)!rmdir(path);
        }
    }
    (void)!rmdir(root);
}

// A mount of another user namespace keeps the flags that it has, and its remount must name them (mount_namespaces(7)).
static int read_only(const char *path) {
    struct statfs facts;
    if (statfs(path, &facts) != 0) return -1;
    unsigned long kept = (unsigned long)facts.f_flags & (MS_NOSUID | MS_NODEV | MS_NOEXEC);
    return mount(NULL, path, NULL, MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | kept, NULL);
}

// In namespaces of its own: `root` becomes the root, with what is `readable` and nothing else in it. The user has no
// number there, so that nothing can be made, and the program that is started has no capability in them either
// (user_namespaces(7)). Returns 0; 1 where the machine does not give it and the root is the old one; -1 for half a root.
static int own_root(const char *root, const char *const *readable) {
    if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0) return 1;
    if (mount(root, root, NULL, MS_BIND, NULL) != 0) return 1;
    for (; *readable; readable++) {
        char path[PATH_MAX];
        if (access(*readable, F_OK) != 0) continue;
        if (below(root, *readable, path) != 0 || mount(*readable, path, NULL, MS_BIND | MS_REC, NULL) != 0) return 1;
        if (read_only(path) != 0) return 1;
    }
    // The old root lies on the new one, and is taken off (pivot_root(2), "pivot_root(".", ".")").
    if (read_only(root) != 0 || chdir(root) != 0 || syscall(SYS_pivot_root, ".", ".") != 0) return 1;
    return umount2(".", MNT_DETACH) == 0 && chdir("/") == 0 ? 0 : -1;
}

// At most `most`: a limit of this process that is narrower stays, and nobody but root could raise it (setrlimit(2)).
static int bound(int what, rlim_t most) {
    struct rlimit limit;
    if (getrlimit(what, &limit) != 0) return -1;
    if (limit.rlim_max < most) most = limit.rlim_max;
    limit = (struct rlimit){most, most};
    return setrlimit(what, &limit);
}

// What nearly every machine has, and no program needs that is confined. A bit for each that can be opened.
static unsigned known_files(void) {
    static const char *const known[] = {"/etc/passwd", "/proc/self/status", "/proc", "/tmp", "/home"};
    unsigned found = 0;
    for (unsigned index = 0; index < sizeof known / sizeof *known; index++) {
        int file = open(known[index], O_RDONLY | O_NONBLOCK | O_CLOEXEC);
        if (file < 0) continue;
        close(file);
        found |= 1U << index;
    }
    return found;
}

static int has_sockets(void) {
    static const int families[] = {AF_UNIX, AF_INET, AF_INET6, AF_NETLINK};
    for (unsigned index = 0; index < sizeof families / sizeof *families; index++) {
        int made = socket(families[index], SOCK_RAW | SOCK_CLOEXEC, 0);
        if (made < 0) made = socket(families[index], SOCK_DGRAM | SOCK_CLOEXEC, 0);
        if (made < 0) continue;
        close(made);
        return 1;
    }
    return 0;
}

// A signal to itself, which nobody is refused who may send signals, and the keyring of its session (keyctl(2),
// KEYCTL_GET_KEYRING_ID of KEY_SPEC_SESSION_KEYRING): a namespace does not keep the keys of the user from a program.
static int reaches_others(void) {
    // Not kill(3): what a sanitizer puts before it asks for memory, and the bound of the memory is there already.
    return syscall(SYS_kill, (long)getpid(), 0L) == 0 || syscall(SYS_keyctl, 0L, -3L, 0L) >= 0;
}

// What the layers have not taken away. `known` is what could be opened before them: where that was nothing, nothing is
// proved.
static unsigned not_proved(unsigned known) {
    unsigned missing = 0;
    if (known == 0 || (known_files() & known) != 0) missing |= pavise_files;
    if (has_sockets()) missing |= pavise_network;
    if (reaches_others()) missing |= pavise_processes;
    return missing;
}

struct confined {
    const char *path;
    char *const *words;
    const char *const *readable;
    const char *root;
    int input, output;
    struct pavise_bounds bounds;
    unsigned layers;
};

// In the child, between fork and execve: system calls alone. Every layer is taken that there is; whether they are enough
// is what the child tries then. Returns what is missing, or 0 where it did not come that far.
static unsigned become(const struct confined *what, int is_apart) {
    static char *const environment[] = {"PATH=/usr/bin", "LC_ALL=C.UTF-8", NULL};
    struct pavise_bounds bounds = what->bounds;
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    int nowhere = open("/dev/null", O_WRONLY);
    if (nowhere < 0 || dup2(what->input, 0) < 0 || dup2(what->output, 1) < 0 || dup2(nowhere, 2) < 0) return 0;
    // What has its number already, where this process has no standard input, would close with execve (dup2(2)).
    if (fcntl(0, F_SETFD, 0) != 0 || fcntl(1, F_SETFD, 0) != 0) return 0;
    if (syscall(SYS_close_range, 3, ~0U, 0) != 0) return 0;
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) return 0;
    if (bound(RLIMIT_AS, bounds.memory) != 0 || bound(RLIMIT_CPU, bounds.seconds) != 0 || bound(RLIMIT_CORE, 0) != 0 ||
        bound(RLIMIT_FSIZE, 0) != 0 || bound(RLIMIT_NOFILE, 64) != 0) return 0;
    unsigned known = known_files();
    if (is_apart && *what->root && own_root(what->root, what->readable) < 0) return 0;
    if (what->layers & pavise_no_rights) (void)prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (what->layers & pavise_landlock) (void)landlock(what->readable);
    // Asked before the filter, which has no such call: it cannot be taken back (prctl(2)).
    unsigned missing = prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1 ? 0 : pavise_rights;
    if (what->layers & pavise_filter) (void)filter(what->path);
    missing |= not_proved(known);
    if (missing != 0) return missing;
    execve(what->path, what->words, environment);
    return 0;
}

enum { apart = CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC };

// As fork(2), in namespaces of its own where `flags` has them: the child is the first process there. It may make system
// calls alone.
static pid_t divide(unsigned long flags) { return (pid_t)syscall(SYS_clone, flags | SIGCHLD, 0L, 0L, 0L, 0L); }

// Asked in a child of its own: a service's filter may end whoever mounts (systemd.exec(5), SystemCallFilter=), and no
// core file of this process's memory is to be left of that.
static int offers_namespaces(void) {
    pid_t child = divide(apart);
    if (child < 0) return 0;
    if (child == 0) {
        int is_private = prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0 && mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0;
        _exit(is_private ? 0 : 1);
    }
    int status = 0;
    pid_t ended;
    do ended = waitpid(child, &status, 0);
    while (ended < 0 && errno == EINTR);
    return ended == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

unsigned pavise_confinement(void) {
    return (prctl(PR_GET_SECCOMP, 0, 0, 0, 0) >= 0 ? pavise_filter : 0) |
           (landlock_version() >= 1 ? pavise_landlock : 0) | (offers_namespaces() ? pavise_namespaces : 0) |
           pavise_no_rights;
}

int pavise_start_confined(const char *path, char *const *words, const char *const *readable, const char *root, int input,
                          int output, struct pavise_bounds bounds, unsigned layers) {
    struct confined what = {path, words, readable, root, input, output, bounds, layers};
    int is_apart = (layers & pavise_namespaces) != 0 && offers_namespaces();
    pid_t child = is_apart ? divide(apart) : -1;
    if (child < 0) {
        // None here, or no more of them.
        is_apart = 0;
        child = fork();
    }
    if (child != 0) return child < 0 ? -errno : child;
    _exit(pavise_not_confined | (int)become(&what, is_apart));
}
#endif
#else
unsigned pavise_confinement(void) { return 0; }
int pavise_make_root(char *root, const char *const *readable) {
    (void)root, (void)readable;
    return ENOSYS;
}
void pavise_remove_root(const char *root, const char *const *readable) { (void)root, (void)readable; }
int pavise_start_confined(const char *path, char *const *words, const char *const *readable, const char *root, int input,
                          int output, struct pavise_bounds bounds, unsigned layers) {
    (void)path, (void)words, (void)readable, (void)root, (void)input, (void)output, (void)bounds, (void)layers;
    return -ENOSYS;
}
#endif
