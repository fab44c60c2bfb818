/// A file that no untouched system has. The list is data: own work from public descriptions, each group with its
/// source.
package struct IndicatorFile: Hashable, Sendable {
    /// The whole path; it is never searched for inside another one.
    package let path: String
    /// What it belongs to.
    package let name: String
    /// How much it says that the file is there.
    package let strength: IntegrityStrength
    /// Who described it, and of when it is.
    package let source: String
    /// Whether only a link at the path is a sign: the folder itself belongs to the system.
    package let isLinkOnly: Bool

    static func group(
        _ name: String, _ strength: IntegrityStrength, _ source: String, _ paths: [String], isLinkOnly: Bool = false
    ) -> [IndicatorFile] {
        paths.map { path in
            IndicatorFile(path: path, name: name, strength: strength, source: source, isLinkOnly: isLinkOnly)
        }
    }
}
