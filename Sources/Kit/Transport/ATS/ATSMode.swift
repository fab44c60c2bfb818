/// Which version of ATS decides: its rules changed between versions of Apple's systems.
public enum ATSMode: String, Hashable, Sendable, CaseIterable {
    /// iOS 17, macOS 14 and later: only direct addresses are local, and addresses can have exceptions.
    case current
    /// iOS 10 to 16, macOS 10.12 to 13: every address is local, and none can have an exception.
    case ios16
    /// iOS 9, macOS 10.11: nothing is local, and the three narrow keys are unknown.
    case ios9
    /// Linked against an SDK before iOS 9 and macOS 10.11: there is no ATS.
    case beforeATS
}

/// Which of two descriptions of ATS a decision follows.
public enum ATSProfile: Hashable, Sendable {
    /// What Apple's published code does.
    case current
    /// What Apple's documentation says, where that differs.
    case documented
}
