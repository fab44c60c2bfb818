#if canImport(Glibc)
internal import Glibc
#endif

/// The program that runs.
package enum ThisProgram {
    /// The path of its file; `nil` where the system does not tell, and always on Apple's systems, which read the property list
    /// of an app themselves.
    package static var path: String? {
        #if canImport(Glibc)
        var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe bytes.withUnsafeMutableBytes { buffer in
            guard let start = buffer.baseAddress else { return 0 }
            return unsafe readlink("/proc/self/exe", start.assumingMemoryBound(to: CChar.self), buffer.count)
        }
        return count > 0 && count < bytes.count ? String(decoding: bytes.prefix(count), as: UTF8.self) : nil
        #else
        return nil
        #endif
    }
}
