#include "CPavisePlatform.h"
#include <errno.h>

#ifdef __linux__
#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

// libidn2, which libcurl and libpsl bring along. It is opened with the first name that needs it.
static struct {
    int (*lookup)(const uint8_t *, uint8_t **, int);
    void (*let_go)(void *);
} idn;
static int is_there;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void find(void) {
    void *library = dlopen("libidn2.so.0", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!library) return;
    idn.lookup = (__typeof__(idn.lookup))dlsym(library, "idn2_lookup_u8");
    idn.let_go = (__typeof__(idn.let_go))dlsym(library, "idn2_free");
    is_there = idn.lookup && idn.let_go;
}

int pavise_name_ascii(const char *name, char *ascii, size_t room) {
    // IDN2_NFC_INPUT and IDN2_NONTRANSITIONAL of idn2.h: UTS 46 as browsers have it, where ß stays a letter of its own.
    enum { flags = 1 | 8 };
    pthread_once(&once, find);
    if (!is_there) return ENOSYS;
    uint8_t *made = NULL;
    if (idn.lookup((const uint8_t *)name, &made, flags) != 0) return EINVAL;
    size_t count = strlen((char *)made) + 1;
    int code = count <= room ? 0 : ENAMETOOLONG;
    if (!code) memcpy(ascii, made, count);
    idn.let_go(made);
    return code;
}
#else
int pavise_name_ascii(const char *name, char *ascii, size_t room) { return (void)name, (void)ascii, (void)room, ENOSYS; }
#endif
