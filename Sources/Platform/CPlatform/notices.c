#include "CPavisePlatform.h"
#include <errno.h>

#ifdef __linux__
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// libsystemd's client of D-Bus, which every desktop of today has. It is opened with the first notice: a program without notices has
// no use for it. Types and names are those of sd-bus(3).
typedef struct sd_bus sd_bus;
typedef struct sd_bus_message sd_bus_message;
static struct {
    int (*make)(sd_bus **);
    int (*set_address)(sd_bus *, const char *);
    int (*set_client)(sd_bus *, int);
    int (*start)(sd_bus *);
    int (*open_user)(sd_bus **);
    int (*set_timeout)(sd_bus *, uint64_t);
    int (*call)(sd_bus *, const char *, const char *, const char *, const char *, void *, sd_bus_message **, const char *, ...);
    int (*read)(sd_bus_message *, const char *, ...);
    int (*read_strings)(sd_bus_message *, char ***);
    sd_bus_message *(*let_go)(sd_bus_message *);
    sd_bus *(*close)(sd_bus *);
} bus;
static int is_there;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static const char service[] = "org.freedesktop.Notifications", path[] = "/org/freedesktop/Notifications";
// A daemon that hangs costs no more than this, in microseconds.
static const uint64_t patience = 2000000;

static void find(void) {
    void *library = dlopen("libsystemd.so.0", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!library) return;
    bus.make = (__typeof__(bus.make))dlsym(library, "sd_bus_new");
    bus.set_address = (__typeof__(bus.set_address))dlsym(library, "sd_bus_set_address");
    bus.set_client = (__typeof__(bus.set_client))dlsym(library, "sd_bus_set_bus_client");
    bus.start = (__typeof__(bus.start))dlsym(library, "sd_bus_start");
    bus.open_user = (__typeof__(bus.open_user))dlsym(library, "sd_bus_open_user");
    bus.set_timeout = (__typeof__(bus.set_timeout))dlsym(library, "sd_bus_set_method_call_timeout");
    bus.call = (__typeof__(bus.call))dlsym(library, "sd_bus_call_method");
    bus.read = (__typeof__(bus.read))dlsym(library, "sd_bus_message_read");
    bus.read_strings = (__typeof__(bus.read_strings))dlsym(library, "sd_bus_message_read_strv");
    bus.let_go = (__typeof__(bus.let_go))dlsym(library, "sd_bus_message_unref");
    bus.close = (__typeof__(bus.close))dlsym(library, "sd_bus_flush_close_unref");
    is_there = bus.make && bus.set_address && bus.set_client && bus.start && bus.open_user && bus.set_timeout && bus.call && bus.read &&
               bus.read_strings && bus.let_go && bus.close;
}

static int reach(const char *address, sd_bus **made) {
    pthread_once(&once, find);
    if (!is_there) return -ENOSYS;
    if (!address) {
        int code = bus.open_user(made);
        return code < 0 ? code : bus.set_timeout(*made, patience);
    }
    int code = bus.make(made);
    if (code >= 0) code = bus.set_address(*made, address);
    if (code >= 0) code = bus.set_client(*made, 1);
    if (code >= 0) code = bus.start(*made);
    return code < 0 ? code : bus.set_timeout(*made, patience);
}

// Whether the daemon reads markup in bodies: then `&`, `<` and `>` of a text have to be written as references.
static int reads_markup(sd_bus *made) {
    sd_bus_message *answer = NULL;
    char **names = NULL;
    int found = bus.call(made, service, path, service, "GetCapabilities", NULL, &answer, "");
    if (found >= 0) found = bus.read_strings(answer, &names);
    int reads = found < 0 ? found : 0;
    for (char **name = names; name && *name; name++) {
        if (strcmp(*name, "body-markup") == 0) reads = 1;
        free(*name);
    }
    free(names);
    bus.let_go(answer);
    return reads;
}

int pavise_notify(const char *address, const char *app, const char *title, const char *body, const char *marked, uint32_t *number) {
    sd_bus *made = NULL;
    sd_bus_message *answer = NULL;
    int code = reach(address, &made);
    int markup = code < 0 ? code : reads_markup(made);
    if (markup < 0) code = markup;
    // Nothing to press, the daemon's own time. The hint asks a desktop to keep nothing of it once it was shown (Desktop Notifications
    // Specification 1.2, "Hints").
    if (code >= 0)
        code = bus.call(made, service, path, service, "Notify", NULL, &answer, "susssasa{sv}i", app, 0u, "", title,
                        markup ? marked : body, 0u, 1u, "transient", "b", 1, -1);
    if (code >= 0) code = bus.read(answer, "u", number);
    if (answer) bus.let_go(answer);
    if (made) bus.close(made);
    return code < 0 ? -code : 0;
}

int pavise_notify_close(const char *address, uint32_t number) {
    sd_bus *made = NULL;
    int code = reach(address, &made);
    if (code >= 0) code = bus.call(made, service, path, service, "CloseNotification", NULL, NULL, "u", number);
    if (made) bus.close(made);
    return code < 0 ? -code : 0;
}
#else
int pavise_notify(const char *address, const char *app, const char *title, const char *body, const char *marked, uint32_t *number) {
    (void)address, (void)app, (void)title, (void)body, (void)marked, (void)number;
    return ENOSYS;
}
int pavise_notify_close(const char *address, uint32_t number) { return (void)address, (void)number, ENOSYS; }
#endif
