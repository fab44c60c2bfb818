package import PavisePrimitives

extension PaviseHome {
    /// The folder of the security audit trail.
    package var audit: String { path + "/audit" }
    /// The folder of the last log lines, encrypted.
    package var supportLog: String { path + "/log" }
}
