package import AuditCore
internal import Foundation
internal import Synchronization

/// Runs the workers, one for each job, and ends the one that takes too long for a file.
package final class WorkerPool: Sendable {
    private let files: [(path: String, size: Int)]
    private let command: [String]
    private let limit: @Sendable (Int) -> Double
    /// Told after each file: how many are done, and how many there are.
    private let progress: (@Sendable (Int, Int) -> Void)?
    private let foreign: [String: ForeignCalls]
    private let next = Mutex(0)
    private let reports = Mutex<[FileReport]>([])

    /// - Parameters:
    ///   - command: The worker's program and arguments: this program itself.
    ///   - foreign: What is said of other files' functions, by the path of the file that calls them.
    ///   - limit: Seconds of processor time for a file of so many bytes. A worker that sleeps gets ten times that.
    package init(
        files: [(path: String, size: Int)], root: String = "", command: [String] = WorkerPool.own,
        foreign: [String: ForeignCalls] = [:],
        limit: @escaping @Sendable (Int) -> Double = { min(2 + Double($0) / 1_000_000, 3) },
        progress: (@Sendable (Int, Int) -> Void)? = nil
    ) {
        self.progress = progress
        self.foreign = foreign
        self.command = root.isEmpty ? command : command + [root]
        self.limit = limit
        // Large files first, so that the last one does not wait alone.
        self.files = files.sorted { ($1.size, $0.path) < ($0.size, $1.path) }
    }

    package static var own: [String] {
        [URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().path, "--worker"]
    }

    package func run(jobs: Int) -> [FileReport] {
        // A worker that is gone must not end this process when it is written to.
        signal(SIGPIPE, SIG_IGN)
        let group = DispatchGroup()
        for _ in 0..<max(1, min(jobs, files.count)) {
            group.enter()
            Thread.detachNewThread {
                self.work()
                group.leave()
            }
        }
        group.wait()
        return reports.withLock { $0 }.sorted { $0.file < $1.file }
    }

    private func take() -> (path: String, size: Int)? {
        let index = next.withLock { value in
            value += 1
            return value - 1
        }
        return index < files.count ? files[index] : nil
    }

    private func work() {
        var child: Child?
        while let file = take() {
            if file.size > FileKind.limit(file.path) {
                // Told without being read: the file may be larger than the memory.
                done(.tooLarge(file.path, size: file.size))
                continue
            }
            let running = child ?? Child(command)
            child = running
            var report: FileReport
            switch running?.ask(file.path, foreign[file.path], limit: limit(file.size)) {
            case .report(let value)?: report = value
            case .late?:
                report = FileReport(file: file.path, notAnalysed: "TIME")
                child = nil
            case .gone?:
                report = FileReport(file: file.path, notAnalysed: "CRASH")
                child = nil
            case .ready?, nil: report = FileReport(file: file.path, notAnalysed: "NO-WORKER")
            }
            done(report)
        }
        child?.end()
    }

    private func done(_ report: FileReport) {
        let done = reports.withLock { all in
            all.append(report)
            return all.count
        }
        progress?(done, files.count)
    }
}

/// One worker process.
final class Child {
    enum Reply { case report(FileReport), ready, late, gone }
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private var pending = Data()

    init?(_ command: [String]) {
        process.executableURL = URL(fileURLWithPath: command.first ?? "")
        process.arguments = Array(command.dropFirst())
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        var environment = ProcessInfo.processInfo.environment
        environment["SWIFT_BACKTRACE"] = "enable=no"
        process.environment = environment
        guard (try? process.run()) != nil else { return nil }
        guard case .ready = read(limit: 60) else { return nil }
    }

    func ask(_ path: String, _ foreign: ForeignCalls? = nil, limit: Double) -> Reply {
        let line = Data(path.utf8) + (foreign.map { Data([0]) + $0.text } ?? Data()) + Data([10])
        guard (try? input.fileHandleForWriting.write(contentsOf: line)) != nil else { return .gone }
        let reply = read(limit: limit)
        // An answer about another file would shift all answers that follow.
        if case .report(let report) = reply, report.file != path { return stop(.gone) }
        return reply
    }

    /// Seconds of processor time that the child has used: other work on the machine does not count against a file.
    private var used: Double {
        let text = (try? String(contentsOfFile: "/proc/\(process.processIdentifier)/stat", encoding: .utf8)) ?? ""
        let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
        guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else { return 0 }
        return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    private func read(limit: Double) -> Reply {
        let before = used
        var end = Date().addingTimeInterval(limit)
        let last = Date().addingTimeInterval(limit * 10)
        while true {
            if let index = pending.firstIndex(of: 10) {
                let line = pending[pending.startIndex..<index]
                pending = Data(pending[(index + 1)...])
                if line.isEmpty { return .ready }
                guard let report = try? JSONDecoder().decode(FileReport.self, from: line) else { return stop(.gone) }
                return .report(report)
            }
            var waiting = pollfd(fd: output.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
            if end.timeIntervalSinceNow <= 0, used - before < limit, last.timeIntervalSinceNow > 0 {
                end = Date().addingTimeInterval(0.5)
            }
            let left = end.timeIntervalSinceNow
            guard left > 0, unsafe poll(&waiting, 1, Int32(left * 1_000) + 1) >= 0 else { return stop(.late) }
            if waiting.revents == 0 { continue }
            let data = output.fileHandleForReading.availableData
            if data.isEmpty { return stop(.gone) }
            pending.append(data)
            if pending.count > 64 << 20 { return stop(.gone) }
        }
    }

    private func stop(_ reply: Reply) -> Reply {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        return reply
    }

    func end() {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}
