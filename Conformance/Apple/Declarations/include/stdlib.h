// Declarations of ours; see darwin.h.
// Pages: man 3 and the name.
#pragma once
#include "_types.h"
typedef size_t rsize_t;
typedef int errno_t;
void exit(int status) __attribute__((noreturn));
void abort(void) __attribute__((noreturn));
char *_Nullable getenv(const char *name);
int setenv(const char *name, const char *value, int overwrite);
int unsetenv(const char *name);
char *_Nullable realpath(const char *path, char *_Nullable resolved);
void *_Nullable malloc(size_t size);
void *_Nullable calloc(size_t count, size_t size);
void *_Nullable realloc(void *_Nullable pointer, size_t size);
void free(void *_Nullable pointer);
int posix_memalign(void *_Nullable *_Nonnull pointer, size_t alignment, size_t size);
void arc4random_buf(void *bytes, size_t count);
void *memcpy(void *target, const void *source, size_t count);
void *memmove(void *target, const void *source, size_t count);
void *memset(void *target, int value, size_t count);
int memcmp(const void *a, const void *b, size_t count);
errno_t memset_s(void *_Nullable target, rsize_t maximum, int value, rsize_t count);
int timingsafe_bcmp(const void *a, const void *b, size_t count);
size_t strlen(const char *text);
size_t strnlen(const char *text, size_t maximum);
int strcmp(const char *a, const char *b);
char *_Nullable strdup(const char *text);
char *_Null_unspecified strerror(int code);
int strerror_r(int code, char *buffer, size_t size);
