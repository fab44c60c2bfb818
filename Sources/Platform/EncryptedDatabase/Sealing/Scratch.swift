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
    func wipe() { unsafe bytes.initializeMemory(as: UInt8.self, repeating: 0) }

    deinit {
        wipe()
        unsafe bytes.deallocate()
    }
}
