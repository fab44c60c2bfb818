internal import CPavisePlatform

/// How this process meets limits of the system.
package enum ProcessLimits {
    /// Lets a write beyond the file-size limit be a failure (`EFBIG`) instead of the end of the process.
    package static func reportAsFailures() { pavise_report_file_size_limit() }
}

/// Keeps the memory of this process out of what a crash leaves behind.
package enum MemoryProtection {
    /// Forbids core files, tracing by other processes of the same user, and the runtime's crash report.
    ///
    /// A program calls this first, before it has read a secret. Both steps hold until the process ends.
    ///
    /// - Throws: What the kernel says when it refuses, which does not happen on Linux.
    package static func start() throws(SystemFailure) {
        pavise_forbid_crash_reports()
        let code = pavise_forbid_core_files()
        guard code == 0 else { throw SystemFailure(operation: "prctl", path: "PR_SET_DUMPABLE", code: code) }
    }
}
