internal import CPaviseTSS
internal import PaviseCrypto
internal import PavisePrimitives

#if canImport(Glibc)
internal import Glibc
#endif

/// The turn of one user of a TPM that has no resource manager, across processes, users and homes.
///
/// Such a TPM (an emulator's, as tests have it) has one set of objects and sessions for everybody: whoever has the turn may
/// clear what others forgot. The kernel ends a turn with its process.
struct TPMTurn: ~Copyable {
    private let name: FileDescriptor

    /// Waits for the turn at `address`, at most ten seconds.
    init(at address: TPMAddress) throws(TPMFailure) {
        let digest = Hash.digest(.sha256, Array(address.text.utf8))
        let name = "pavise-tpm-" + Hex.encode(Array(digest.prefix(16)))
        let clock = ContinuousClock()
        let deadline = clock.now + .seconds(10)
        while true {
            let number = unsafe pavise_tpm_turn(name, name.utf8.count)
            if number >= 0 {
                self.name = FileDescriptor(owning: number, path: name)
                return
            }
            guard number == -EADDRINUSE, clock.now < deadline else { throw TPMFailure(.busy) }
            usleep(2_000)
        }
    }
}
