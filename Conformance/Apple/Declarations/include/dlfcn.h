// Declarations of ours; see darwin.h.
// Pages: man 3 and the name.
#pragma once
#include "_types.h"
#define RTLD_LAZY 1
#define RTLD_NOW 2
void *_Nullable dlopen(const char *_Nullable path, int mode);
void *_Nullable dlsym(void *_Nullable handle, const char *name);
int dlclose(void *handle);
