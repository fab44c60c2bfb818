// Declarations of ours; see darwin.h.
// Pages: man 3 getpwent.
#pragma once
#include "_types.h"
struct passwd {
    char *_Null_unspecified pw_name, *_Null_unspecified pw_passwd;
    uid_t pw_uid;
    gid_t pw_gid;
    time_t pw_change;
    char *_Null_unspecified pw_class, *_Null_unspecified pw_gecos, *_Null_unspecified pw_dir, *_Null_unspecified pw_shell;
    time_t pw_expire;
};
int getpwuid_r(
    uid_t user, struct passwd *entry, char *buffer, size_t size, struct passwd *_Nullable *_Nonnull result);
