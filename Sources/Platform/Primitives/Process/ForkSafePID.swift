#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// The number of this process, without asking the kernel each time: what a process made is not for its child after
/// fork.
///
/// The number lies on a page that the kernel fills with zeros in a child (madvise(2), MADV_WIPEONFORK, Linux 4.14),
/// however the child was made. Where that cannot be had, the kernel is asked.
package enum ForkSafePID {
    // Safe to share: every thread of a process writes the same number.
    @safe private nonisolated(unsafe) static let page: UnsafeMutablePointer<Int32>? = {
        #if canImport(Glibc)
        let size = 4096
        let wipeOnFork: Int32 = 18
        let memory = unsafe mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let memory = unsafe memory, unsafe memory != MAP_FAILED else { return nil }
        guard unsafe madvise(memory, size, wipeOnFork) == 0 else {
            unsafe munmap(memory, size)
            return nil
        }
        return unsafe memory.bindMemory(to: Int32.self, capacity: 1)
        #else
        return nil
        #endif
    }()

    /// The number of this process.
    package static var current: Int32 {
        guard let page else { return getpid() }
        let known = unsafe page.pointee
        guard known == 0 else { return known }
        let number = getpid()
        unsafe page.pointee = number
        return number
    }
}
