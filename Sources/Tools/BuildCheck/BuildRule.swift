/// What a program for people must not be, each as one rule of the build check.
package enum BuildRule: String, CaseIterable, Hashable, Sendable {
    case debugSwitch = "debug-switch"
    case switchNotFound = "debug-switch-not-found"
    case debugFlag = "debug-flag"
    case instrumented = "instrumented"
    case host = "test-host"
    case environmentName = "environment-name"
    case buildPath = "build-path"
    case entitlement = "entitlement"
    case library = "library"
    case notPositionIndependent = "not-position-independent"
    case noReadOnlyRelocations = "no-relro"
    case bindsLate = "no-bind-now"
    case executableStack = "executable-stack"
    case writableCode = "writable-code"
    case textRelocations = "text-relocations"
    case searchPath = "search-path"
    case noStackProtector = "no-stack-protector"
    case notFortified = "not-fortified"
    case symbols = "symbols"
    case debugInformation = "debug-information"

    /// How much a finding matters.
    package enum Severity: String, Hashable, Sendable { case error, warning }

    /// An attacker uses it, or a person could switch it on: an error. It only tells too much: a warning.
    package var severity: Severity {
        switch self {
        case .symbols, .noStackProtector, .notFortified, .library: .warning
        default: .error
        }
    }

    /// One sentence: what was found.
    package var summary: String {
        switch self {
        case .debugSwitch: "A switch for developers was compiled in."
        case .switchNotFound:
            "A declared switch is not in the debug build, so that its absence elsewhere proves nothing."
        case .debugFlag: "The program names a compiler flag of debug builds."
        case .instrumented: "The program carries the runtime of a sanitizer, of coverage or of unoptimized code."
        case .host: "The program names a host of tests."
        case .environmentName: "The program reads a variable of the environment that is not declared."
        case .buildPath: "The program names a folder of the machine that built it."
        case .entitlement: "The program has an entitlement that is not declared."
        case .library: "The program needs a library that is not declared."
        case .notPositionIndependent: "The program is always at the same address."
        case .noReadOnlyRelocations: "What the loader binds stays writable (no RELRO)."
        case .bindsLate: "Calls into libraries are bound late, so that their table stays writable (no BIND_NOW)."
        case .executableStack: "The stack is executable."
        case .writableCode: "A part is writable and executable at once."
        case .textRelocations: "The loader has to write into the code."
        case .searchPath: "Libraries are looked for in a folder that the program names."
        case .noStackProtector: "Nothing shows that its C looks after its stack."
        case .notFortified: "Nothing shows that its C is fortified (_FORTIFY_SOURCE)."
        case .symbols: "The program carries the names of its own functions."
        case .debugInformation: "The program carries information for debuggers."
        }
    }

    /// One sentence: what to do.
    package var remedy: String {
        switch self {
        case .debugSwitch: "Put it inside #if DEBUG, and build for release."
        case .switchNotFound: "Declare the switch where it is, or take its name off the list."
        case .debugFlag, .instrumented:
            "Build for release: without sanitizers and coverage, nothing made testable, DEBUG not defined."
        case .host: "Take the host out, or declare it in the policy with the reason."
        case .environmentName: "Declare the variable in the policy, with the reason why it is harmless."
        case .buildPath:
            "Compile with -file-prefix-map and -ffile-prefix-map; write #fileID in place of the whole path."
        case .entitlement: "Take the entitlement out of the signature, or declare it in the policy."
        case .library: "Declare the library in the policy."
        case .notPositionIndependent: "Link with -pie."
        case .noReadOnlyRelocations: "Link with -z relro."
        case .bindsLate: "Link with -z now."
        case .executableStack: "Link with -z noexecstack."
        case .writableCode: "Find the section with the flags “wx”."
        case .textRelocations: "Compile with -fPIC."
        case .searchPath: "Link without -rpath; whoever can write to that folder is in the program."
        case .noStackProtector: "Compile C with -fstack-protector-strong."
        case .notFortified: "Compile C with -O2 -D_FORTIFY_SOURCE=2."
        case .symbols, .debugInformation: "Strip the program, and keep its symbols in a file of their own."
        }
    }

    /// Where the rule comes from.
    package var source: String {
        switch self {
        case .debugSwitch, .switchNotFound, .debugFlag, .instrumented, .host, .environmentName:
            "BSI TR-03161-1 O.Source_8; MASVS-RESILIENCE-3"
        case .buildPath, .symbols, .debugInformation: "BSI TR-03161-1 O.Resi_8"
        case .entitlement: "Apple, get-task-allow"
        case .library: "BSI TR-03161-1 O.TrdP_1"
        default: "BSI TR-03161-1 O.Source_9; CWE-693"
        }
    }
}

/// One thing that was found in a program's file.
package struct BuildFinding: Hashable, Sendable {
    package let rule: BuildRule
    /// What was seen, with nothing of the file that a person could not read.
    package let evidence: String

    package init(_ rule: BuildRule, _ evidence: String) {
        self.rule = rule
        self.evidence = evidence
    }
}
