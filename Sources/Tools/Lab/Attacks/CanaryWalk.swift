internal import PavisePrimitives

/// Goes through a folder and collects what ``CanarySearch`` reports.
struct CanaryWalk {
    private static let pieceBytes = 1 << 20
    private static let depthLimit = 64
    private static let findingLimit = 1000

    let patterns: CanaryPatterns
    var bytesLeft: Int
    private(set) var report = CanarySearch.Report()

    init(patterns: CanaryPatterns, bytesLeft: Int) {
        self.patterns = patterns
        self.bytesLeft = bytesLeft
    }

    mutating func visit(_ folder: String, depth: Int) {
        guard depth < Self.depthLimit, let entries = try? Folder.entries(of: folder) else {
            report.unread.append(folder)
            return
        }
        for entry in entries {
            let path = "\(folder)/\(entry.name)"
            note(patterns.matches(in: Array(entry.name.utf8)), path, at: nil)
            switch entry.kind {
            case .file: read(path)
            case .folder: visit(path, depth: depth + 1)
            case .link, .other: report.skipped.append(path)
            }
        }
    }

    private mutating func read(_ path: String) {
        do {
            try readPieces(path)
            report.files += 1
        } catch {
            report.unread.append(path)
        }
    }

    private mutating func readPieces(_ path: String) throws {
        let file = try FileDescriptor.openForReading(path)
        var piece: [UInt8] = []
        var position = 0
        while true {
            let more = try file.readChunk(upTo: Self.pieceBytes)
            guard !more.isEmpty else { return }
            guard more.count <= bytesLeft else { throw LabFailure.request("byte limit") }
            bytesLeft -= more.count
            report.bytes += more.count
            piece += more
            note(patterns.matches(in: piece), path, at: position)
            let kept = min(piece.count, max(0, patterns.longest - 1))
            position += piece.count - kept
            piece = Array(piece.suffix(kept))
        }
    }

    private mutating func note(_ matches: [CanaryPatterns.Match], _ path: String, at position: Int?) {
        for match in matches where report.findings.count < Self.findingLimit {
            let offset = position.map { $0 + match.offset }
            let finding = CanarySearch.Finding(canary: match.canary, form: match.form, path: path, offset: offset)
            if !report.findings.contains(finding) { report.findings.append(finding) }
        }
    }
}
