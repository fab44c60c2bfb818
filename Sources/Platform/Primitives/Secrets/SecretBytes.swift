#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// Bytes that must not be copied, printed or left behind: a token, a password, a key.
///
/// The value has one owner, a fixed size, and lends its bytes as a `Span`. When the owner goes away,
/// on the normal path or on the error path, every byte is overwritten with zero before the memory is freed.
/// The compiler refuses to print it, to copy it and to put it into a copyable type.
///
/// ```swift
/// let key = try SecretBytes.random(count: 32)
/// key.withBytes { bytes in use(bytes) }
/// ```
///
/// The bytes lie in pages of their own, which Pavise asks the system to keep in memory (`mlock2`), out of core files
/// (`MADV_DONTDUMP`) and out of children that fork (`MADV_DONTFORK`). Where the system refuses one of these, for
/// example beyond the limit of locked memory (`RLIMIT_MEMLOCK`), the secret is kept without it:
/// ``MemoryProtection/pages`` says what was granted, and SECURITY.md what it does not cover. Secrets of more than 1 MiB
/// are not locked.
@safe
public struct SecretBytes: ~Copyable {
    private let storage: UnsafeMutableBufferPointer<UInt8>

    /// Makes `count` zero bytes and lets `fill` write them.
    ///
    /// - Parameters:
    ///   - count: The size in bytes. It never changes.
    ///   - fill: Writes the bytes in place, so that they never exist anywhere else.
    /// - Throws: What `fill` throws. The bytes written so far are wiped first.
    public init<Failure: Error>(
        count: Int, fill: (inout MutableSpan<UInt8>) throws(Failure) -> Void
    ) throws(Failure) {
        let storage = unsafe SecretMemory.allocate(count)
        unsafe self.storage = storage
        var span = unsafe storage.mutableSpan
        try fill(&span)
    }

    /// Copies `bytes` into memory of its own. The caller still owns, and should wipe, the original.
    public init(copying bytes: Span<UInt8>) {
        self.init(count: bytes.count) { target in
            for index in bytes.indices { target[index] = bytes[index] }
        }
    }

    /// Copies the UTF-8 bytes of `text`.
    ///
    /// A `String` cannot be wiped: use this only at a boundary that already gave a string.
    public init(utf8 text: String) {
        let bytes = text.utf8
        self.init(count: bytes.count) { target in
            var index = 0
            for byte in bytes {
                target[index] = byte
                index += 1
            }
        }
    }

    /// Makes `count` bytes from the kernel's random generator.
    ///
    /// - Throws: ``EntropyFailure`` when the kernel refuses, which does not happen on a booted system.
    public static func random(count: Int) throws(EntropyFailure) -> SecretBytes {
        try SecretBytes(count: count) { span throws(EntropyFailure) in
            try Entropy.kernel.fill(&span)
        }
    }

    /// The size in bytes.
    public var count: Int { unsafe storage.count }

    /// Lends the bytes to `body`; the span cannot outlive the call.
    public borrowing func withBytes<Result: ~Copyable, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(unsafe storage.span)
    }

    /// Compares without stopping at the first difference.
    ///
    /// The lengths are compared first and are not secret.
    public borrowing func matches(_ other: borrowing SecretBytes) -> Bool {
        unsafe ConstantTime.equal(storage.span, other.storage.span)
    }

    /// Makes a second owner with a copy of the same bytes, for the rare case that two are needed.
    public borrowing func duplicate() -> SecretBytes {
        SecretBytes(copying: unsafe storage.span)
    }

    deinit {
        if let base = unsafe storage.baseAddress {
            unsafe Wipe.memory(base, count: storage.count)
        }
        unsafe SecretMemory.free(storage)
    }
}

// Safe to share: the bytes never change after `init`, and one owner frees them.
extension SecretBytes: @unchecked Sendable {}

/// Overwrites bytes of a buffer that is about to be given up.
package enum Wipe {
    /// Writes zero over every byte; the compiler may not leave it out.
    package static func bytes(_ bytes: inout [UInt8]) {
        unsafe bytes.withUnsafeMutableBytes { buffer in
            if let base = buffer.baseAddress { unsafe memory(base, count: buffer.count) }
        }
        bytes.removeAll()
    }

    /// The same for memory of the caller's, also just before it is given back.
    package static func memory(_ base: UnsafeMutableRawPointer, count: Int) {
        #if canImport(Glibc)
        unsafe explicit_bzero(base, count)
        #else
        _ = unsafe memset_s(base, count, 0, count)
        #endif
    }
}
