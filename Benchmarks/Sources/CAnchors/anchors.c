// FoundationNetworking's URLSession trusts what libcurl was built to trust and offers no way to add an anchor.
// This library stands before libcurl and gives each new handle the file that BENCH_ANCHORS names; nothing else changes.
#define _GNU_SOURCE
#include "Anchors.h"

#include <curl/curl.h>
#include <dlfcn.h>
#include <stdlib.h>

CURL *curl_easy_init(void) {
    static CURL *(*next)(void);
    if (!next) next = (CURL * (*)(void)) dlsym(RTLD_NEXT, "curl_easy_init");
    CURL *handle = next();
    const char *anchors = getenv("BENCH_ANCHORS");
    if (handle && anchors) curl_easy_setopt(handle, CURLOPT_CAINFO, anchors);
    return handle;
}
