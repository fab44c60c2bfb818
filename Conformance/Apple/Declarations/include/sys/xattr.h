// Declarations of ours; see darwin.h.
// Pages: man 2 and the name.
#pragma once
#include "../_types.h"
ssize_t getxattr(const char *path, const char *name, void *_Nullable value, size_t size, uint32_t position, int options);
int setxattr(const char *path, const char *name, const void *_Nullable value, size_t size, uint32_t position, int options);
