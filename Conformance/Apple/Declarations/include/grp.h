// Declarations of ours; see darwin.h.
// Pages: man 3 getgrent.
#pragma once
#include "_types.h"
struct group { char *_Null_unspecified gr_name, *_Null_unspecified gr_passwd; gid_t gr_gid; char *_Nullable *_Null_unspecified gr_mem; };
int getgrgid_r(gid_t gid, struct group *group, char *buffer, size_t size, struct group *_Nullable *_Nonnull result);
int getgrnam_r(const char *name, struct group *group, char *buffer, size_t size, struct group *_Nullable *_Nonnull result);
