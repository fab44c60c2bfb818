// secret-service-peer fill COUNT | read COUNT: the Secret Service over D-Bus through libsecret, as an app in C uses it.
//
// Built by bench.py where libsecret is installed; it is no part of the Swift package, which so needs no such library.
#include <libsecret/secret.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const SecretSchema schema = {
    "org.example.bench", SECRET_SCHEMA_NONE,
    {{"service", SECRET_SCHEMA_ATTRIBUTE_STRING}, {"account", SECRET_SCHEMA_ATTRIBUTE_STRING}, {NULL, 0}},
};

static int compare(const void *left, const void *right) {
    double difference = *(const double *)left - *(const double *)right;
    return difference < 0 ? -1 : difference > 0;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1e6 + time.tv_nsec / 1e3;
}

int main(int count, char **words) {
    enum { reads = 600, warm = 100 };
    static double times[reads];
    char account[32], value[257];
    int items = count == 3 ? atoi(words[2]) : 0;
    if (items <= 0) return 2;
    memset(value, 'v', 256);
    value[256] = 0;
    if (!strcmp(words[1], "fill")) {
        for (int number = 0; number < items; number++) {
            snprintf(account, sizeof account, "account-%d", number);
            if (!secret_password_store_sync(&schema, NULL, "bench", value, NULL, NULL, "service", "org.example.bench",
                                            "account", account, NULL))
                return 1;
        }
        return 0;
    }
    for (int read = 0; read < reads; read++) {
        snprintf(account, sizeof account, "account-%d", rand() % items);
        double start = now();
        gchar *found = secret_password_lookup_sync(&schema, NULL, NULL, "service", "org.example.bench", "account",
                                                   account, NULL);
        times[read] = now() - start;
        if (!found || strcmp(found, value)) return 1;
        secret_password_free(found);
    }
    qsort(times + warm, reads - warm, sizeof *times, compare);
    printf("{\"microseconds\": %f}\n", times[warm + (reads - warm) / 2]);
    return 0;
}
