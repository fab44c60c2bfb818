// Declarations of ours; see darwin.h.
// Pages: man 2 and man 3 and the name.
#pragma once
#include "_types.h"
#define F_OK 0
#define X_OK 1
#define W_OK 2
#define R_OK 4
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
#define _SC_NPROCESSORS_ONLN 58
#define _SC_PAGESIZE 29
int access(const char *path, int mode);
int close(int descriptor);
int dup(int descriptor);
int dup2(int from, int to);
int fsync(int descriptor);
void sync(void);
int ftruncate(int descriptor, off_t length);
int truncate(const char *path, off_t length);
int link(const char *path, const char *target);
int linkat(int from, const char *path, int to, const char *target, int flags);
int symlink(const char *path, const char *target);
int unlink(const char *path);
int unlinkat(int directory, const char *path, int flags);
int rmdir(const char *path);
int chown(const char *path, uid_t owner, gid_t group);
int lchown(const char *path, uid_t owner, gid_t group);
int pause(void);
int isatty(int descriptor);
int pipe(int descriptors[_Nonnull 2]);
off_t lseek(int descriptor, off_t offset, int whence);
ssize_t read(int descriptor, void *bytes, size_t count);
ssize_t write(int descriptor, const void *bytes, size_t count);
ssize_t pread(int descriptor, void *bytes, size_t count, off_t offset);
ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset);
ssize_t readlink(const char *path, char *target, size_t size);
uid_t getuid(void);
uid_t geteuid(void);
gid_t getgid(void);
gid_t getegid(void);
pid_t getpid(void);
pid_t getppid(void);
pid_t getsid(pid_t pid);
int usleep(useconds_t microseconds);
long sysconf(int name);
int issetugid(void);
void _exit(int status) __attribute__((noreturn));
