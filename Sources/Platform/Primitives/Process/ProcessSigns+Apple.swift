#if canImport(Darwin)
internal import Darwin

/// What Apple's systems tell a process about itself: documented calls alone, and none that changes anything.
package enum ProcessSigns {
    /// Whether a debugger traces this process (`P_TRACED` of sysctl(3), Apple's Technical Q&A QA1361); `nil` where
    /// the system does not say.
    package static var isTraced: Bool? {
        var facts = kinfo_proc()
        var size = MemoryLayout<kinfo_proc>.stride
        var name = [CTL_KERN, KERN_PROC, KERN_PROC_PID, getpid()]
        let count = UInt32(name.count)
        guard unsafe sysctl(&name, count, &facts, &size, nil, 0) == 0 else { return nil }
        return facts.kp_proc.p_flag & P_TRACED != 0
    }

    /// The number of the process that started this one; 1 is launchd, which starts apps.
    package static var parent: Int32 { getppid() }

    /// The paths of all images in this process, the program's own first (dyld(3)).
    package static var images: [String] {
        (0..<_dyld_image_count()).compactMap { index in
            guard let name = unsafe _dyld_get_image_name(index) else { return nil }
            return unsafe String(cString: name)
        }
    }

    /// Not asked: the call that says it is one that Apple wants a reason for, and none of Apple's reasons is this one.
    package static func isReadOnly(_ path: String) -> Bool? { nil }
}
#endif
