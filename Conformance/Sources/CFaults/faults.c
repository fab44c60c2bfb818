#define _GNU_SOURCE
#include "faults.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// libc's own function, looked up once.
#define REAL(name) ({ static void *found; if (!found) found = real(#name); (__typeof__(&name))found; })
#define PATHS 4096
#define FILES 1024

static char root[PATHS], shadow[PATHS], shadow_root[PATHS], hit[PATHS];
static enum faults_kind kind;
static int error_code, counts_reads, armed, busy;
static long seen, nth, times;
static char of_interest[FILES];

static void *real(const char *name) {
    void *found = dlsym(RTLD_NEXT, name);
    if (!found) abort();
    return found;
}

static int below(const char *folder, const char *path) {
    size_t length = strlen(folder);
    return length > 0 && path && strncmp(path, folder, length) == 0;
}

static int tracked(int fd) { return fd >= 0 && fd < FILES && of_interest[fd]; }

static void track(int fd, const char *path) {
    if (fd >= 0 && fd < FILES) of_interest[fd] = below(root, path) || below(shadow_root, path);
}

static void name_of(int fd, char *name) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t count = readlink(link, name, PATHS - 1);
    name[count < 0 ? 0 : count] = 0;
}

// Whether this call meets the fault. A kill does not come back, unless a write is to be torn first.
static int meets(const char *call, const char *path, int fd, int changes, int is_write) {
    if (!armed || busy || !(changes || counts_reads)) return 0;
    if (path ? !below(root, path) : !tracked(fd)) return 0;
    if (kind == FAULTS_SHORT && !is_write) return 0;
    seen++;
    if (kind == FAULTS_COUNT || seen < nth || seen >= nth + times) return 0;
    if (!hit[0]) {
        char name[PATHS];
        if (path) snprintf(name, sizeof name, "%s", path); else name_of(fd, name);
        const char *last = strrchr(name, '/');
        snprintf(hit, sizeof hit, "%s %.200s", call, last ? last + 1 : name);
    }
    if (kind == FAULTS_KILL || (kind == FAULTS_TORN && !is_write)) raise(SIGKILL);
    errno = error_code;
    return 1;
}

// A full disk is in the way of a new file, not of one that is there.
static int creates(const char *path, int flags) {
    return flags & O_CREAT && !(error_code == ENOSPC && armed && REAL(access)(path, F_OK) == 0);
}

// The calls that name a file from an open folder on.
static const char *full(int folder, const char *path, char *name) {
    if (path[0] == '/' || folder == AT_FDCWD) return path;
    name_of(folder, name);
    size_t length = strlen(name);
    snprintf(name + length, PATHS - length, "/%s", path);
    return name;
}

// ---- What a loss of power leaves.

static void copy(const char *file, const char *to) {
    char bytes[65536];
    int from = REAL(open)(file, O_RDONLY);
    int target = REAL(open)(to, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    off_t at = 0;
    ssize_t count;
    while ((count = REAL(pread)(from, bytes, sizeof bytes, at)) > 0) {
        if (REAL(write)(target, bytes, count) != count) abort();
        at += count;
    }
    REAL(close)(target);
    REAL(close)(from);
}

// `d<inode>` holds a line "inode kind name" for each name of a folder, `f<inode>` the content of a file.
static void synced(int fd) {
    struct stat status;
    char target[PATHS + 64];
    if (!shadow[0] || !tracked(fd) || fstat(fd, &status) != 0) return;
    busy = 1;
    // An open file keeps its inode number from being used again.
    dup(fd);
    snprintf(target, sizeof target, "%s/%c%lu", shadow, S_ISDIR(status.st_mode) ? 'd' : 'f', (unsigned long)status.st_ino);
    if (S_ISDIR(status.st_mode)) {
        char path[PATHS];
        name_of(fd, path);
        DIR *folder = opendir(path);
        FILE *list = fopen(target, "w");
        struct dirent *entry;
        while (folder && list && (entry = readdir(folder)))
            if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, ".."))
                fprintf(list, "%lu %c %s\n", (unsigned long)entry->d_ino, entry->d_type == DT_DIR ? 'd' : 'f', entry->d_name);
        if (list) fclose(list);
        if (folder) closedir(folder);
    } else {
        char itself[64];
        snprintf(itself, sizeof itself, "/proc/self/fd/%d", fd);
        copy(itself, target);
    }
    busy = 0;
}

