#include "CPavisePlatform.h"

#ifdef __linux__
#include <dlfcn.h>
#include <pthread.h>

// libpsl, which libcurl brings along. It is opened with the first name that needs it: it reads a list of its own, and a program
// that checks no wildcard has no use for that.
static struct {
    void *(*latest)(const char *);
    void *(*load_file)(const char *);
    void (*let_go)(void *);
    int (*is_public_suffix)(const void *, const char *, int);
    const char *(*version)(void);
} psl;
static int is_there;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void find(void) {
    void *library = dlopen("libpsl.so.5", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!library) return;
    psl.latest = (__typeof__(psl.latest))dlsym(library, "psl_latest");
    psl.load_file = (__typeof__(psl.load_file))dlsym(library, "psl_load_file");
    psl.let_go = (__typeof__(psl.let_go))dlsym(library, "psl_free");
    psl.is_public_suffix = (__typeof__(psl.is_public_suffix))dlsym(library, "psl_is_public_suffix2");
    psl.version = (__typeof__(psl.version))dlsym(library, "psl_get_version");
    is_there = psl.latest && psl.load_file && psl.let_go && psl.is_public_suffix && psl.version;
}

void *pavise_suffixes_open(const char *path) {
    pthread_once(&once, find);
    if (!is_there) return NULL;
    return path ? psl.load_file(path) : psl.latest(NULL);
}

void pavise_suffixes_close(void *list) { psl.let_go(list); }

// PSL_TYPE_ICANN of libpsl.h.
int pavise_suffixes_contain(const void *list, const char *name) { return psl.is_public_suffix(list, name, 1 << 0); }

const char *pavise_suffixes_version(void) { return psl.version(); }
#else
void *pavise_suffixes_open(const char *path) { return (void)path, (void *)0; }
void pavise_suffixes_close(void *list) { (void)list; }
int pavise_suffixes_contain(const void *list, const char *name) { return (void)list, (void)name, 0; }
const char *pavise_suffixes_version(void) { return ""; }
#endif
