// Loaded before a program that was built with the thread sanitizer (LD_PRELOAD), so that it sees the lock of Synchronization.Mutex.
//
// Where nobody waits, the lock is an atomic in the program's own code, which the sanitizer sees. Where somebody waits, the kernel
// hands it on inside Swift's library, which nothing instruments: what the Mutex guards was then reported as a race. Here these two
// calls tell the sanitizer what they mean. Compiled by the toolchain's clang, because the functions are Swift's.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *mutex
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

// The sanitizer's own; not there in a program without it.
__attribute__((weak)) void __tsan_acquire(void *address);
__attribute__((weak)) void __tsan_release(void *address);

static SWIFT void (*library_lock)(uint32_t thread, SELF);
static SWIFT _Bool (*library_try)(SELF);
static SWIFT void (*library_unlock)(SELF);

__attribute__((constructor)) static void find(void) {
    library_lock = dlsym(RTLD_NEXT, LOCK);
    library_try = dlsym(RTLD_NEXT, TRY);
    library_unlock = dlsym(RTLD_NEXT, UNLOCK);
}

SWIFT void lock_slowly(uint32_t thread, SELF) __asm__(LOCK);
SWIFT void lock_slowly(uint32_t thread, SELF) {
    library_lock(thread, mutex);
    if (__tsan_acquire) __tsan_acquire(mutex);
}

SWIFT _Bool try_slowly(SELF) __asm__(TRY);
SWIFT _Bool try_slowly(SELF) {
    _Bool taken = library_try(mutex);
    if (taken && __tsan_acquire) __tsan_acquire(mutex);
    return taken;
}

SWIFT void unlock_slowly(SELF) __asm__(UNLOCK);
SWIFT void unlock_slowly(SELF) {
    if (__tsan_release) __tsan_release(mutex);
    library_unlock(mutex);
}
