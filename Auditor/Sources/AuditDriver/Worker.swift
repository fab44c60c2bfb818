internal import AuditCore
internal import Foundation

/// The child: a path a line in, a report a line out. After the path may stand a zero byte, and what other files' functions
/// do as JSON (``ForeignCalls``). It may hang or crash; its parent ends it then.
package enum Worker {
    /// - Parameter root: The folder that was asked for; what lies above it says nothing about its files.
    package static func run(root: String = "") -> Never {
        // Deep sources recurse deeply: the thread's stack is of 512 MB, which costs only what is touched.
        let thread = Thread {
            let encoder = JSONEncoder()
            let names = NameTable()
            // Ready: loading the libraries does not count against the first file.
            FileHandle.standardOutput.write(Data([10]))
            while let line = readLine() {
                let report: FileReport
                let parts = line.utf8.split(separator: 0, maxSplits: 1).map { String(Substring($0)) }
                let path = parts.first ?? ""
                let foreign =
                    parts.count > 1 ? try? JSONDecoder().decode(ForeignCalls.self, from: Data(parts[1].utf8)) : nil
                if parts.count > 1, foreign == nil { exit(70) }
                // A path may be a link that the person named; the others were looked at before.
                switch BoundedFile.read(path, limit: FileKind.limit(path), followsLinks: true) {
                case .bytes(let data):
                    report = Analyzer.analyze(data, file: path, root: root, names: names, foreign: foreign)
                case .tooLarge(let size): report = .tooLarge(path, size: size)
                case .unreadable: report = FileReport(file: path, notAnalysed: "UNREADABLE")
                }
                guard let line = try? encoder.encode(report) else { exit(70) }
                FileHandle.standardOutput.write(line + Data([10]))
            }
            exit(0)
        }
        thread.stackSize = 512 << 20
        thread.start()
        while true { sleep(1_000) }
    }
}
