// Declarations of ours; see darwin.h.
// Pages: man 2 and the name.
#pragma once
#include "../_types.h"
#define PROT_NONE 0
#define PROT_READ 1
#define PROT_WRITE 2
#define MAP_SHARED 0x0001
#define MAP_PRIVATE 0x0002
#define MAP_ANON 0x1000
#define MAP_ANONYMOUS MAP_ANON
#define MADV_ZERO_WIRED_PAGES 6
#define MADV_FREE 5
#define MAP_FAILED ((void *)-1)
void *_Null_unspecified mmap(void *_Nullable address, size_t length, int protection, int flags, int descriptor, off_t offset);
int munmap(void *address, size_t length);
int mprotect(void *address, size_t length, int protection);
int madvise(void *address, size_t length, int advice);
int mlock(const void *address, size_t length);
int munlock(const void *address, size_t length);
int minherit(void *address, size_t length, int inherit);
int msync(void *address, size_t length, int flags);
