// SQLite for the one Swift module that may import it: EncryptedDatabase.
// Only what the importer cannot see stands here: function-like macros and variadics, one shim each.
#pragma once
#include <sqlite3.h>

// SQLITE_TRANSIENT is a cast that Swift does not import: SQLite copies the bytes before the call returns.
static inline int pavise_sqlite_bind_blob_copy(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_blob64(statement, index, bytes, count, SQLITE_TRANSIENT);
}
static inline int pavise_sqlite_bind_text_copy(sqlite3_stmt *statement, int index, const char *text, sqlite3_uint64 count) {
    return sqlite3_bind_text64(statement, index, text, count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

// The header of the log's index, which processes share (sqlite.org/walformat.html, "The WAL-Index Header"): 48 bytes, twice. A
// writer fills the second copy first, so a reader takes the first one first; equal copies are one state. Copies it as six words
// and returns 1, or 0 while it is being written, was never made, or has another version.
static inline int pavise_sqlite_index_header(const volatile void *shared, unsigned long long words[6]) {
    const volatile unsigned long long *first = (const volatile unsigned long long *)shared;
    unsigned long long second;
    for (int i = 0; i < 6; i++) words[i] = first[i];
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    for (int i = 0; i < 6; i++) {
        second = first[6 + i];
        if (second != words[i]) return 0;
    }
    // Version of the format, then padding, a counter of changes, and whether the header was made.
    return (unsigned int)words[0] == 3007000 && ((words[1] >> 32) & 255) == 1;
}

// sqlite3_db_config is variadic.
static inline int pavise_sqlite_db_config_flag(sqlite3 *database, int option, int value) {
    return sqlite3_db_config(database, option, value, (int *)0);
}

// SQLite's memory allocator for the whole process (sqlite3_config, SQLITE_CONFIG_MALLOC): the one that is there, with memory
// overwritten before it is given back. SQLite keeps pages, statements and bound values in it and wipes none of them.
static inline sqlite3_mem_methods *pavise_sqlite_memory(void) {
    static sqlite3_mem_methods methods;
    return &methods;
}

static inline void pavise_sqlite_wiping_free(void *memory) {
    int count = memory ? pavise_sqlite_memory()->xSize(memory) : 0;
    if (count > 0) __builtin_memset(memory, 0, (unsigned long)count);
    // The compiler may leave out stores in front of a free; it may not where it cannot know who looks.
    __asm__ __volatile__("" : : "r"(memory) : "memory");
    pavise_sqlite_memory()->xFree(memory);
}
static inline void *pavise_sqlite_wiping_realloc(void *memory, int count) {
    int old = pavise_sqlite_memory()->xSize(memory);
    if (count <= old && count > old / 2) return memory;
    void *other = pavise_sqlite_memory()->xMalloc(count);
    if (!other) return (void *)0;
    __builtin_memcpy(other, memory, (unsigned long)(count < old ? count : old));
    pavise_sqlite_wiping_free(memory);
    return other;
}
// SQLITE_OK, or SQLITE_MISUSE when SQLite was used in this process before.
static inline int pavise_sqlite_wipe_memory(void) {
    int status = sqlite3_config(SQLITE_CONFIG_GETMALLOC, pavise_sqlite_memory());
    if (status != SQLITE_OK) return status;
    sqlite3_mem_methods wiping = *pavise_sqlite_memory();
    wiping.xFree = pavise_sqlite_wiping_free;
    wiping.xRealloc = pavise_sqlite_wiping_realloc;
    return sqlite3_config(SQLITE_CONFIG_MALLOC, &wiping);
}
