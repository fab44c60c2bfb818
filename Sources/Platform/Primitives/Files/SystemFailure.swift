#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// A call of the operating system failed: what was tried, on which path, with which error number.
///
/// The path is not a secret; contents never appear here.
public struct SystemFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was tried, for example `open` or `fsync`.
    public let operation: String
    /// The file or address it was tried on.
    public let path: String
    /// The error number, as `errno` has it.
    public let code: Int32
    /// What is wrong with the file and what mends it, where the system had no objection and Pavise has; else `nil`.
    package let refusal: String?
    /// The command that mends what Pavise refused, where there is one.
    package let remedy: String?
    /// Whether Pavise refused it because it belongs to another user: its bytes may be right, and its owner can give it
    /// back.
    package let isOfAnotherUser: Bool

    /// Carries a failure of `operation` on `path`.
    public init(operation: String, path: String, code: Int32) {
        self.operation = operation
        self.path = path
        self.code = code
        refusal = nil
        remedy = nil
        isOfAnotherUser = false
    }

    init(path: String, code: Int32, refusal: String, remedy: String?, isOfAnotherUser: Bool) {
        operation = "use"
        self.path = path
        self.code = code
        self.refusal = refusal
        self.remedy = remedy
        self.isOfAnotherUser = isOfAnotherUser
    }

    /// Whether what lies there was refused for what it is, as a link or a pipe: it says nothing later either.
    package var isRefusedForGood: Bool { refusal != nil && !isOfAnotherUser }

    /// Whether the file system has no room left (or the quota or size limit is reached).
    public var isDiskFull: Bool { code == ENOSPC || code == EDQUOT || code == EFBIG }

    /// Whether nothing is at the path.
    package var isNotThere: Bool { code == ENOENT }

    /// Another process holds the lock at `path`.
    package static func held(_ path: String) -> SystemFailure {
        SystemFailure(operation: "lock", path: path, code: EWOULDBLOCK)
    }

    /// Nothing is at `path`, where something must be.
    package static func notThere(_ path: String) -> SystemFailure {
        SystemFailure(operation: "open", path: path, code: ENOENT)
    }

    /// Whether a file has more bytes than its reader allows.
    package var isTooLarge: Bool { code == EFBIG }

    /// Whether the time given for the operation passed.
    public var isTimeout: Bool { code == ETIMEDOUT }

    /// Whether the path may not be written: permissions, or a read-only file system.
    public var isNotPermitted: Bool { refusal == nil && (code == EACCES || code == EPERM || code == EROFS) }

    /// Whether the path may not even be read: it is somebody else's. One that is not there is none of these.
    package var isUnreadable: Bool {
        guard isNotPermitted, unsafe access(path, R_OK) != 0 else { return false }
        return errno == EACCES || errno == EPERM
    }

    /// One sentence with the system's own words and, for the usual causes, what to do next.
    public var description: String {
        if let refusal { return refusal }
        let advice =
            switch code {
            case ENOSPC, EDQUOT: " Free some space and try again; nothing was changed."
            case EFBIG where operation == "read": " It holds more than is read here."
            case EFBIG: " The file-size limit is reached; nothing was changed."
            case EROFS: " The file system is read-only; set PAVISE_HOME to a folder that can be written."
            case EACCES, EPERM: " Check the owner and mode of the folder, or set PAVISE_HOME to another one."
            case EWOULDBLOCK where operation == "lock":
                " Another process is working with it; try again when that has ended."
            default: ""
            }
        return words + advice
    }

    /// The same without advice, for files that are not in Pavise's home.
    package var words: String { "\(operation) \(path): \(unsafe String(cString: strerror(code)))." }
}
