// Declarations of ours; see darwin.h.
// Pages: man 2 and man 3 and the name.
#pragma once
#include "_types.h"
typedef enum : unsigned int {
    CLOCK_REALTIME = 0,
    CLOCK_MONOTONIC = 6,
    CLOCK_MONOTONIC_RAW = 4,
    CLOCK_UPTIME_RAW = 8,
    CLOCK_PROCESS_CPUTIME_ID = 12,
    CLOCK_THREAD_CPUTIME_ID = 16
} clockid_t;
int clock_gettime(clockid_t clock, struct timespec *time);
int nanosleep(const struct timespec *time, struct timespec *_Nullable rest);
time_t time(time_t *_Nullable now);
int sysctlbyname(
    const char *name, void *_Nullable old, size_t *_Nullable oldSize, void *_Nullable new_, size_t newSize);
int gettimeofday(struct timeval *_Nullable time, void *_Nullable zone);