static void sync_all(const char *path) {
    int fd = REAL(open)(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return;
    track(fd, path);
    synced(fd);
    DIR *folder = opendir(path);
    struct dirent *entry;
    while (folder && (entry = readdir(folder))) {
        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..")) continue;
        char inner[PATHS];
        snprintf(inner, sizeof inner, "%s/%s", path, entry->d_name);
        sync_all(inner);
    }
    if (folder) closedir(folder);
    close(fd);
}

void faults_shadow(const char *from, const char *folder) {
    snprintf(shadow_root, sizeof shadow_root, "%s", from);
    snprintf(shadow, sizeof shadow, "%s", folder);
    sync_all(from);
}

// ---- The switch.

void faults_arm(const char *folder, enum faults_kind what, int error, long number, long repeats, int reads) {
    snprintf(root, sizeof root, "%s", folder);
    kind = what;
    error_code = error;
    nth = number;
    times = repeats;
    counts_reads = reads;
    seen = 0;
    hit[0] = 0;
    // Files that are open already.
    for (int fd = 0; fd < FILES; fd++) {
        char name[PATHS];
        name_of(fd, name);
        track(fd, name);
    }
    armed = 1;
}

long faults_disarm(void) {
    armed = 0;
    return seen;
}

const char *faults_hit(void) { return hit; }

// ---- The calls.

#define OPEN(name)                                                                       \
    int name(const char *path, int flags, ...) {                                         \
        va_list list;                                                                    \
        va_start(list, flags);                                                           \
        int mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(list, int) : 0;                \
        va_end(list);                                                                    \
        if (meets("open", path, -1, creates(path, flags), 0)) return -1;                      \
        int fd = REAL(name)(path, flags, mode);                                          \
        track(fd, path);                                                                 \
        return fd;                                                                       \
    }
OPEN(open)
OPEN(open64)

#define OPENAT(name)                                                                     \
    int name(int folder, const char *path, int flags, ...) {                             \
        va_list list;                                                                    \
        va_start(list, flags);                                                           \
        int mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(list, int) : 0;                \
        va_end(list);                                                                    \
        char whole[PATHS];                                                               \
        const char *at = full(folder, path, whole);                                      \
        if (meets("openat", at, -1, creates(at, flags), 0)) return -1;                   \
        int fd = REAL(name)(folder, path, flags, mode);                                  \
        track(fd, at);                                                                   \
        return fd;                                                                       \
    }
OPENAT(openat)
OPENAT(openat64)

int close(int fd) {
    if (fd >= 0 && fd < FILES) of_interest[fd] = 0;
    return REAL(close)(fd);
}

ssize_t read(int fd, void *bytes, size_t count) {
    return meets("read", 0, fd, 0, 0) ? -1 : REAL(read)(fd, bytes, count);
}
ssize_t pread(int fd, void *bytes, size_t count, off_t at) {
    return meets("pread", 0, fd, 0, 0) ? -1 : REAL(pread)(fd, bytes, count, at);
}
ssize_t pread64(int fd, void *bytes, size_t count, off64_t at) {
    return meets("pread64", 0, fd, 0, 0) ? -1 : REAL(pread64)(fd, bytes, count, at);
}

static ssize_t torn(ssize_t wrote) {
    if (kind == FAULTS_SHORT) return wrote;
    int code = errno = error_code;
    if (kind == FAULTS_TORN) raise(SIGKILL);
    errno = code;
    return -1;
}
ssize_t write(int fd, const void *bytes, size_t count) {
    if (!meets("write", 0, fd, 1, 1)) return REAL(write)(fd, bytes, count);
    return torn(REAL(write)(fd, bytes, kind == FAULTS_SHORT ? (count + 1) / 2 : count / 2));
}
ssize_t pwrite(int fd, const void *bytes, size_t count, off_t at) {
    if (!meets("pwrite", 0, fd, 1, 1)) return REAL(pwrite)(fd, bytes, count, at);
    return torn(REAL(pwrite)(fd, bytes, kind == FAULTS_SHORT ? (count + 1) / 2 : count / 2, at));
}
ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t at) {
    if (!meets("pwrite64", 0, fd, 1, 1)) return REAL(pwrite64)(fd, bytes, count, at);
    return torn(REAL(pwrite64)(fd, bytes, kind == FAULTS_SHORT ? (count + 1) / 2 : count / 2, at));
}

