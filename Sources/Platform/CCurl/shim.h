// libcurl for the one Swift module that may import it: CurlEngine.
// curl_easy_setopt, curl_multi_setopt and curl_easy_getinfo are variadic: one shim for each kind of argument.
#pragma once
#include <curl/curl.h>

static inline CURLcode pavise_curl_set_long(CURL *handle, CURLoption option, long value) { return curl_easy_setopt(handle, option, value); }
static inline CURLcode pavise_curl_set_offset(CURL *handle, CURLoption option, curl_off_t value) { return curl_easy_setopt(handle, option, value); }
static inline CURLcode pavise_curl_set_text(CURL *handle, CURLoption option, const char *value) { return curl_easy_setopt(handle, option, value); }
static inline CURLcode pavise_curl_set_pointer(CURL *handle, CURLoption option, void *value) { return curl_easy_setopt(handle, option, value); }
static inline CURLcode pavise_curl_set_list(CURL *handle, CURLoption option, struct curl_slist *value) { return curl_easy_setopt(handle, option, value); }
typedef size_t (*pavise_curl_data_function)(char *, size_t, size_t, void *);
static inline CURLcode pavise_curl_set_data_function(CURL *handle, CURLoption option, pavise_curl_data_function value) { return curl_easy_setopt(handle, option, value); }
typedef CURLcode (*pavise_curl_ssl_function)(CURL *, void *, void *);
static inline CURLcode pavise_curl_set_ssl_function(CURL *handle, pavise_curl_ssl_function value) { return curl_easy_setopt(handle, CURLOPT_SSL_CTX_FUNCTION, value); }
static inline CURLcode pavise_curl_get_long(CURL *handle, CURLINFO info, long *value) { return curl_easy_getinfo(handle, info, value); }
static inline CURLcode pavise_curl_get_offset(CURL *handle, CURLINFO info, curl_off_t *value) { return curl_easy_getinfo(handle, info, value); }
static inline CURLcode pavise_curl_get_text(CURL *handle, CURLINFO info, const char **value) { return curl_easy_getinfo(handle, info, value); }
static inline CURLcode pavise_curl_get_pointer(CURL *handle, CURLINFO info, void **value) { return curl_easy_getinfo(handle, info, value); }
static inline CURLMcode pavise_curl_multi_set_long(CURLM *handle, CURLMoption option, long value) { return curl_multi_setopt(handle, option, value); }
