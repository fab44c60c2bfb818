internal import AuditCore
internal import Foundation

/// The child: a path a line in, a report a line out. It may hang or crash; its parent ends it then.
package enum Worker {
    /// - Parameter root: The folder that was asked for; what lies above it says nothing about its files.
    package static func run(root: String = "") -> Never {
        // Deep sources recurse deeply: the thread's stack is of 512 MB, which costs only what is touched.
        let thread = Thread {
            let encoder = JSONEncoder()
            let names = NameTable()
            // Ready: loading the libraries does not count against the first file.
            FileHandle.standardOutput.write(Data([10]))
            while let path = readLine() {
                let report: FileReport
                // A path may be a link that the person named; the others were looked at before.
                switch BoundedFile.read(path, limit: FileKind.limit(path), followsLinks: true) {
                case .bytes(let data): report = Analyzer.analyze(data, file: path, root: root, names: names)
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
