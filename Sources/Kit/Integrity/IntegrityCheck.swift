/// The checks, in the order in which they run.
public enum IntegrityCheck: String, Hashable, Sendable, CaseIterable {
    /// Whether somebody traces this process.
    case debugger
    /// The rights it runs with.
    case rights
    /// The code that is mapped into it.
    case code
    /// What makes the loader add libraries.
    case loader
    /// The program's own file.
    case program
    /// Files that are not there on an untouched system.
    case files
    /// Whether a file of the system can be opened for writing.
    case sandbox
    /// What the kernel says about itself.
    case kernel
}
