// Declarations of ours of what Pavise names of the system's SQLite: functions from sqlite.org/c3ref, the flags of file protection from
// the header of Apple's SDK (SQLITE_OPEN_FILEPROTECTION_…).
// Pages: https://www.sqlite.org/c3ref/ and the name in lower case.
#pragma once
#include <stdint.h>

typedef struct sqlite3 sqlite3;
typedef struct sqlite3_stmt sqlite3_stmt;
typedef struct sqlite3_backup sqlite3_backup;
typedef int64_t sqlite3_int64;
typedef uint64_t sqlite3_uint64;
typedef void (*sqlite3_destructor_type)(void *);

#define SQLITE_OK 0
#define SQLITE_DENY 1
#define SQLITE_BUSY 5
#define SQLITE_LOCKED 6
#define SQLITE_READONLY 8
#define SQLITE_IOERR 10
#define SQLITE_CORRUPT 11
#define SQLITE_FULL 13
#define SQLITE_CANTOPEN 14
#define SQLITE_PROTOCOL 15
#define SQLITE_CONSTRAINT 19
#define SQLITE_AUTH 23
#define SQLITE_RANGE 25
#define SQLITE_NOTADB 26
#define SQLITE_ROW 100
#define SQLITE_DONE 101
#define SQLITE_INTEGER 1
#define SQLITE_FLOAT 2
#define SQLITE_TEXT 3
#define SQLITE_BLOB 4
#define SQLITE_UTF8 1
#define SQLITE_DELETE 9
#define SQLITE_INSERT 18
#define SQLITE_PRAGMA 19
#define SQLITE_UPDATE 23
#define SQLITE_ATTACH 24
#define SQLITE_DETACH 25
#define SQLITE_PREPARE_PERSISTENT 0x01
#define SQLITE_FCNTL_RESERVE_BYTES 38
#define SQLITE_DESERIALIZE_FREEONCLOSE 1
#define SQLITE_DESERIALIZE_RESIZEABLE 2
#define SQLITE_OPEN_READONLY 0x00000001
#define SQLITE_OPEN_READWRITE 0x00000002
#define SQLITE_OPEN_CREATE 0x00000004
#define SQLITE_OPEN_NOMUTEX 0x00008000
#define SQLITE_OPEN_FILEPROTECTION_COMPLETE 0x00100000
#define SQLITE_OPEN_FILEPROTECTION_COMPLETEUNLESSOPEN 0x00200000
#define SQLITE_OPEN_FILEPROTECTION_COMPLETEUNTILFIRSTUSERAUTHENTICATION 0x00300000
#define SQLITE_OPEN_FILEPROTECTION_NONE 0x00400000

int sqlite3_open_v2(const char *filename, sqlite3 **database, int flags, const char *layer);
int sqlite3_close_v2(sqlite3 *database);
int sqlite3_extended_result_codes(sqlite3 *database, int on);
int sqlite3_extended_errcode(sqlite3 *database);
int sqlite3_system_errno(sqlite3 *database);
const char *sqlite3_errmsg(sqlite3 *database);
const char *sqlite3_errstr(int code);
int sqlite3_changes(sqlite3 *database);
sqlite3_int64 sqlite3_last_insert_rowid(sqlite3 *database);
int sqlite3_get_autocommit(sqlite3 *database);
int sqlite3_file_control(sqlite3 *database, const char *schema, int operation, void *value);
void sqlite3_progress_handler(sqlite3 *database, int steps, int (*handler)(void *), void *context);
int sqlite3_sleep(int milliseconds);
int sqlite3_busy_handler(sqlite3 *database, int (*handler)(void *, int), void *context);
int sqlite3_set_authorizer(
    sqlite3 *database,
    int (*judge)(void *, int, const char *, const char *, const char *, const char *), void *context);
int sqlite3_prepare_v3(
    sqlite3 *database, const char *text, int bytes, unsigned int flags, sqlite3_stmt **statement, const char **tail);
int sqlite3_bind_parameter_count(sqlite3_stmt *statement);
int sqlite3_bind_null(sqlite3_stmt *statement, int index);
int sqlite3_bind_int64(sqlite3_stmt *statement, int index, sqlite3_int64 value);
int sqlite3_bind_double(sqlite3_stmt *statement, int index, double value);
int sqlite3_bind_zeroblob(sqlite3_stmt *statement, int index, int bytes);
int sqlite3_bind_text64(
    sqlite3_stmt *statement, int index, const char *text, sqlite3_uint64 bytes, void (*destructor)(void *),
    unsigned char encoding);
int sqlite3_bind_blob64(
    sqlite3_stmt *statement, int index, const void *blob, sqlite3_uint64 bytes, void (*destructor)(void *));
int sqlite3_step(sqlite3_stmt *statement);
int sqlite3_reset(sqlite3_stmt *statement);
int sqlite3_clear_bindings(sqlite3_stmt *statement);
int sqlite3_finalize(sqlite3_stmt *statement);
int sqlite3_column_count(sqlite3_stmt *statement);
const char *sqlite3_column_name(sqlite3_stmt *statement, int column);
int sqlite3_column_type(sqlite3_stmt *statement, int column);
sqlite3_int64 sqlite3_column_int64(sqlite3_stmt *statement, int column);
double sqlite3_column_double(sqlite3_stmt *statement, int column);
const unsigned char *sqlite3_column_text(sqlite3_stmt *statement, int column);
const void *sqlite3_column_blob(sqlite3_stmt *statement, int column);
int sqlite3_column_bytes(sqlite3_stmt *statement, int column);
unsigned char *sqlite3_serialize(sqlite3 *database, const char *schema, sqlite3_int64 *bytes, unsigned int flags);
int sqlite3_deserialize(
    sqlite3 *database, const char *schema, unsigned char *data, sqlite3_int64 bytes, sqlite3_int64 room,
    unsigned int flags);
void *sqlite3_malloc64(sqlite3_uint64 bytes);
void sqlite3_free(void *memory);
sqlite3_backup *sqlite3_backup_init(
    sqlite3 *target, const char *targetSchema, sqlite3 *source, const char *sourceSchema);
int sqlite3_backup_step(sqlite3_backup *backup, int pages);
int sqlite3_backup_finish(sqlite3_backup *backup);
