/// The commit of the source. `make release` writes this file anew in the copy that it builds and archives.
enum SourceCommit {
    static let id = "unknown"
}
