/// The commit of the source. `git archive` writes it here (.gitattributes); a release is built from such an archive.
enum SourceCommit {
    private static let archived = "$Format:%H$"

    static let id = archived.hasPrefix("$") ? "unknown" : archived
}
