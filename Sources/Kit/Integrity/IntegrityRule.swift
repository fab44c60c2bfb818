/// The rules of the checks, each with its source and the date from which its text is.
public enum IntegrityRule: String, Hashable, Sendable, CaseIterable {
    /// A debugger or tracer is attached to this process.
    case debuggerAttached = "debugger-attached"
    /// Another process than the system's launcher started the app.
    case unusualParent = "unusual-parent"
    /// A file is mapped as code that the loader did not load.
    case codeOutsideLoader = "code-outside-loader"
    /// Code lies in a file that exists in memory alone.
    case codeInMemoryFile = "code-in-memory-file"
    /// The file of mapped code is gone.
    case codeDeleted = "code-deleted"
    /// Mapped code can be changed while it runs.
    case codeWritable = "code-writable"
    /// Code lies in memory that no file stands behind.
    case codeWithoutFile = "code-without-file"
    /// Others can replace a library of this process.
    case libraryReplaceable = "library-replaceable"
    /// A library comes from outside the system's folders and the program's own.
    case libraryElsewhere = "library-elsewhere"
    /// A library is one that changes other programs.
    case libraryKnown = "library-known"
    /// A variable makes the loader put a library into this process.
    case preloadVariable = "preload-variable"
    /// A file makes the loader put a library into every process.
    case preloadFile = "preload-file"
    /// Others can replace the program's file.
    case programReplaceable = "program-replaceable"
    /// The program's file belongs to another user.
    case programForeign = "program-foreign"
    /// The process has more rights than the one that started it.
    case raisedRights = "raised-rights"
    /// The process has rights of the administrator.
    case capabilities = "capabilities"
    /// The process runs as the administrator.
    case root = "root"
    /// A file of a jailbreak, a rootkit or an instrument is there.
    case suspiciousFile = "suspicious-file"
    /// A link stands where the system has a folder.
    case linkedFolder = "linked-folder"
    /// A file of the system could be opened for writing.
    case systemWritable = "system-writable"
    /// The kernel has loaded modules from outside its source.
    case kernelTainted = "kernel-tainted"

    /// What it is about.
    public var kind: IntegrityKind {
        switch self {
        case .debuggerAttached, .unusualParent: .debugger
        case .codeOutsideLoader, .codeInMemoryFile, .codeDeleted, .codeWritable, .codeWithoutFile, .libraryReplaceable,
            .libraryElsewhere, .libraryKnown, .preloadVariable, .preloadFile:
            .injectedCode
        case .programReplaceable, .programForeign: .program
        case .raisedRights, .capabilities, .root: .rights
        case .suspiciousFile, .linkedFolder: .suspiciousFile
        case .systemWritable: .sandbox
        case .kernelTainted: .system
        }
    }

    /// One sentence: what was seen.
    public var summary: String {
        switch self {
        case .debuggerAttached: "A debugger or tracer is attached to this process."
        case .unusualParent: "Another process than the system's launcher started the app."
        case .codeOutsideLoader: "A file is mapped as code that the loader did not load."
        case .codeInMemoryFile: "Code lies in a file that exists in memory alone."
        case .codeDeleted: "The file of mapped code is gone."
        case .codeWritable: "Mapped code can be changed while it runs."
        case .codeWithoutFile: "Code lies in memory that no file stands behind."
        case .libraryReplaceable: "Others can replace a library of this process."
        case .libraryElsewhere: "A library comes from outside the system's folders and the program's own."
        case .libraryKnown: "A library is one that changes other programs."
        case .preloadVariable: "A variable makes the loader put a library into this process."
        case .preloadFile: "A file makes the loader put a library into every process."
        case .programReplaceable: "Others can replace the program's file."
        case .programForeign: "The program's file belongs to another user."
        case .raisedRights: "The process has more rights than the one that started it."
        case .capabilities: "The process has rights of the administrator."
        case .root: "The process runs as the administrator."
        case .suspiciousFile: "A file of a jailbreak, a rootkit or an instrument is there."
        case .linkedFolder: "A link stands where the system has a folder."
        case .systemWritable: "A file of the system could be opened for writing."
        case .kernelTainted: "The kernel has loaded modules from outside its source."
        }
    }

    /// Where the rule comes from.
    public var source: String {
        switch self {
        case .debuggerAttached: "proc_pid_status(5) TracerPid; Apple QA1361; BSI TR-03161-1 O.Resi_3"
        case .unusualParent: "launchd(8)"
        case .codeOutsideLoader: "dl_iterate_phdr(3) against proc_pid_maps(5)"
        case .codeInMemoryFile, .codeDeleted, .codeWritable, .codeWithoutFile: "proc_pid_maps(5); MASTG-TEST-0241"
        case .libraryReplaceable, .libraryElsewhere: "ld.so(8); CWE-427"
        case .libraryKnown: "OWASP MASTG, Reverse Engineering Tools Detection"
        case .preloadVariable, .preloadFile:
            "ld.so(8), LD_PRELOAD, LD_AUDIT, /etc/ld.so.preload; iconv(3), GCONV_PATH; MITRE ATT&CK T1574.006"
        case .programReplaceable, .programForeign: "CWE-732"
        case .raisedRights: "getauxval(3) AT_SECURE; BSI TR-03161-1 O.Resi_4"
        case .capabilities: "capabilities(7); BSI TR-03161-1 O.Resi_4"
        case .root: "credentials(7); BSI TR-03161-1 O.Resi_4"
        case .suspiciousFile, .linkedFolder: "the list of files, each with its own source"
        case .systemWritable: "OWASP MASTG, Jailbreak Detection: sandbox escape"
        case .kernelTainted: "Linux kernel, admin-guide/tainted-kernels"
        }
    }

    /// The month from which the rule's text is. A report names it, so that an old false alarm is found.
    public var date: String { "2026-11" }
}
