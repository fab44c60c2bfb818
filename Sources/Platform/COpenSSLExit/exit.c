#include "CPaviseOpenSSLExit.h"
#include <openssl/crypto.h>
#include <openssl/opensslv.h>
#include <stdlib.h>

// OpenSSL frees its locks and tables in a handler of atexit, and does not ask whether other threads are at work. The client's
// thread closes connections when the last of their users is gone, which in a short program is the moment before it ends: it then
// came upon a lock that was no more (SIGSEGV). The first call in a process decides, so this one is made before main. The memory
// goes back to the system either way. (OPENSSL_init_crypto(3), OPENSSL_INIT_NO_ATEXIT.)
//
// The same call says that no configuration is loaded: OPENSSL_CONF, and the system's openssl.cnf, could name modules to load and
// settings for every connection. Whoever asks for it later, libcurl does, gets none (OPENSSL_INIT_NO_LOAD_CONFIG).
//
// OpenSSL 3.5 can be built to write the keys of connections to the file that SSLKEYLOGFILE names, with no call that takes it back.
__attribute__((constructor)) static void outlive_exit(void) {
    // It fails where there is no memory; then OpenSSL's next call fails as well, and says so.
    (void)OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT | OPENSSL_INIT_NO_LOAD_CONFIG, NULL);
#if OPENSSL_VERSION_NUMBER >= 0x30500000L && !defined(OPENSSL_NO_SSLKEYLOG)
    (void)unsetenv("SSLKEYLOGFILE");
#endif
}
