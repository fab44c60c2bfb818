/// How the program ends: the number that a script sees.
package enum ProgramStatus: Int32, Sendable, CaseIterable {
    /// What was asked for is done.
    case done = 0
    /// Something failed that another try, or a repaired network or disk, may cure.
    case failed = 1
    /// The command line cannot be understood.
    case usage = 2
    /// A rule forbids it; the rule is printed.
    case refused = 3
    /// The session is over: connect again.
    case signInNeeded = 4
    /// The keychain is locked: unlock the device and try again.
    case locked = 5
    /// `ats diagnose` alone: a server could not be reached, so there is no verdict.
    case unreachable = 6
}
