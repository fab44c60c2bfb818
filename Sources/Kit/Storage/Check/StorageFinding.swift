/// Something that must not lie where it lies. It never holds the value that was found.
public struct StorageFinding: Hashable, Sendable {
    /// What it breaks.
    public let rule: StorageRule
    /// The file or folder, below the folder that was checked.
    public let path: String
    /// The line from 1, in files of text; `nil` in binary files and for findings about a whole file.
    public let line: Int?
    /// What was seen, without the value: the name it stood under, its kind, its length.
    public let detail: String

    package init(_ rule: StorageRule, path: String, line: Int? = nil, detail: String) {
        self.rule = rule
        self.path = path
        self.line = line
        self.detail = detail
    }
}
