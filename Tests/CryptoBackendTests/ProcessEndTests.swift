import Glibc
import PaviseCrypto
import Testing

@Suite struct ProcessEndTests {
    // The client's thread may close connections while main ends. With OpenSSL's locks gone it would crash there.
    @Test func `OpenSSL is whole until the process is gone`() async {
        await #expect(processExitsWith: .exitCode(0)) {
            _ = Hash.digest(.sha256, [1])
            typealias Handler = @convention(c) () -> Void
            typealias AtCleanup = @convention(c) (Handler) -> Int32
            guard let found = unsafe dlsym(nil, "OPENSSL_atexit") else { exit(4) }
            let atCleanup = unsafe unsafeBitCast(found, to: AtCleanup.self)
            guard atCleanup({ _exit(3) }) == 1 else { exit(5) }
            exit(0)
        }
    }
}
