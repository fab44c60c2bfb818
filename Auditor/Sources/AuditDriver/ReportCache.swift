package import AuditCore
internal import Foundation

/// What was said of files before, found by path and digest of the bytes. Another program has another cache.
///
/// A cache is trusted as the folder that it lies in is. Evidence is never made from one.
package struct ReportCache {
    private struct Head: Codable { let program: String }
    private let place: String
    private let program: String
    private var known: [String: FileReport] = [:]
    /// Reports of files that were read again, also by what they were told.
    private var again: [String: FileReport] = [:]
    private struct Again: Codable {
        let told: String
        let report: FileReport
    }

    // Tells programs that make backups to leave the folder out (https://bford.info/cachedir/): the first 43 bytes do.
    static let tag =
        "Signature: 8a477f597d28d172" + "789f06886806bc55\n"
        + "# This folder is a cache of “pavise audit”, and can be made anew: https://bford.info/cachedir/\n"

    /// A cache that cannot be read is an empty one.
    package init(folder: String) {
        place = folder + "/reports-2.jsonl"
        let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().path
        program = FileManager.default.contents(atPath: own).map { SHA256.hex([UInt8]($0)) } ?? ""
        guard let data = FileManager.default.contents(atPath: place) else { return }
        let lines = data.split(separator: 10)
        let decoder = JSONDecoder()
        guard let first = lines.first, let head = try? decoder.decode(Head.self, from: Data(first)),
            head.program == program, !program.isEmpty
        else { return }
        for line in lines.dropFirst() {
            if line.starts(with: Data("{\"told\"".utf8)) || line.starts(with: Data("{\"report\"".utf8)) {
                guard let entry = try? decoder.decode(Again.self, from: Data(line)), let digest = entry.report.digest
                else { continue }
                again[digest + entry.told + entry.report.file] = entry.report
                continue
            }
            guard let report = try? decoder.decode(FileReport.self, from: Data(line)), let digest = report.digest else {
                continue
            }
            known[digest + report.file] = report
        }
    }

    /// What was said of the file at `path`, which holds these bytes now.
    package func report(_ file: String, below root: String) -> FileReport? {
        guard !known.isEmpty, let data = BoundedFile.data(file, limit: FileKind.limit(file)) else { return nil }
        return known[SHA256.hex([UInt8](data)) + Self.name(file, root)].map { Self.named($0, file) }
    }

    /// What was said of a file with these bytes, when it was told the same of other files.
    package func report(_ first: FileReport, told: String, below root: String) -> FileReport? {
        guard let digest = first.digest else { return nil }
        return again[digest + told + Self.name(first.file, root)].map { Self.named($0, first.file) }
    }

    private static func named(_ report: FileReport, _ file: String) -> FileReport {
        var report = report
        report.file = file
        report.findings = report.findings.map { finding in
            var finding = finding
            finding.file = file
            return finding
        }
        return report
    }

    private static func name(_ file: String, _ root: String) -> String {
        file.hasPrefix(root) ? String(file.dropFirst(root.count)) : file
    }

    /// Keeps what was said; what a worker did not finish is asked again. Says whether it could be written.
    ///
    /// - Parameter again: What was said of files that were read again, with the digest of what they were told.
    package func save(_ reports: [FileReport], again: [(told: String, report: FileReport)] = [], below root: String)
        -> Bool
    {
        let encoder = JSONEncoder()
        guard var data = try? encoder.encode(Head(program: program)) else { return false }
        func isWhole(_ report: FileReport) -> Bool { report.notAnalysed == nil && report.digest != nil }
        func plain(_ report: FileReport) -> FileReport {
            var report = Self.named(report, Self.name(report.file, root))
            for index in report.findings.indices { report.findings[index].file = "" }
            return report
        }
        let lines =
            reports.filter(isWhole).map { try? encoder.encode(plain($0)) }
            + again.filter { isWhole($0.report) }.map {
                try? encoder.encode(Again(told: $0.told, report: plain($0.report)))
            }
        for case let line? in lines {
            data.append(10)
            data.append(line)
        }
        do {
            let folder = URL(fileURLWithPath: place).deletingLastPathComponent()
            let isNew = !FileManager.default.fileExists(atPath: folder.path)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            // Only in a folder that was made for the cache: in another one lies what a backup has to take.
            let tag = folder.appendingPathComponent("CACHEDIR.TAG")
            if isNew { try Data(Self.tag.utf8).write(to: tag, options: .atomic) }
            try data.write(to: URL(fileURLWithPath: place), options: .atomic)
        } catch {
            return false
        }
        return true
    }
}
