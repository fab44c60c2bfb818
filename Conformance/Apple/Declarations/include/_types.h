// Declarations of ours; see darwin.h.
// Pages: man 5 types; POSIX.1-2017, sys/types.h.
#pragma once
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Types: their widths on 64-bit Darwin.
typedef long ssize_t;
typedef long long off_t;
typedef int pid_t;
typedef unsigned int uid_t;
typedef unsigned int gid_t;
typedef unsigned short mode_t;
typedef unsigned short nlink_t;
typedef int dev_t;
typedef unsigned long long ino_t;
typedef int blksize_t;
typedef long long blkcnt_t;
typedef long time_t;
typedef int suseconds_t;
typedef unsigned int socklen_t;
typedef unsigned char sa_family_t;
typedef unsigned int in_addr_t;
typedef unsigned short in_port_t;
typedef unsigned int nfds_t;
typedef unsigned int sigset_t;
typedef unsigned int useconds_t;
typedef unsigned int mach_port_t;
typedef int kern_return_t;
typedef int integer_t;
typedef unsigned int natural_t;
typedef unsigned char u_int8_t;
typedef unsigned short u_int16_t;
typedef unsigned int u_int32_t;
typedef unsigned long long u_int64_t;

struct timespec { time_t tv_sec; long tv_nsec; };
struct timeval { time_t tv_sec; suseconds_t tv_usec; };
