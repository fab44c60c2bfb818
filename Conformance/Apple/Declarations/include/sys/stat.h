// Declarations of ours; see darwin.h.
// Pages: man 2 and the name.
#pragma once
#include "../_types.h"
struct stat {
    dev_t st_dev;
    mode_t st_mode;
    nlink_t st_nlink;
    ino_t st_ino;
    uid_t st_uid;
    gid_t st_gid;
    dev_t st_rdev;
    struct timespec st_atimespec, st_mtimespec, st_ctimespec, st_birthtimespec;
    off_t st_size;
    blkcnt_t st_blocks;
    blksize_t st_blksize;
    uint32_t st_flags, st_gen;
    int st_lspare;
    long long st_qspare[2];
};
#define S_IFMT ((mode_t)0170000)
#define S_IFIFO ((mode_t)0010000)
#define S_IFCHR ((mode_t)0020000)
#define S_IFDIR ((mode_t)0040000)
#define S_IFBLK ((mode_t)0060000)
#define S_IFREG ((mode_t)0100000)
#define S_IFLNK ((mode_t)0120000)
#define S_IFSOCK ((mode_t)0140000)
#define S_ISVTX ((mode_t)0001000)
#define S_IRWXU ((mode_t)0000700)
#define S_IRWXG ((mode_t)0000070)
#define S_IRWXO ((mode_t)0000007)
#define S_IWGRP ((mode_t)0000020)
#define S_IWOTH ((mode_t)0000002)
int stat(const char *path, struct stat *status);
int lstat(const char *path, struct stat *status);
int fstat(int descriptor, struct stat *status);
int fstatat(int directory, const char *path, struct stat *status, int flags);
int mkdir(const char *path, mode_t mode);
int mkdirat(int folder, const char *path, mode_t mode);
int chmod(const char *path, mode_t mode);
int fchmod(int descriptor, mode_t mode);
mode_t umask(mode_t mask);
int mkfifo(const char *path, mode_t mode);
