// SQLite of Linux under the name of Apple's module, with the flags that Apple's has of its own. The file layer here takes no
// notice of them: the class is noted with the database, for the log that SQLite makes beside it.
#pragma once
#define sqlite3_open_v2 sqlite3_open_v2_of_linux
#include <sqlite3.h>
#undef sqlite3_open_v2
#include <string.h>
#include <sys/xattr.h>

#define SQLITE_OPEN_FILEPROTECTION_COMPLETE 0x00100000
#define SQLITE_OPEN_FILEPROTECTION_COMPLETEUNLESSOPEN 0x00200000
#define SQLITE_OPEN_FILEPROTECTION_COMPLETEUNTILFIRSTUSERAUTHENTICATION 0x00300000
#define SQLITE_OPEN_FILEPROTECTION_NONE 0x00400000

int file_class_system_open(const char *path, sqlite3 **database, int flags, const char *layer) __asm__("sqlite3_open_v2");

static inline int file_class_open(const char *path, sqlite3 **database, int flags, const char *layer)
    __attribute__((swift_name("sqlite3_open_v2(_:_:_:_:)")));
static inline int file_class_open(const char *path, sqlite3 **database, int flags, const char *layer) {
    const char *class = 0;
    switch (flags & 0x00700000) {
    case SQLITE_OPEN_FILEPROTECTION_COMPLETE: class = "NSFileProtectionComplete"; break;
    case SQLITE_OPEN_FILEPROTECTION_COMPLETEUNLESSOPEN: class = "NSFileProtectionCompleteUnlessOpen"; break;
    case SQLITE_OPEN_FILEPROTECTION_COMPLETEUNTILFIRSTUSERAUTHENTICATION:
        class = "NSFileProtectionCompleteUntilFirstUserAuthentication"; break;
    case SQLITE_OPEN_FILEPROTECTION_NONE: class = "NSFileProtectionNone"; break;
    }
    int code = file_class_system_open(path, database, flags & ~0x00700000, layer);
    if (code == SQLITE_OK && class) setxattr(path, "user.pavise.sqlite", class, strlen(class), 0);
    return code;
}
