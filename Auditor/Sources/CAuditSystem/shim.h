// What the auditor takes of the system: OpenSSL's digests and signatures, and the loader's list of libraries.
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <stddef.h>
#if defined(__linux__)
// dl_iterate_phdr(3), which link.h declares under _GNU_SOURCE alone; with that, other C modules of Swift would differ from this one.
// The first two members, which are always there.
struct audit_library {
    size_t address;
    const char *_Nullable name;
};
int dl_iterate_phdr(int (*_Nonnull callback)(struct audit_library *_Nonnull, size_t, void *_Nonnull), void *_Nonnull data);
#endif
