internal import PavisePrimitives

/// A buffer that is made once for each open file, so that no page costs an allocation. Wiped when given up.
@safe
final class Scratch {
    /// All of its bytes.
    let bytes: UnsafeMutableRawBufferPointer

    init(_ count: Int) {
        unsafe bytes = .allocate(byteCount: count, alignment: 16)
        wipe()
    }

    /// A part of the bytes.
    subscript(range: Range<Int>) -> UnsafeMutableRawBufferPointer {
        unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[range])
    }

    /// Overwrites everything with zeros.
    func wipe() {
        // Plain stores in front of a deallocation are left out by the compiler.
        if let base = unsafe bytes.baseAddress { unsafe Wipe.memory(base, count: bytes.count) }
    }

    deinit {
        wipe()
        unsafe bytes.deallocate()
    }
}
