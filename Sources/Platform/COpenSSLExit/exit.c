#include "CPaviseOpenSSLExit.h"
#include <openssl/crypto.h>

// OpenSSL frees its locks and tables in a handler of atexit, and does not ask whether other threads are at work. The client's
// thread closes connections when the last of their users is gone, which in a short program is the moment before it ends: it then
// came upon a lock that was no more (SIGSEGV). The first call in a process decides, so this one is made before main. The memory
// goes back to the system either way. (OPENSSL_init_crypto(3), OPENSSL_INIT_NO_ATEXIT.)
__attribute__((constructor)) static void outlive_exit(void) {
    // It fails where there is no memory; then OpenSSL's next call fails as well, and says so.
    (void)OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT, NULL);
}
