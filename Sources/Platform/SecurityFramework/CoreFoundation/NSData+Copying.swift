package import Foundation

// Foundation on Linux turns an NSData into Data by asking for one byte after the other (Documentation/Benchmarks.md).
// These copy in one go; the other direction (`as CFData`) needs no such help.
extension NSData {
    /// A copy as an array.
    package var copiedBytes: [UInt8] { unsafe [UInt8](UnsafeRawBufferPointer(start: bytes, count: length)) }

    /// A copy as `Data`.
    package var copied: Data { unsafe Data(UnsafeRawBufferPointer(start: bytes, count: length)) }
}
