/// What a program's file says about how it was built, for ELF and Mach-O alike.
package struct ProgramFacts: Hashable, Sendable {
    /// The formats that are read.
    package enum Format: String, Hashable, Sendable {
        case elf = "ELF"
        case machO = "Mach-O"
    }

    package let format: Format
    /// The processor, as the field calls it; a number where it has no name here.
    package var processor = ""
    /// Whether it can be started; else it is a library.
    package var isProgram = false
    package var isPositionIndependent = false
    /// Whether what the loader bound is read-only afterwards (RELRO); Mach-O has no such switch.
    package var hasReadOnlyRelocations = false
    /// Whether all calls into libraries are bound at the start (BIND_NOW).
    package var bindsAtStart = false
    package var hasExecutableStack = false
    /// Whether a part is writable and executable at once.
    package var hasWritableCode = false
    package var hasTextRelocations = false
    /// Folders in which libraries are looked for (RPATH, RUNPATH, LC_RPATH).
    package var searchPaths: [String] = []
    /// The libraries that it names.
    package var libraries: [String] = []
    /// The names that it takes from libraries.
    package var imports: Set<String> = []
    package var hasSymbols = false
    package var hasDebugInformation = false
    /// The build's identity: GNU build-id or LC_UUID, hexadecimal.
    package var identity: String?
    /// The property list of entitlements in the signature of a Mach-O file.
    package var entitlements: String?
    /// The names of entitlements in the other form of it, DER.
    package var entitlementNames: Set<String> = []
    /// Where code is that more than one processor has: the other slices of the file.
    package var otherSlices: [ProgramFacts] = []

    package init(format: Format) { self.format = format }
}

/// Why a file is not judged.
package enum ProgramProblem: Error, Hashable, Sendable {
    /// It is neither ELF nor Mach-O.
    case otherFormat
    /// It begins like one and its tables lead out of it.
    case damaged(String)
    /// It has more than one of what its format has once.
    case doubled(String)

    /// What a person reads.
    package var description: String {
        switch self {
        case .otherFormat: "It is neither an ELF nor a Mach-O file."
        case .damaged(let part): "It is damaged: \(part) leads out of the file."
        case .doubled(let part): "It is damaged: it has more than one \(part)."
        }
    }
}
