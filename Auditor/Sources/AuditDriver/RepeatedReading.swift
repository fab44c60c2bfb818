package import AuditCore
internal import Foundation

/// Reads files again for ``SecondPass``, or finds in the cache what was said of them when they were told the same.
package struct RepeatedReading {
    private let folder: SourceFolder
    private let cache: ReportCache?
    private let jobs: Int
    private let command: [String]
    /// Something was read that the cache did not have.
    package private(set) var isNew = false
    /// What was said, with the digest of what the file was told.
    package private(set) var all: [(told: String, report: FileReport)] = []

    package init(_ folder: SourceFolder, _ cache: ReportCache?, _ jobs: Int, command: [String] = WorkerPool.own) {
        self.folder = folder
        self.cache = cache
        self.jobs = jobs
        self.command = command
    }

    /// - Parameter first: What was said of all files when they were read first.
    package mutating func read(_ requests: [String: ForeignCalls], _ first: [FileReport]) -> [FileReport] {
        var result: [FileReport] = []
        var files: [(path: String, size: Int)] = []
        var told: [String: String] = [:]
        for report in first {
            guard let calls = requests[report.file] else { continue }
            let digest = SHA256.hex([UInt8](calls.text))
            told[report.file] = digest
            if let known = cache?.report(report, told: digest, below: folder.root) {
                result.append(known)
            } else {
                files.append((report.file, report.size ?? 0))
            }
        }
        for (root, files) in folder.groups(files) {
            isNew = true
            // A worker takes a tenth of a second to begin: a few files are not worth a second one.
            let jobs = min(jobs, files.count / 8 + 1)
            result += WorkerPool(files: files, root: root, command: command, foreign: requests).run(jobs: jobs)
        }
        all += result.map { (told[$0.file] ?? "", $0) }
        return result
    }
}
