#include "Peers.h"

#include <curl/curl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct text {
    char bytes[256];
    size_t count;
};

static size_t collect(char *piece, size_t size, size_t count, void *target) {
    struct text *text = target;
    size_t room = sizeof text->bytes - 1 - text->count;
    size_t taken = size * count < room ? size * count : room;
    memcpy(text->bytes + text->count, piece, taken);
    text->count += taken;
    text->bytes[text->count] = 0;
    return size * count;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static CURL *make_request(const char *url, const char *anchors, int http2, struct text *body) {
    CURL *request = curl_easy_init();
    curl_easy_setopt(request, CURLOPT_URL, url);
    curl_easy_setopt(request, CURLOPT_CAINFO, anchors);
    curl_easy_setopt(request, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(request, CURLOPT_TIMEOUT_MS, 30000L);
    curl_easy_setopt(request, CURLOPT_WRITEFUNCTION, collect);
    curl_easy_setopt(request, CURLOPT_WRITEDATA, body);
    curl_easy_setopt(request, CURLOPT_PRIVATE, body);
    curl_easy_setopt(request, CURLOPT_PIPEWAIT, http2 ? 1L : 0L);
    curl_easy_setopt(request, CURLOPT_HTTP_VERSION, http2 ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1);
    return request;
}

static void count_answer(CURLMsg *message, struct peer_http_result *result) {
    struct text *body;
    long status = 0;
    curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, (char **)&body);
    curl_easy_getinfo(message->easy_handle, CURLINFO_RESPONSE_CODE, &status);
    result->requests += 1;
    if (message->data.result != CURLE_OK || status != 200 || body->count != 60) result->failures += 1;
    body->count = 0;
}

static void load(CURLM *multi, int in_flight, double until, struct peer_http_result *result) {
    int running = in_flight;
    while (running > 0) {
        curl_multi_perform(multi, &running);
        CURLMsg *message;
        int left, again = 0;
        double time = now();
        while ((message = curl_multi_info_read(multi, &left))) {
            if (message->msg != CURLMSG_DONE) continue;
            CURL *request = message->easy_handle;
            count_answer(message, result);
            curl_multi_remove_handle(multi, request);
            if (time < until && curl_multi_add_handle(multi, request) == CURLM_OK) again += 1;
        }
        running += again;
        if (!again && running > 0) curl_multi_poll(multi, NULL, 0, 1000, NULL);
    }
}

int peer_curl_get(
    const char *url, const char *probe, const char *anchors, int in_flight, double seconds, int http2,
    struct peer_http_result *result) {
    memset(result, 0, sizeof *result);
    curl_global_init(CURL_GLOBAL_DEFAULT);
    struct text first = {{0}, 0};
    CURL *question = make_request(probe, anchors, http2, &first);
    CURLcode code = curl_easy_perform(question);
    curl_easy_cleanup(question);
    if (code != CURLE_OK) return (int)code;
    strncpy(result->protocol, first.bytes, sizeof result->protocol - 1);

    CURLM *multi = curl_multi_init();
    CURL **requests = calloc((size_t)in_flight, sizeof *requests);
    struct text *bodies = calloc((size_t)in_flight, sizeof *bodies);
    for (int index = 0; index < in_flight; index++) {
        requests[index] = make_request(url, anchors, http2, &bodies[index]);
        curl_multi_add_handle(multi, requests[index]);
    }
    double start = now();
    load(multi, in_flight, start + seconds, result);
    result->seconds = now() - start;
    for (int index = 0; index < in_flight; index++) {
        curl_multi_remove_handle(multi, requests[index]);
        curl_easy_cleanup(requests[index]);
    }
    curl_multi_cleanup(multi);
    free(requests);
    free(bodies);
    return 0;
}
