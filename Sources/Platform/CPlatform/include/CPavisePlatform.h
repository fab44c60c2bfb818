// What Swift cannot import from the C library. One function, one comment, one errno.
#pragma once
#include <stddef.h>
#include <stdint.h>

/// Fills `count` bytes from the kernel's random generator. Blocks only before the pool is first seeded.
/// Returns 0, or the errno of getrandom(2).
int pavise_random(void *bytes, size_t count);

/// Forbids core files and tracing by other processes of the same user (PR_SET_DUMPABLE 0). Returns 0 or errno.
int pavise_forbid_core_files(void);

/// Opens a file below a directory descriptor; `open` is variadic. Returns a descriptor, or -errno.
int pavise_open(const char *path, int flags, unsigned int mode);

/// fcntl with an int argument; variadic. Returns the result, or -errno.
int pavise_fcntl_int(int descriptor, int command, int value);

/// Accepts a connection, close-on-exec from the start; accept4 needs _GNU_SOURCE. Returns a descriptor, or -1 with errno set.
int pavise_accept(int listener);

/// Gives the signals of a crash their default action again. The Swift runtime catches them to print a report, and with it
/// the memory that the registers point to.
void pavise_forbid_crash_reports(void);
