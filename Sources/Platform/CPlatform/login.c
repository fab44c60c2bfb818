#include "CPavisePlatform.h"
#include <errno.h>

#ifdef __linux__
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// libsystemd's client of D-Bus, as for notices: opened with the first watch. Types and names are those of sd-bus(3).
typedef struct sd_bus sd_bus;
typedef struct sd_bus_message sd_bus_message;
static struct {
    int (*make)(sd_bus **);
    int (*set_address)(sd_bus *, const char *);
    int (*set_client)(sd_bus *, int);
    int (*start)(sd_bus *);
    int (*open_system)(sd_bus **);
    int (*set_timeout)(sd_bus *, uint64_t);
    int (*call)(sd_bus *, const char *, const char *, const char *, const char *, void *, sd_bus_message **, const char *, ...);
    int (*descriptor)(sd_bus *);
    int (*process)(sd_bus *, sd_bus_message **);
    int (*read)(sd_bus_message *, const char *, ...);
    int (*enter)(sd_bus_message *, char, const char *);
    int (*leave)(sd_bus_message *);
    int (*skip)(sd_bus_message *, const char *);
    int (*is_signal)(sd_bus_message *, const char *, const char *);
    const char *(*sender)(sd_bus_message *);
    const char *(*path)(sd_bus_message *);
    const char *(*interface)(sd_bus_message *);
    const char *(*member)(sd_bus_message *);
    sd_bus_message *(*let_go)(sd_bus_message *);
    sd_bus *(*close)(sd_bus *);
} bus;
static int is_there;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static const char login[] = "org.freedesktop.login1", manager[] = "org.freedesktop.login1.Manager", root[] = "/org/freedesktop/login1";
static const char itself[] = "org.freedesktop.DBus", own_path[] = "/org/freedesktop/DBus", properties[] = "org.freedesktop.DBus.Properties";
// A service that hangs costs no more than this, in microseconds.
static const uint64_t patience = 2000000;

struct watch {
    sd_bus *made;
    sd_bus_message *last;
    char owner[256], session[256];
    int is_locked;
};

static void find(void) {
    void *library = dlopen("libsystemd.so.0", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!library) return;
    is_there = 1;
#define FIND(part, name) if (!(bus.part = (__typeof__(bus.part))dlsym(library, name))) is_there = 0
    FIND(make, "sd_bus_new");
    FIND(set_address, "sd_bus_set_address");
    FIND(set_client, "sd_bus_set_bus_client");
    FIND(start, "sd_bus_start");
    FIND(open_system, "sd_bus_open_system");
    FIND(set_timeout, "sd_bus_set_method_call_timeout");
    FIND(call, "sd_bus_call_method");
    FIND(descriptor, "sd_bus_get_fd");
    FIND(process, "sd_bus_process");
    FIND(read, "sd_bus_message_read");
    FIND(enter, "sd_bus_message_enter_container");
    FIND(leave, "sd_bus_message_exit_container");
    FIND(skip, "sd_bus_message_skip");
    FIND(is_signal, "sd_bus_message_is_signal");
    FIND(sender, "sd_bus_message_get_sender");
    FIND(path, "sd_bus_message_get_path");
    FIND(interface, "sd_bus_message_get_interface");
    FIND(member, "sd_bus_message_get_member");
    FIND(let_go, "sd_bus_message_unref");
    FIND(close, "sd_bus_flush_close_unref");
#undef FIND
}

static int reach(const char *address, sd_bus **made) {
    pthread_once(&once, find);
    if (!is_there) return -ENOSYS;
    int code;
    if (!address) {
        code = bus.open_system(made);
    } else {
        code = bus.make(made);
        if (code >= 0) code = bus.set_address(*made, address);
        if (code >= 0) code = bus.set_client(*made, 1);
        if (code >= 0) code = bus.start(*made);
    }
    return code < 0 ? code : bus.set_timeout(*made, patience);
}

// One text of an answer, at most 255 bytes of it.
static int take(sd_bus_message *answer, const char *type, char *room) {
    const char *text = NULL;
    int code = strcmp(type, "v") == 0 ? bus.read(answer, "v", "s", &text) : bus.read(answer, type, &text);
    if (code < 0) return code;
    if (!text || strlen(text) > 255) return -EBADMSG;
    strcpy(room, text);
    return 0;
}

// Which session: the one of this process, or the one at the person's screen. A process without any hears of sleep alone.
static void find_session(struct watch *watch) {
    sd_bus_message *answer = NULL;
    char name[256] = "";
    int code = bus.call(watch->made, login, "/org/freedesktop/login1/session/auto", properties, "Get", NULL, &answer, "ss",
                        "org.freedesktop.login1.Session", "Id");
    if (code >= 0) code = take(answer, "v", name);
    if (answer) bus.let_go(answer);
    answer = NULL;
    if (code >= 0) code = bus.call(watch->made, login, root, manager, "GetSession", NULL, &answer, "s", name);
    if (code >= 0) code = take(answer, "o", watch->session);
    if (answer) bus.let_go(answer);
    if (code < 0) watch->session[0] = 0;
}

