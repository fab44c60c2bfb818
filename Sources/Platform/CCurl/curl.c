#include "CPaviseCurl.h"
#include <dlfcn.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct pavise_curl_functions pavise_curl_functions;

// libcurl's memory: the request with its credential, the answer, everything is overwritten when libcurl lets go of it.
//
// Each transfer takes and gives back buffers of 16 KiB. Some of them stay here, wiped: the C library would join and cut its free
// memory anew for each. Whoever finds another thread here takes the long way. A tool that looks for errors in the use of memory
// has to see each block go.
enum { kept_least = 16 << 10, kept_size = (16 << 10) + 64, kept_most = 32 };
static atomic_flag kept_is_taken = ATOMIC_FLAG_INIT;
static void *kept[kept_most];
static size_t kept_count;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define KEEPS_BLOCKS 0
#elif defined(__has_feature)
#define KEEPS_BLOCKS !(__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#else
#define KEEPS_BLOCKS 1
#endif

static bool enter(void) { return KEEPS_BLOCKS && !atomic_flag_test_and_set_explicit(&kept_is_taken, memory_order_acquire); }
static void leave(void) { atomic_flag_clear_explicit(&kept_is_taken, memory_order_release); }

static void *wiping_malloc(size_t size) {
    if (size < kept_least || size > kept_size) return malloc(size);
    void *block = NULL;
    if (enter()) {
        if (kept_count > 0) block = kept[--kept_count];
        leave();
    }
    return block ? block : malloc(kept_size);
}
static void *wiping_calloc(size_t count, size_t size) { return calloc(count, size); }
static char *wiping_strdup(const char *text) { return strdup(text); }
static void wiping_free(void *memory) {
    if (!memory) return;
    size_t size = malloc_usable_size(memory);
    explicit_bzero(memory, size);
    if (size >= kept_size && size < kept_size + 64 && enter()) {
        bool stays = kept_count < kept_most;
        if (stays) kept[kept_count++] = memory;
        leave();
        if (stays) return;
    }
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
    // A libcurl with several TLS libraries would ask CURL_SSL_BACKEND. One without OpenSSL refuses the judge of a
    // server, and sends nothing.
    __typeof__(&curl_global_sslset) choose = (__typeof__(choose))dlsym(library, "curl_global_sslset");
    __typeof__(&curl_global_init_mem) start = (__typeof__(start))dlsym(library, "curl_global_init_mem");
    void *const *each = (void *const *)&found;
    for (size_t index = 0; index < sizeof found / sizeof *each; index++) {
        if (!each[index]) return CURLE_FAILED_INIT;
    }
    if (!start) return CURLE_FAILED_INIT;
    pavise_curl_functions = found;
    if (choose) choose(CURLSSLBACKEND_OPENSSL, NULL, NULL);
    return start(CURL_GLOBAL_DEFAULT, wiping_malloc, wiping_free, wiping_realloc, wiping_strdup, wiping_calloc);
}

const char *pavise_curl_version(void) {
    void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_NOLOAD | RTLD_LOCAL);
    if (!library) return NULL;
    __typeof__(&curl_version_info) info = (__typeof__(info))dlsym(library, "curl_version_info");
    const char *version = info ? info(CURLVERSION_NOW)->version : NULL;
    // Only the count of this call's own handle goes down: the library stays, and the text is part of it.
    dlclose(library);
    return version;
}
