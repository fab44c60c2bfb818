// Extended attributes of files (xattr(7)), which glibc's module for Swift does not show: what the stand-ins keep with a file.
// Like Apple's they belong to the file itself: they go along when it gets another name, and are gone with a new file of
// that name.
#pragma once
#include <errno.h>
#include <string.h>
#include <sys/xattr.h>

// 0, or errno.
static inline int file_attribute_set(const char *path, const char *name, const char *value) {
    return setxattr(path, name, value, strlen(value), 0) == 0 ? 0 : errno;
}

// The length, 0 where the file has none of this name, or a negative errno.
static inline long file_attribute_read(const char *path, const char *name, char *buffer, unsigned long size) {
    long count = getxattr(path, name, buffer, size);
    return count >= 0 ? count : errno == ENODATA ? 0 : -errno;
}
