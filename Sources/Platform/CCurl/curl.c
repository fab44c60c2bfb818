#include "CPaviseCurl.h"
#include <dlfcn.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

struct pavise_curl_functions pavise_curl_functions;

// libcurl's memory: the request with its credential, the answer, everything is overwritten when libcurl lets go of it.
static void *wiping_malloc(size_t size) { return malloc(size); }
static void *wiping_calloc(size_t count, size_t size) { return calloc(count, size); }
static char *wiping_strdup(const char *text) { return strdup(text); }
static void wiping_free(void *memory) {
    if (memory) explicit_bzero(memory, malloc_usable_size(memory));
    free(memory);
}
static void *wiping_realloc(void *memory, size_t size) {
    if (!memory) return malloc(size);
    size_t old = malloc_usable_size(memory);
    if (size && size <= old) return memory;
    void *moved = size ? malloc(size) : NULL;
    if (size && !moved) return NULL;
    if (moved) memcpy(moved, memory, old);
    wiping_free(memory);
    return moved;
}

CURLcode pavise_curl_init(void) {
    // It stays: handles and threads of libcurl may outlive every caller.
    void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!library) return CURLE_FAILED_INIT;
    struct pavise_curl_functions found = {
        .easy_init = (__typeof__(found.easy_init))dlsym(library, "curl_easy_init"),
        .easy_cleanup = (__typeof__(found.easy_cleanup))dlsym(library, "curl_easy_cleanup"),
        .easy_pause = (__typeof__(found.easy_pause))dlsym(library, "curl_easy_pause"),
        .easy_setopt = (__typeof__(found.easy_setopt))dlsym(library, "curl_easy_setopt"),
        .easy_getinfo = (__typeof__(found.easy_getinfo))dlsym(library, "curl_easy_getinfo"),
        .multi_init = (__typeof__(found.multi_init))dlsym(library, "curl_multi_init"),
        .multi_cleanup = (__typeof__(found.multi_cleanup))dlsym(library, "curl_multi_cleanup"),
        .multi_add_handle = (__typeof__(found.multi_add_handle))dlsym(library, "curl_multi_add_handle"),
        .multi_remove_handle = (__typeof__(found.multi_remove_handle))dlsym(library, "curl_multi_remove_handle"),
        .multi_info_read = (__typeof__(found.multi_info_read))dlsym(library, "curl_multi_info_read"),
        .multi_socket_action = (__typeof__(found.multi_socket_action))dlsym(library, "curl_multi_socket_action"),
        .multi_assign = (__typeof__(found.multi_assign))dlsym(library, "curl_multi_assign"),
        .multi_setopt = (__typeof__(found.multi_setopt))dlsym(library, "curl_multi_setopt"),
    };
    __typeof__(&curl_global_init_mem) start = (__typeof__(start))dlsym(library, "curl_global_init_mem");
    void *const *each = (void *const *)&found;
    for (size_t index = 0; index < sizeof found / sizeof *each; index++) {
        if (!each[index]) return CURLE_FAILED_INIT;
    }
    if (!start) return CURLE_FAILED_INIT;
    pavise_curl_functions = found;
    return start(CURL_GLOBAL_DEFAULT, wiping_malloc, wiping_free, wiping_realloc, wiping_strdup, wiping_calloc);
}
