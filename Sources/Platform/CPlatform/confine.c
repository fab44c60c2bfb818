#define _GNU_SOURCE
#include "CPavisePlatform.h"
#include <errno.h>
#if defined(__linux__)
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define PAVISE_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define PAVISE_ARCH AUDIT_ARCH_AARCH64
#endif

#ifndef PAVISE_ARCH
int pavise_confinement(void) { return 0; }
int pavise_start_confined(const char *path, char *const *words, const char *const *readable, int input, int output,
                          struct pavise_bounds bounds) {
    (void)path, (void)words, (void)readable, (void)input, (void)output, (void)bounds;
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

static int bound(int what, rlim_t most) {
    struct rlimit limit = {most, most};
    return setrlimit(what, &limit);
}

// In the child, between fork and execve: system calls alone.
static void become(const char *path, char *const *words, const char *const *readable, int input, int output,
                   struct pavise_bounds bounds) {
    static char *const environment[] = {"PATH=/usr/bin", "LC_ALL=C.UTF-8", NULL};
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    int nowhere = open("/dev/null", O_WRONLY);
    if (nowhere < 0 || dup2(input, 0) < 0 || dup2(output, 1) < 0 || dup2(nowhere, 2) < 0) return;
    if (syscall(SYS_close_range, 3, ~0U, 0) != 0) return;
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return;
    if (bound(RLIMIT_AS, bounds.memory) != 0 || bound(RLIMIT_CPU, bounds.seconds) != 0 || bound(RLIMIT_CORE, 0) != 0 ||
        bound(RLIMIT_FSIZE, 0) != 0 || bound(RLIMIT_NOFILE, 64) != 0) return;
    // A network of its own with nothing in it, where the machine gives one: the filter has no socket anyway.
    (void)!unshare(CLONE_NEWUSER | CLONE_NEWNET | CLONE_NEWIPC);
    if (landlock(readable) != 0 || filter(path) != 0) return;
    execve(path, words, environment);
}

int pavise_confinement(void) {
    return landlock_version() >= 1 && prctl(PR_GET_SECCOMP, 0, 0, 0, 0) >= 0;
}

int pavise_start_confined(const char *path, char *const *words, const char *const *readable, int input, int output,
                          struct pavise_bounds bounds) {
    pid_t child = fork();
    if (child != 0) return child < 0 ? -errno : child;
    become(path, words, readable, input, output, bounds);
    _exit(pavise_not_confined);
}
#endif
#else
int pavise_confinement(void) { return 0; }
int pavise_start_confined(const char *path, char *const *words, const char *const *readable, int input, int output,
                          struct pavise_bounds bounds) {
    (void)path, (void)words, (void)readable, (void)input, (void)output, (void)bounds;
    return -ENOSYS;
}
#endif
