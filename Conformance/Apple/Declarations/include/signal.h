// Declarations of ours; see darwin.h.
// Pages: man 2 and man 3 and the name.
#pragma once
#include "_types.h"
#define SIGINT 2
#define SIGQUIT 3
#define SIGILL 4
#define SIGTRAP 5
#define SIGABRT 6
#define SIGFPE 8
#define SIGKILL 9
#define SIGBUS 10
#define SIGSEGV 11
#define SIGPIPE 13
#define SIGALRM 14
#define SIGTERM 15
#define SIGSTOP 17
#define SIGTSTP 18
#define SIGCONT 19
#define SIGCHLD 20
#define SIGXFSZ 25
#define SIGHUP 1
#define SIG_BLOCK 1
#define SIG_UNBLOCK 2
#define SIG_SETMASK 3
#define SA_RESTART 0x0002
#define SA_RESETHAND 0x0004
#define WNOHANG 1
struct __siginfo;
struct sigaction {
    union {
        void (*_Nullable __sa_handler)(int);
        void (*_Nullable __sa_sigaction)(int, struct __siginfo *_Nullable, void *_Nullable);
    } __sigaction_u;
    sigset_t sa_mask;
    int sa_flags;
};
#define sa_handler __sigaction_u.__sa_handler
#define SIG_DFL ((void (*)(int))0)
#define SIG_IGN ((void (*)(int))1)
typedef void (*sig_t)(int);
sig_t _Nullable signal(int number, sig_t _Nullable handler);
int sigaction(int number, const struct sigaction *_Nullable action, struct sigaction *_Nullable old);
int sigemptyset(sigset_t *set);
int sigaddset(sigset_t *set, int number);
int sigprocmask(int how, const sigset_t *_Nullable set, sigset_t *_Nullable old);
int pthread_sigmask(int how, const sigset_t *_Nullable set, sigset_t *_Nullable old);
int kill(pid_t pid, int number);
int raise(int number);
pid_t waitpid(pid_t pid, int *_Nullable status, int options);
typedef void *posix_spawn_file_actions_t;
typedef void *posix_spawnattr_t;
#define POSIX_SPAWN_CLOEXEC_DEFAULT 0x4000
#define POSIX_SPAWN_SETSIGDEF 0x0004
#define POSIX_SPAWN_SETSIGMASK 0x0008
int posix_spawn(
    pid_t *_Nullable pid, const char *path, const posix_spawn_file_actions_t _Nullable *_Nullable actions,
    const posix_spawnattr_t _Nullable *_Nullable attributes, char *_Nullable const *_Nonnull arguments,
    char *_Nullable const *_Nullable environment);
int posix_spawnp(
    pid_t *_Nullable pid, const char *file, const posix_spawn_file_actions_t _Nullable *_Nullable actions,
    const posix_spawnattr_t _Nullable *_Nullable attributes, char *_Nullable const *_Nonnull arguments,
    char *_Nullable const *_Nullable environment);
int posix_spawn_file_actions_init(posix_spawn_file_actions_t _Nullable *_Nonnull actions);
int posix_spawn_file_actions_destroy(posix_spawn_file_actions_t _Nullable *_Nonnull actions);
int posix_spawn_file_actions_addopen(
    posix_spawn_file_actions_t _Nullable *_Nonnull actions, int descriptor, const char *path, int flags, mode_t mode);
int posix_spawn_file_actions_adddup2(posix_spawn_file_actions_t _Nullable *_Nonnull actions, int from, int to);
int posix_spawn_file_actions_addclose(posix_spawn_file_actions_t _Nullable *_Nonnull actions, int descriptor);
int posix_spawn_file_actions_addinherit_np(posix_spawn_file_actions_t _Nullable *_Nonnull actions, int descriptor);
int posix_spawnattr_init(posix_spawnattr_t _Nullable *_Nonnull attributes);
int posix_spawnattr_destroy(posix_spawnattr_t _Nullable *_Nonnull attributes);
int posix_spawnattr_setflags(posix_spawnattr_t _Nullable *_Nonnull attributes, short flags);
