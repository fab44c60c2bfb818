// Declarations of ours; see darwin.h.
// Pages: man 2 rename.
#pragma once
#include "_types.h"
int rename(const char *path, const char *target);
int renameat(int from, const char *path, int to, const char *target);
int renamex_np(const char *path, const char *target, unsigned int flags);
#define RENAME_SWAP 0x00000002
#define RENAME_EXCL 0x00000004
int renameatx_np(int from, const char *path, int to, const char *target, unsigned int flags);