static int find_owner(struct watch *watch) {
    sd_bus_message *answer = NULL;
    int code = bus.call(watch->made, itself, own_path, itself, "GetNameOwner", NULL, &answer, "s", login);
    if (code >= 0) code = take(answer, "s", watch->owner);
    if (answer) bus.let_go(answer);
    return code;
}

// Whether the screen is locked already: a signal tells only what changes. A logind that does not know it says nothing.
static int find_locked(struct watch *watch) {
    sd_bus_message *answer = NULL;
    int is_true = 0;
    int code = bus.call(watch->made, login, watch->session, properties, "Get", NULL, &answer, "ss",
                        "org.freedesktop.login1.Session", "LockedHint");
    if (code >= 0) code = bus.read(answer, "v", "b", &is_true);
    if (answer) bus.let_go(answer);
    return code >= 0 && is_true;
}

static int listen_to(struct watch *watch, const char *path, const char *interface) {
    char rule[1024] = "type='signal',sender='org.freedesktop.login1',path='";
    strcat(strcat(strcat(strcat(rule, path), "',interface='"), interface), "'");
    return bus.call(watch->made, itself, own_path, itself, "AddMatch", NULL, NULL, "s", rule);
}

void *pavise_login_open(const char *address, int *code) {
    struct watch *watch = calloc(1, sizeof *watch);
    if (!watch) return *code = ENOMEM, NULL;
    int done = reach(address, &watch->made);
    if (done >= 0) {
        find_session(watch);
        done = find_owner(watch);
    }
    if (done >= 0) done = listen_to(watch, root, manager);
    if (done >= 0 && watch->session[0]) done = listen_to(watch, watch->session, properties);
    // Once changes of it are heard: none is missed in between.
    if (done >= 0 && watch->session[0]) watch->is_locked = find_locked(watch);
    if (done >= 0 && watch->session[0]) done = listen_to(watch, watch->session, "org.freedesktop.login1.Session");
    if (done >= 0) return watch;
    pavise_login_close(watch);
    return *code = -done, NULL;
}

int pavise_login_descriptor(void *watch) { return bus.descriptor(((struct watch *)watch)->made); }
const char *pavise_login_owner(void *watch) { return ((struct watch *)watch)->owner; }
const char *pavise_login_session(void *watch) { return ((struct watch *)watch)->session; }
int pavise_login_locked(void *watch) { return ((struct watch *)watch)->is_locked; }

// Whether a truth of this name is among the properties that changed, and which one; -1 for none.
static int changed(sd_bus_message *message, const char *wanted) {
    const char *text = NULL;
    int found = -1;
    if (bus.read(message, "s", &text) < 0 || bus.enter(message, 'a', "{sv}") < 0) return -1;
    while (bus.enter(message, 'e', "sv") > 0) {
        int is_true = 0, code = bus.read(message, "s", &text);
        if (code >= 0 && strcmp(text, wanted) == 0) {
            code = bus.read(message, "v", "b", &is_true);
            if (code >= 0) found = is_true ? 1 : 0;
        } else if (code >= 0) {
            code = bus.skip(message, "v");
        }
        if (code < 0 || bus.leave(message) < 0) return found;
    }
    return found;
}

int pavise_login_next(void *opened, struct pavise_login_signal *signal) {
    struct watch *watch = opened;
    for (;;) {
        if (watch->last) watch->last = bus.let_go(watch->last);
        int code = bus.process(watch->made, &watch->last);
        if (code <= 0) return code;
        if (!watch->last || bus.is_signal(watch->last, NULL, NULL) <= 0) continue;
        signal->sender = bus.sender(watch->last);
        signal->path = bus.path(watch->last);
        signal->interface = bus.interface(watch->last);
        signal->member = bus.member(watch->last);
        signal->flag = -1;
        if (!signal->sender || !signal->path || !signal->interface || !signal->member) continue;
        // It may have begun anew, with another name on the bus.
        if (strcmp(signal->sender, watch->owner) != 0) (void)find_owner(watch);
        if (strcmp(signal->member, "PrepareForSleep") == 0) {
            int begins = 0;
            if (bus.read(watch->last, "b", &begins) >= 0) signal->flag = begins ? 1 : 0;
        } else if (strcmp(signal->member, "PropertiesChanged") == 0) {
            signal->flag = changed(watch->last, "LockedHint");
        }
        return 1;
    }
}

void pavise_login_close(void *opened) {
    struct watch *watch = opened;
    if (watch->last) bus.let_go(watch->last);
    if (watch->made) bus.close(watch->made);
    free(watch);
}
#else
void *pavise_login_open(const char *address, int *code) { return (void)address, *code = ENOSYS, (void *)0; }
int pavise_login_descriptor(void *watch) { return (void)watch, -1; }
const char *pavise_login_owner(void *watch) { return (void)watch, ""; }
const char *pavise_login_session(void *watch) { return (void)watch, ""; }
int pavise_login_locked(void *watch) { return (void)watch, 0; }
int pavise_login_next(void *watch, struct pavise_login_signal *signal) { return (void)watch, (void)signal, -ENOSYS; }
void pavise_login_close(void *watch) { (void)watch; }
#endif