int fsync(int fd) {
    if (meets("fsync", 0, fd, 1, 0)) return -1;
    int code = REAL(fsync)(fd);
    if (code == 0) synced(fd);
    return code;
}
int fdatasync(int fd) {
    if (meets("fdatasync", 0, fd, 1, 0)) return -1;
    int code = REAL(fdatasync)(fd);
    if (code == 0) synced(fd);
    return code;
}
int ftruncate(int fd, off_t size) { return meets("ftruncate", 0, fd, 1, 0) ? -1 : REAL(ftruncate)(fd, size); }
int ftruncate64(int fd, off64_t size) { return meets("ftruncate", 0, fd, 1, 0) ? -1 : REAL(ftruncate64)(fd, size); }
int posix_fallocate(int fd, off_t from, off_t count) {
    return meets("posix_fallocate", 0, fd, 1, 0) ? errno : REAL(posix_fallocate)(fd, from, count);
}

int rename(const char *from, const char *to) { return meets("rename", to, -1, 1, 0) ? -1 : REAL(rename)(from, to); }
int link(const char *from, const char *to) { return meets("link", to, -1, 1, 0) ? -1 : REAL(link)(from, to); }
int unlink(const char *path) { return meets("unlink", path, -1, 1, 0) ? -1 : REAL(unlink)(path); }
int mkdir(const char *path, mode_t mode) { return meets("mkdir", path, -1, 1, 0) ? -1 : REAL(mkdir)(path, mode); }
int rmdir(const char *path) { return meets("rmdir", path, -1, 1, 0) ? -1 : REAL(rmdir)(path); }
int chmod(const char *path, mode_t mode) { return meets("chmod", path, -1, 1, 0) ? -1 : REAL(chmod)(path, mode); }
int fchmod(int fd, mode_t mode) { return meets("fchmod", 0, fd, 1, 0) ? -1 : REAL(fchmod)(fd, mode); }

#define MEETS_AT(call, folder, path) ({ char name_[PATHS]; meets(call, full(folder, path, name_), -1, 1, 0); })
int unlinkat(int folder, const char *path, int flags) {
    return MEETS_AT("unlinkat", folder, path) ? -1 : REAL(unlinkat)(folder, path, flags);
}
int mkdirat(int folder, const char *path, mode_t mode) {
    return MEETS_AT("mkdirat", folder, path) ? -1 : REAL(mkdirat)(folder, path, mode);
}
int renameat(int from, const char *path, int to, const char *target) {
    return MEETS_AT("renameat", to, target) ? -1 : REAL(renameat)(from, path, to, target);
}
int renameat2(int from, const char *path, int to, const char *target, unsigned flags) {
    return MEETS_AT("renameat2", to, target) ? -1 : REAL(renameat2)(from, path, to, target, flags);
}
int linkat(int from, const char *path, int to, const char *target, int flags) {
    return MEETS_AT("linkat", to, target) ? -1 : REAL(linkat)(from, path, to, target, flags);
}
int access(const char *path, int mode) { return meets("access", path, -1, 0, 0) ? -1 : REAL(access)(path, mode); }
