/// How much a finding says. It is never proof: whoever controls the process can hide everything from it.
public enum IntegrityStrength: Int, Hashable, Sendable, CaseIterable, Comparable {
    /// It happens on untouched systems too; worth a line in a report.
    case hint
    /// Rare on untouched systems.
    case likely
    /// No untouched system that is known shows it.
    case certain

    /// By what they say.
    public static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
}

/// What a finding is about. Two findings of one kind can have one cause.
public enum IntegrityKind: String, Hashable, Sendable, CaseIterable {
    /// A debugger or tracer at this process (BSI TR-03161-1, O.Resi_3).
    case debugger
    /// Code in this process that does not belong to it.
    case injectedCode
    /// The program's file could be replaced by others.
    case program
    /// More rights than an app needs (O.Resi_4).
    case rights
    /// Files of jailbreaks, rootkits and instruments.
    case suspiciousFile
    /// A file could be written that no app may write.
    case sandbox
    /// The system below: kernel, boot, firmware.
    case system
}
