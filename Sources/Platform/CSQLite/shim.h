// SQLite for the one Swift module that may import it: EncryptedDatabase.
// Only what the importer cannot see stands here: function-like macros and variadics, one shim each.
#pragma once
#include <pthread.h>
#include <sqlite3.h>
#include <stdint.h>
#include <sys/mman.h>

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

// Where the pages of its cache lie: blocks of one size, a page and what SQLite notes beside it, cut from one region. Beyond the first
// 2 MiB the kernel is asked for large pages: memory that was never used costs a scan as much as reading does
// (Documentation/Benchmarks.md). Nothing of it comes into core files. A block is zero when it is lent.
enum { PAVISE_BLOCK = 4480, PAVISE_LARGE_PAGE = 2 << 20, PAVISE_REGION = 64 << 20, PAVISE_KEPT = 4 << 20 };

struct pavise_sqlite_pages {
    pthread_mutex_t lock;
    char *start;          // Null where the system gives none: all comes from the allocator that is there.
    void *free;           // The first block that came back; the next one's address is in its first bytes.
    unsigned long fresh;  // From here on no block was lent since all of them were back.
    unsigned long lent;
};

static inline struct pavise_sqlite_pages *pavise_sqlite_pages(void) {
    static struct pavise_sqlite_pages pages = {PTHREAD_MUTEX_INITIALIZER, 0, 0, 0, 0};
    return &pages;
}

static inline void pavise_sqlite_reserve_pages(void) {
    char *memory = (char *)mmap(
        (void *)0, PAVISE_REGION + PAVISE_LARGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1,
        0);
    if (memory == (char *)MAP_FAILED) return;
    char *start = (char *)(((uintptr_t)memory + PAVISE_LARGE_PAGE - 1) & ~(uintptr_t)(PAVISE_LARGE_PAGE - 1));
    madvise(start, PAVISE_REGION, MADV_DONTDUMP);
    madvise(start + PAVISE_LARGE_PAGE, PAVISE_REGION - PAVISE_LARGE_PAGE, MADV_HUGEPAGE);
    pavise_sqlite_pages()->start = start;
}

static inline int pavise_sqlite_is_block(const void *memory) {
    const char *start = pavise_sqlite_pages()->start;
    return start && (uintptr_t)memory - (uintptr_t)start < PAVISE_REGION;
}

static inline void *pavise_sqlite_take_block(void) {
    struct pavise_sqlite_pages *pages = pavise_sqlite_pages();
    pthread_mutex_lock(&pages->lock);
    void *block = pages->free;
    if (block) {
        pages->free = *(void **)block;
        *(void **)block = (void *)0;
    } else if (pages->start && pages->fresh + PAVISE_BLOCK <= PAVISE_REGION) {
        block = pages->start + pages->fresh;
        pages->fresh += PAVISE_BLOCK;
    }
    if (block) pages->lent++;
    pthread_mutex_unlock(&pages->lock);
    return block;
}

static inline void pavise_sqlite_give_block(void *block) {
    struct pavise_sqlite_pages *pages = pavise_sqlite_pages();
    __builtin_memset(block, 0, PAVISE_BLOCK);
    pthread_mutex_lock(&pages->lock);
    *(void **)block = pages->free;
    pages->free = block;
    if (--pages->lent == 0) {
        // The system gets back what is more than a small database needs. The rest is zero but for the list, which begins anew.
        if (pages->fresh > PAVISE_KEPT) {
            madvise(pages->start + PAVISE_KEPT, PAVISE_REGION - PAVISE_KEPT, MADV_DONTNEED);
            pages->fresh = PAVISE_KEPT;
        }
        for (unsigned long place = 0; place < pages->fresh; place += PAVISE_BLOCK) *(void **)(pages->start + place) = (void *)0;
        pages->free = (void *)0;
        pages->fresh = 0;
    }
    pthread_mutex_unlock(&pages->lock);
}

static inline void *pavise_sqlite_malloc(int count) {
    void *block = count > 4096 && count <= PAVISE_BLOCK ? pavise_sqlite_take_block() : (void *)0;
    return block ? block : pavise_sqlite_memory()->xMalloc(count);
}
static inline int pavise_sqlite_size(void *memory) {
    return pavise_sqlite_is_block(memory) ? PAVISE_BLOCK : pavise_sqlite_memory()->xSize(memory);
}

static inline void pavise_sqlite_wiping_free(void *memory) {
    if (pavise_sqlite_is_block(memory)) {
        pavise_sqlite_give_block(memory);
        return;
    }
    int count = memory ? pavise_sqlite_memory()->xSize(memory) : 0;
    if (count > 0) __builtin_memset(memory, 0, (unsigned long)count);
    // The compiler may leave out stores in front of a free; it may not where it cannot know who looks.
    __asm__ __volatile__("" : : "r"(memory) : "memory");
    pavise_sqlite_memory()->xFree(memory);
}
static inline void *pavise_sqlite_wiping_realloc(void *memory, int count) {
    int old = pavise_sqlite_size(memory);
    if (count <= old && count > old / 2) return memory;
    void *other = pavise_sqlite_malloc(count);
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
    pavise_sqlite_reserve_pages();
    wiping.xMalloc = pavise_sqlite_malloc;
    wiping.xSize = pavise_sqlite_size;
    wiping.xFree = pavise_sqlite_wiping_free;
    wiping.xRealloc = pavise_sqlite_wiping_realloc;
    return sqlite3_config(SQLITE_CONFIG_MALLOC, &wiping);
}
