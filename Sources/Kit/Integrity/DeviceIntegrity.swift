/// Looks at this process and the system around it. A check in the process itself stops the careless and informs a
/// server; it never stops whoever controls the process. Documentation/Integrity.md says what it is worth.
///
/// ```swift
/// let report = DeviceIntegrity.check()
/// print(report.summary)                                    // Nothing found by 8 checks; 2 could not be asked.
/// let verdict = IntegrityPolicy.release.verdict(on: report)
/// ```
public enum DeviceIntegrity {
    /// Runs all checks: files are looked at and read, nothing is written, no child is made, nothing is sent. Takes
    /// less than a millisecond on a desktop; blocks for that long.
    ///
    /// - Parameter expected: Beginnings of names under which this app itself maps code, for example `/memfd:libffi`
    ///   in an app with GTK, or its folder of plug-ins. Empty for most apps.
    public static func check(expecting expected: [String] = []) -> IntegrityReport {
        check(IntegritySurroundings.current(expecting: expected))
    }

    /// The same in surroundings of a test's own.
    package static func check(_ surroundings: IntegritySurroundings) -> IntegrityReport {
        let outcomes = IntegrityCheck.allCases.map { check in (check, surroundings.run(check)) }
        return IntegrityReport(
            checks: outcomes.filter(\.1.hasRun).map(\.0), findings: outcomes.flatMap(\.1.findings),
            gaps: outcomes.flatMap(\.1.gaps), notes: outcomes.flatMap(\.1.notes) + surroundings.missingCalls)
    }
}
