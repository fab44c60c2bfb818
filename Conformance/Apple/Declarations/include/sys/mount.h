// Declarations of ours; see darwin.h.
// Pages: man 2 statfs.
#pragma once
#include "../sys/xattr.h"
#define MNT_RDONLY 0x00000001
struct statfs { uint32_t f_flags; };
int statfs(const char *_Nonnull path, struct statfs *_Nonnull facts);
