// libcurl for the one Swift module that may import it: CurlEngine.
//
// libcurl brings thirty libraries with it, whose loading a command without a network would wait for (Documentation/Benchmarks.md).
// So it is opened with the first client, and its functions are looked up then.
// curl_easy_setopt, curl_multi_setopt and curl_easy_getinfo are variadic: one shim for each kind of argument.
#pragma once
#include <curl/curl.h>

// Filled by pavise_curl_init, before which none may be called.
struct pavise_curl_functions {
    __typeof__(&curl_easy_init) easy_init;
    __typeof__(&curl_easy_cleanup) easy_cleanup;
    __typeof__(&curl_easy_pause) easy_pause;
    __typeof__(&curl_easy_setopt) easy_setopt;
    __typeof__(&curl_easy_getinfo) easy_getinfo;
    __typeof__(&curl_multi_init) multi_init;
    __typeof__(&curl_multi_cleanup) multi_cleanup;
    __typeof__(&curl_multi_add_handle) multi_add_handle;
    __typeof__(&curl_multi_remove_handle) multi_remove_handle;
    __typeof__(&curl_multi_info_read) multi_info_read;
    __typeof__(&curl_multi_socket_action) multi_socket_action;
    __typeof__(&curl_multi_assign) multi_assign;
    __typeof__(&curl_multi_setopt) multi_setopt;
};
extern struct pavise_curl_functions pavise_curl_functions;

// Once in a process, before the first handle. CURLE_FAILED_INIT where there is no libcurl, or none with these functions.
CURLcode pavise_curl_init(void);

// The version of the library that is loaded; NULL before pavise_curl_init.
const char *pavise_curl_version(void);

static inline CURL *pavise_curl_easy_init(void) { return pavise_curl_functions.easy_init(); }
static inline void pavise_curl_easy_cleanup(CURL *handle) { pavise_curl_functions.easy_cleanup(handle); }
static inline CURLcode pavise_curl_easy_pause(CURL *handle, int actions) { return pavise_curl_functions.easy_pause(handle, actions); }
static inline CURLM *pavise_curl_multi_init(void) { return pavise_curl_functions.multi_init(); }
static inline CURLMcode pavise_curl_multi_cleanup(CURLM *multi) { return pavise_curl_functions.multi_cleanup(multi); }
static inline CURLMcode pavise_curl_multi_add_handle(CURLM *multi, CURL *handle) { return pavise_curl_functions.multi_add_handle(multi, handle); }
static inline CURLMcode pavise_curl_multi_remove_handle(CURLM *multi, CURL *handle) { return pavise_curl_functions.multi_remove_handle(multi, handle); }
static inline CURLMsg *pavise_curl_multi_info_read(CURLM *multi, int *left) { return pavise_curl_functions.multi_info_read(multi, left); }
static inline CURLMcode pavise_curl_multi_socket_action(CURLM *multi, curl_socket_t socket, int mask, int *running) { return pavise_curl_functions.multi_socket_action(multi, socket, mask, running); }
static inline CURLMcode pavise_curl_multi_assign(CURLM *multi, curl_socket_t socket, void *pointer) { return pavise_curl_functions.multi_assign(multi, socket, pointer); }
static inline CURLcode pavise_curl_set_long(CURL *handle, CURLoption option, long value) { return pavise_curl_functions.easy_setopt(handle, option, value); }
static inline CURLcode pavise_curl_set_offset(CURL *handle, CURLoption option, curl_off_t value) { return pavise_curl_functions.easy_setopt(handle, option, value); }
static inline CURLcode pavise_curl_set_text(CURL *handle, CURLoption option, const char *value) { return pavise_curl_functions.easy_setopt(handle, option, value); }
static inline CURLcode pavise_curl_set_pointer(CURL *handle, CURLoption option, void *value) { return pavise_curl_functions.easy_setopt(handle, option, value); }
static inline CURLcode pavise_curl_set_list(CURL *handle, CURLoption option, struct curl_slist *value) { return pavise_curl_functions.easy_setopt(handle, option, value); }
typedef size_t (*pavise_curl_data_function)(char *, size_t, size_t, void *);
static inline CURLcode pavise_curl_set_data_function(CURL *handle, CURLoption option, pavise_curl_data_function value) { return pavise_curl_functions.easy_setopt(handle, option, value); }
typedef int (*pavise_curl_close_function)(void *, curl_socket_t);
static inline CURLcode pavise_curl_set_close_function(CURL *handle, pavise_curl_close_function value) { return pavise_curl_functions.easy_setopt(handle, CURLOPT_CLOSESOCKETFUNCTION, value); }
typedef CURLcode (*pavise_curl_ssl_function)(CURL *, void *, void *);
static inline CURLcode pavise_curl_set_ssl_function(CURL *handle, pavise_curl_ssl_function value) { return pavise_curl_functions.easy_setopt(handle, CURLOPT_SSL_CTX_FUNCTION, value); }
static inline CURLcode pavise_curl_get_long(CURL *handle, CURLINFO info, long *value) { return pavise_curl_functions.easy_getinfo(handle, info, value); }
static inline CURLcode pavise_curl_get_offset(CURL *handle, CURLINFO info, curl_off_t *value) { return pavise_curl_functions.easy_getinfo(handle, info, value); }
static inline CURLcode pavise_curl_get_text(CURL *handle, CURLINFO info, const char **value) { return pavise_curl_functions.easy_getinfo(handle, info, value); }
static inline CURLcode pavise_curl_get_pointer(CURL *handle, CURLINFO info, void **value) { return pavise_curl_functions.easy_getinfo(handle, info, value); }
static inline CURLMcode pavise_curl_multi_set_long(CURLM *handle, CURLMoption option, long value) { return pavise_curl_functions.multi_setopt(handle, option, value); }
typedef int (*pavise_curl_prereq_function)(void *, char *, char *, int, int);
static inline CURLcode pavise_curl_set_prereq_function(CURL *handle, pavise_curl_prereq_function value) { return pavise_curl_functions.easy_setopt(handle, CURLOPT_PREREQFUNCTION, value); }
typedef int (*pavise_curl_seek_function)(void *, curl_off_t, int);
static inline CURLcode pavise_curl_set_seek_function(CURL *handle, pavise_curl_seek_function value) { return pavise_curl_functions.easy_setopt(handle, CURLOPT_SEEKFUNCTION, value); }
typedef int (*pavise_curl_socket_function)(CURL *, curl_socket_t, int, void *, void *);
static inline CURLMcode pavise_curl_multi_set_socket_function(CURLM *handle, pavise_curl_socket_function value) { return pavise_curl_functions.multi_setopt(handle, CURLMOPT_SOCKETFUNCTION, value); }
typedef int (*pavise_curl_timer_function)(CURLM *, long, void *);
static inline CURLMcode pavise_curl_multi_set_timer_function(CURLM *handle, pavise_curl_timer_function value) { return pavise_curl_functions.multi_setopt(handle, CURLMOPT_TIMERFUNCTION, value); }
static inline CURLMcode pavise_curl_multi_set_pointer(CURLM *handle, CURLMoption option, void *value) { return pavise_curl_functions.multi_setopt(handle, option, value); }
// The SSL object of the connection that carries this transfer; NULL without TLS or outside a callback.
static inline void *pavise_curl_ssl(CURL *handle) {
    struct curl_tlssessioninfo *info = NULL;
    if (pavise_curl_functions.easy_getinfo(handle, CURLINFO_TLS_SSL_PTR, &info) != CURLE_OK || !info || info->backend != CURLSSLBACKEND_OPENSSL) return NULL;
    return info->internals;
}
