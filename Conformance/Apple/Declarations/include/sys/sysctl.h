// Declarations of ours; see darwin.h.
// Pages: man 3 sysctl; Apple's Technical Q&A QA1361.
#pragma once
#include "../time.h"
#include "../unistd.h"
#define CTL_KERN 1
#define KERN_PROC 14
#define KERN_PROC_PID 1
#define P_TRACED 0x00000800
struct extern_proc { int p_flag; };
struct kinfo_proc { struct extern_proc kp_proc; };
int sysctl(
    int *_Nonnull name, unsigned int count, void *_Nullable old, size_t *_Nullable old_size, void *_Nullable new_value,
    size_t new_size);
