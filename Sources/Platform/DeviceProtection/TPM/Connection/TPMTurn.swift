internal import CPaviseTSS
internal import PaviseCrypto
internal import PavisePrimitives

#if canImport(Glibc)
internal import Glibc
#endif

/// The turn of one user of a TPM that has no resource manager, across processes, users and homes.
///
/// Such a TPM (an emulator's, as tests have it) has one set of objects and sessions for everybody: whoever has the turn
/// may clear what others forgot. The kernel ends a turn with its process. Any user of the machine can take it, as any
/// can talk to an emulator: that keeps others out, and is told as what it is. A resource manager has no turns.
struct TPMTurn: ~Copyable {
    private let name: FileDescriptor

    /// The name of the turn at `address`.
    static func name(_ address: TPMAddress) -> String {
        "pavise-tpm-" + Hex.encode(Array(Hash.digest(.sha256, Array(address.text.utf8)).prefix(16)))
    }

    /// Waits for the turn at `address`.
    ///
    /// - Throws: ``TPMFailure/Kind/busy`` where a process of this user, or the administrator's, had it all the time,
    ///   and ``TPMFailure/Kind/turnTaken`` where it was anybody else.
    init(at address: TPMAddress, patience: Duration = .seconds(10)) throws(TPMFailure) {
        let name = Self.name(address)
        let clock = ContinuousClock()
        let deadline = clock.now + patience
        while true {
            let number = unsafe pavise_tpm_turn(name, name.utf8.count)
            if number >= 0 {
                self.name = FileDescriptor(owning: number, path: name)
                return
            }
            guard number == -EADDRINUSE, clock.now < deadline else { throw Self.refusal(name, number) }
            usleep(2_000)
        }
    }

    private static func refusal(_ name: String, _ number: Int32) -> TPMFailure {
        guard number == -EADDRINUSE else { return TPMFailure(.busy) }
        switch unsafe pavise_tpm_turn_holder(name, name.utf8.count) {
        // Too many ask at once.
        case 0, Int64(geteuid()), Int64(-EAGAIN): return TPMFailure(.busy)
        // Free again: somebody had a turn until now. Or held by what does not listen, which is no turn.
        case Int64(-ECONNREFUSED): return TPMFailure(isFree(name) ? .busy : .turnTaken)
        default: return TPMFailure(.turnTaken)
        }
    }

    private static func isFree(_ name: String) -> Bool {
        let number = unsafe pavise_tpm_turn(name, name.utf8.count)
        guard number >= 0 else { return false }
        _ = close(number)
        return true
    }
}
