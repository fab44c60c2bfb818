// Declarations of ours; see darwin.h.
// Pages: man 2 getrlimit; POSIX.1-2017, sched_yield.
#pragma once
#include "../_types.h"
typedef unsigned long long rlim_t;
struct rlimit { rlim_t rlim_cur, rlim_max; };
#define RLIMIT_FSIZE 1
#define RLIMIT_CORE 4
#define RLIMIT_NOFILE 8
#define RLIMIT_MEMLOCK 6
int getrlimit(int resource, struct rlimit *limit);
int setrlimit(int resource, const struct rlimit *limit);
int sched_yield(void);
