// Declarations of ours; see darwin.h.
// Pages: man 3 directory, man 5 dir.
#pragma once
#include "_types.h"
typedef struct { int __dd_fd; long __dd_loc, __dd_size; char *_Null_unspecified __dd_buf; } DIR;
struct dirent { ino_t d_ino; uint64_t d_seekoff; uint16_t d_reclen; uint16_t d_namlen; uint8_t d_type; char d_name[1024]; };
#define DT_UNKNOWN 0
#define DT_DIR 4
#define DT_REG 8
#define DT_LNK 10
DIR *_Nullable opendir(const char *path);
DIR *_Nullable fdopendir(int descriptor);
struct dirent *_Nullable readdir(DIR *directory);
int closedir(DIR *directory);
int dirfd(DIR *directory);
