// libcurl for the one Swift module that may import it: CurlEngine.
// curl_easy_setopt, curl_multi_setopt and curl_easy_getinfo are variadic: one shim for each kind of argument.
#pragma once
#include <curl/curl.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

// libcurl's memory: the request with its credential, the answer, everything is overwritten when libcurl lets go of it.
static void *pavise_curl_malloc(size_t size) { return malloc(size); }
static void *pavise_curl_calloc(size_t count, size_t size) { return calloc(count, size); }
static char *pavise_curl_strdup(const char *text) { return strdup(text); }
static void pavise_curl_free(void *memory) {
    if (memory) explicit_bzero(memory, malloc_usable_size(memory));
    free(memory);
}
static void *pavise_curl_realloc(void *memory, size_t size) {
    if (!memory) return malloc(size);
    size_t old = malloc_usable_size(memory);
    if (size && size <= old) return memory;
    void *moved = size ? malloc(size) : NULL;
    if (size && !moved) return NULL;
    if (moved) memcpy(moved, memory, old);
    pavise_curl_free(memory);
    return moved;
}
static inline CURLcode pavise_curl_init(void) {
    return curl_global_init_mem(CURL_GLOBAL_DEFAULT, pavise_curl_malloc, pavise_curl_free, pavise_curl_realloc, pavise_curl_strdup, pavise_curl_calloc);
}

static inline CURLcode pavise_curl_set_long(CURL *handle, CURLoption option, long value) { return curl_easy_setopt(handle, option, value); }
static inline CURLcode pavise_curl_set_offset(CURL *handle, CURLoption option, curl_off_t value) { return curl_easy_setopt(handle, option, value); }
static inline CURLcode pavise_curl_set_text(CURL *handle, CURLoption option, const char *value) { return curl_easy_setopt(handle, option, value); }
static inline CURLcode pavise_curl_set_pointer(CURL *handle, CURLoption option, void *value) { return curl_easy_setopt(handle, option, value); }
static inline CURLcode pavise_curl_set_list(CURL *handle, CURLoption option, struct curl_slist *value) { return curl_easy_setopt(handle, option, value); }
typedef size_t (*pavise_curl_data_function)(char *, size_t, size_t, void *);
static inline CURLcode pavise_curl_set_data_function(CURL *handle, CURLoption option, pavise_curl_data_function value) { return curl_easy_setopt(handle, option, value); }
typedef int (*pavise_curl_close_function)(void *, curl_socket_t);
static inline CURLcode pavise_curl_set_close_function(CURL *handle, pavise_curl_close_function value) { return curl_easy_setopt(handle, CURLOPT_CLOSESOCKETFUNCTION, value); }
typedef CURLcode (*pavise_curl_ssl_function)(CURL *, void *, void *);
static inline CURLcode pavise_curl_set_ssl_function(CURL *handle, pavise_curl_ssl_function value) { return curl_easy_setopt(handle, CURLOPT_SSL_CTX_FUNCTION, value); }
static inline CURLcode pavise_curl_get_long(CURL *handle, CURLINFO info, long *value) { return curl_easy_getinfo(handle, info, value); }
static inline CURLcode pavise_curl_get_offset(CURL *handle, CURLINFO info, curl_off_t *value) { return curl_easy_getinfo(handle, info, value); }
static inline CURLcode pavise_curl_get_text(CURL *handle, CURLINFO info, const char **value) { return curl_easy_getinfo(handle, info, value); }
static inline CURLcode pavise_curl_get_pointer(CURL *handle, CURLINFO info, void **value) { return curl_easy_getinfo(handle, info, value); }
static inline CURLMcode pavise_curl_multi_set_long(CURLM *handle, CURLMoption option, long value) { return curl_multi_setopt(handle, option, value); }
typedef int (*pavise_curl_prereq_function)(void *, char *, char *, int, int);
static inline CURLcode pavise_curl_set_prereq_function(CURL *handle, pavise_curl_prereq_function value) { return curl_easy_setopt(handle, CURLOPT_PREREQFUNCTION, value); }
typedef int (*pavise_curl_seek_function)(void *, curl_off_t, int);
static inline CURLcode pavise_curl_set_seek_function(CURL *handle, pavise_curl_seek_function value) { return curl_easy_setopt(handle, CURLOPT_SEEKFUNCTION, value); }
typedef int (*pavise_curl_socket_function)(CURL *, curl_socket_t, int, void *, void *);
static inline CURLMcode pavise_curl_multi_set_socket_function(CURLM *handle, pavise_curl_socket_function value) { return curl_multi_setopt(handle, CURLMOPT_SOCKETFUNCTION, value); }
typedef int (*pavise_curl_timer_function)(CURLM *, long, void *);
static inline CURLMcode pavise_curl_multi_set_timer_function(CURLM *handle, pavise_curl_timer_function value) { return curl_multi_setopt(handle, CURLMOPT_TIMERFUNCTION, value); }
static inline CURLMcode pavise_curl_multi_set_pointer(CURLM *handle, CURLMoption option, void *value) { return curl_multi_setopt(handle, option, value); }
// The SSL object of the connection that carries this transfer; NULL without TLS or outside a callback.
static inline void *pavise_curl_ssl(CURL *handle) {
    struct curl_tlssessioninfo *info = NULL;
    if (curl_easy_getinfo(handle, CURLINFO_TLS_SSL_PTR, &info) != CURLE_OK || !info || info->backend != CURLSSLBACKEND_OPENSSL) return NULL;
    return info->internals;
}
