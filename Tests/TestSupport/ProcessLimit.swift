#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// Limits of this process, for children of tests. The limits' names have another type on each system.
public enum ProcessLimit {
    /// No file is written beyond `bytes` from now on.
    public static func fileSize(_ bytes: UInt64) {
        #if canImport(Glibc)
        set(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), bytes)
        #else
        set(RLIMIT_FSIZE, bytes)
        #endif
    }

    #if canImport(Glibc)
    /// No file, socket or pipe is opened while `body` runs.
    public static func noMoreFiles(while body: () -> Void) {
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        precondition(unsafe getrlimit(resource, &limit) == 0)
        let usual = limit.rlim_cur
        limit.rlim_cur = 0
        precondition(unsafe setrlimit(resource, &limit) == 0)
        body()
        limit.rlim_cur = usual
        precondition(unsafe setrlimit(resource, &limit) == 0)
    }

    private static func set(_ resource: __rlimit_resource_t, _ bytes: UInt64) {
        var limit = rlimit(rlim_cur: rlim_t(bytes), rlim_max: rlim_t(bytes))
        precondition(unsafe setrlimit(resource, &limit) == 0)
    }
    #else
    private static func set(_ resource: Int32, _ bytes: UInt64) {
        var limit = rlimit(rlim_cur: rlim_t(bytes), rlim_max: rlim_t(bytes))
        precondition(unsafe setrlimit(resource, &limit) == 0)
    }
    #endif
}
