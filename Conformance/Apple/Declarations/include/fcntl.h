// Declarations of ours; see darwin.h.
// Pages: man 2 and the name.
#pragma once
#include "_types.h"
#define O_RDONLY 0x0000
#define O_WRONLY 0x0001
#define O_RDWR 0x0002
#define O_NONBLOCK 0x0004
#define O_APPEND 0x0008
#define O_NOFOLLOW 0x0100
#define O_CREAT 0x0200
#define O_TRUNC 0x0400
#define O_EXCL 0x0800
#define O_DIRECTORY 0x100000
#define O_NOCTTY 0x20000
#define O_EVTONLY 0x8000
#define O_CLOEXEC 0x1000000
#define F_DUPFD 0
#define F_GETFD 1
#define F_SETFD 2
#define F_GETFL 3
#define F_SETFL 4
#define F_SETLK 8
#define F_FULLFSYNC 51
#define F_BARRIERFSYNC 85
#define F_DUPFD_CLOEXEC 67
#define FD_CLOEXEC 1
#define LOCK_SH 1
#define LOCK_EX 2
#define LOCK_NB 4
#define LOCK_UN 8
#define AT_FDCWD (-2)
#define AT_SYMLINK_NOFOLLOW 0x0020
#define AT_REMOVEDIR 0x0080
int open(const char *path, int flags, ...);
int openat(int directory, const char *path, int flags, ...);
int fcntl(int descriptor, int command, ...);
int flock(int descriptor, int operation);
