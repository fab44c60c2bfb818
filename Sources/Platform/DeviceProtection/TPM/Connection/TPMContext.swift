internal import CPaviseTSS
internal import PavisePrimitives

#if canImport(Glibc)
internal import Glibc
#endif

/// One connection to a TPM, closed with the value.
///
/// The calls are thin: bytes in, bytes out, one failure type. What a caller loads or starts it must flush.
// Safe to share: every use is under the lock of the channel that owns the connection.
@safe
final class TPMContext: @unchecked Sendable {
    let pointer: OpaquePointer
    /// Whether the way to the TPM broke; nothing can be asked of it any more.
    private(set) var isBroken = false

    /// Connects; does not start the TPM.
    init(_ address: TPMAddress) throws(TPMFailure) {
        _ = Self.silence
        if let device = address.device, unsafe access(device, F_OK) == 0, !TPMAddress.mayUse(device) {
            throw TPMFailure(.noRights)
        }
        var opened: OpaquePointer?
        let code = unsafe pavise_tpm_open(
            address.text, Int32(clamping: min(max(1, address.patience.milliseconds), 86_400_000)), &opened)
        guard code == 0, let opened = unsafe opened else {
            let failure = TPMFailure(code: code)
            throw failure.kind == .silent ? failure : failure.meaning(.absent)
        }
        unsafe pointer = opened
    }

    // The stack prints each refusal, a wrong passcode too, unless its variable says otherwise, and with `all+trace` the
    // bytes that it unseals. It asks once per process, at its first call: what the variables said before has no effect.
    private static let silence: Void = {
        unsafe setenv("TSS2_LOG", "all+NONE", 1)
        unsafe unsetenv("TSS2_LOGFILE")
    }()

    /// Turns a code into a failure, and notes when the connection is gone.
    func check(_ code: UInt32) throws(TPMFailure) {
        guard code != 0 else { return }
        let failure = TPMFailure(code: code)
        if failure.kind == .absent || failure.kind == .silent { isBroken = true }
        throw failure
    }

    /// Starts a TPM that nobody started, as an emulator's is.
    func startUp() throws(TPMFailure) { try check(unsafe pavise_tpm_startup(pointer)) }

    /// The four letters by which the maker calls itself (TPM 2.0 part 2, TPM_PT_MANUFACTURER).
    func manufacturer() throws(TPMFailure) -> UInt32 {
        var value: UInt32 = 0
        try check(unsafe pavise_tpm_manufacturer(pointer, &value))
        return value
    }

    /// The kinds of handles (TPM 2.0 part 2, TPM_HT), by their first number.
    enum HandleRange: UInt32, CaseIterable {
        case indices = 0x0100_0000
        case sessions = 0x0200_0000
        case objects = 0x8000_0000

        /// Those that a forgotten flush leaves behind.
        static let loaded = [HandleRange.sessions, .objects]
    }

    /// The handles of one kind that are loaded, whoever loaded them; at most 64.
    func handles(_ range: HandleRange) throws(TPMFailure) -> [UInt32] {
        var handles = [UInt32](repeating: 0, count: 64)
        var count = handles.count
        try check(unsafe pavise_tpm_handles(pointer, range.rawValue, &handles, &count))
        return Array(handles.prefix(count))
    }

    /// Flushes a handle of a connection that ended.
    func flush(foreign handle: UInt32) throws(TPMFailure) {
        try check(unsafe pavise_tpm_flush_foreign(pointer, handle))
    }

    /// Flushes an object or session of this connection. It cannot fail in a way that anybody could answer: the next
    /// connection finds what is left.
    func flush(_ handle: TPMHandle) {
        guard !isBroken else { return }
        if unsafe pavise_tpm_flush(pointer, handle.number) >> 16 & 0xff == 10 { isBroken = true }
    }

    /// Gives the authorisation value that later commands use for `handle`.
    func authorise(_ handle: TPMHandle, _ value: Span<UInt8>) throws(TPMFailure) {
        let code = unsafe value.withUnsafeBytes {
            unsafe pavise_tpm_authorise(
                pointer, handle.number, $0.bindMemory(to: UInt8.self).baseAddress, $0.count)
        }
        try check(code)
    }

    /// The name of an object or index: what policies and states mean by it.
    func name(_ handle: TPMHandle) throws(TPMFailure) -> [UInt8] {
        try unsafe bytes { unsafe pavise_tpm_name(pointer, handle.number, $0, $1) }
    }

    /// Collects what a call writes into a buffer with room for 1,024 bytes.
    func bytes(
        _ call: (UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<Int>) -> UInt32
    ) throws(TPMFailure) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 1024)
        // A credential that was opened is among them.
        defer { Self.wipe(&buffer) }
        var count = buffer.count
        let code = unsafe buffer.withUnsafeMutableBufferPointer { buffer in
            unsafe withUnsafeMutablePointer(to: &count) { unsafe call(buffer.baseAddress, $0) }
        }
        try check(code)
        return Array(buffer.prefix(count))
    }

    /// Overwrites bytes, as the calls in C overwrite what they had of a secret.
    static func wipe(_ bytes: inout [UInt8]) {
        unsafe bytes.withUnsafeMutableBytes { unsafe pavise_tpm_wipe($0.baseAddress, $0.count) }
    }

    deinit { unsafe pavise_tpm_close(pointer) }
}

/// An object, session or index in one connection.
struct TPMHandle: Hashable {
    let number: UInt32
}
