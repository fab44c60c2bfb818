internal import CPavisePlatform

/// How this process meets limits of the system.
package enum ProcessLimits {
    /// Lets a write beyond the file-size limit be a failure (`EFBIG`) instead of the end of the process.
    package static func reportAsFailures() { pavise_report_file_size_limit() }
}

/// Keeps the memory of this process out of what a crash leaves behind and out of reach of the user's other programs.
///
/// A library cannot decide this for the program it is part of: an app calls ``start()`` itself, first in its `main`.
/// `pavise` does.
///
/// ```swift
/// static func main() throws {
///     try MemoryProtection.start()
///     // Secrets may be read from here on.
/// }
/// ```
///
/// Root, and whoever may load code into the process, can read its memory all the same (prctl(2), ptrace(2)).
public enum MemoryProtection {
    /// Forbids core files, tracing by other processes of the same user, and the runtime's crash report, until the
    /// process ends.
    ///
    /// On Linux this is `PR_SET_DUMPABLE` 0, which a later `execve` undoes, and the default action for the signals of a
    /// crash in place of the Swift runtime's backtrace, which prints registers and memory. On Apple's systems it is a
    /// limit of 0 for core files and the same signals; whether others may attach, the system decides by the program's
    /// entitlements there.
    ///
    /// Does not block. Call it before the first secret is read; twice is fine. A crash reporter that is installed later
    /// catches the signals again.
    ///
    /// - Throws: ``SystemFailure`` with what the kernel says when it refuses, which does not happen on Linux.
    public static func start() throws(SystemFailure) {
        _ = StartVariables.names
        pavise_forbid_crash_reports()
        let code = pavise_forbid_core_files()
        guard code == 0 else { throw SystemFailure(operation: "prctl", path: "PR_SET_DUMPABLE", code: code) }
    }

    /// Whether core files of this process are forbidden now; on Linux that forbids tracing by the user's other
    /// processes too.
    public static var isActive: Bool { pavise_allows_core_files() == 0 }

    /// What the system granted for the pages in which ``SecretBytes`` lie.
    public struct Pages: Hashable, Sendable {
        /// They stay in memory and are never written to a swap area (hibernation writes all memory).
        public let areLocked: Bool
        /// They are left out of core files. Always `false` on Apple's systems, where ``start()`` forbids core files.
        public let areNotDumped: Bool
        /// A child that forks does not have them.
        public let areNotForked: Bool
    }

    /// What the system granted for every page of secrets so far. Without the right to lock (`RLIMIT_MEMLOCK` of 0, for
    /// example) secrets are kept all the same.
    public static var pages: Pages {
        let granted = SecretMemory.granted
        return Pages(
            areLocked: granted & Int32(pavise_pages_locked) != 0,
            areNotDumped: granted & Int32(pavise_pages_not_dumped) != 0,
            areNotForked: granted & Int32(pavise_pages_not_forked) != 0)
    }
}
