internal import PavisePrimitives

/// Looks through a folder for what must not lie outside protected storage: tokens, private keys, values under telling
/// names, random text, addresses, caches of URL loading, plain databases, files that others can read.
///
/// ```swift
/// let report = StorageCheck(folder: home).run()
/// for finding in report.findings { print(finding.rule, finding.path, finding.line ?? 0, finding.detail) }
/// ```
///
/// It reads any folder: the home of an app, an app's container, or one that was unpacked from a phone's backup. Nothing
/// is changed, links are not followed, and no value that was found is kept. Sealed files look like noise and give no
/// findings.
///
/// What it cannot see: text in other encodings than UTF-8 and UTF-16 property lists, compressed or encoded content,
/// secrets shorter than 20 characters without a telling name (24 where letters are of one case), and random letters
/// without a digit. It blocks while it reads; call it off the main actor.
public struct StorageCheck: Sendable {
    /// What a check found.
    public struct Report: Hashable, Sendable {
        /// In the order of the paths.
        public internal(set) var findings: [StorageFinding] = []
        /// How many files were read.
        public internal(set) var files = 0
        /// How many bytes were read.
        public internal(set) var bytes = 0
    }

    /// How much is read at most.
    public struct Limits: Hashable, Sendable {
        /// Files and folders; the check ends with a ``StorageRule/notChecked`` finding beyond it.
        public var entries = 1_000_000
        /// Folders inside each other.
        public var depth = 64
        /// Bytes of one file. What lies behind is not looked at, and a finding says so.
        public var bytesOfFile = 1 << 30

        /// The usual limits.
        public init() {}
    }

    private let folder: String
    private let limits: Limits

    /// A check of everything below `folder`, or of one file.
    public init(folder: String, limits: Limits = Limits()) {
        self.folder = folder
        self.limits = limits
    }

    /// Reads everything.
    ///
    /// - Parameter progress: Hears how many bytes have been read so far.
    public func run(progress: (Int) -> Void = { _ in }) -> Report {
        var walk = StorageWalk(limits: limits)
        walk.begin(at: folder, progress: progress)
        return walk.report
    }
}

/// One run of the check.
struct StorageWalk {
    let limits: StorageCheck.Limits
    var report = StorageCheck.Report()
    private var entries = 0

    init(limits: StorageCheck.Limits) { self.limits = limits }

    mutating func begin(at path: String, progress: (Int) -> Void) {
        do throws(SystemFailure) {
            let facts = try FileFacts(of: path)
            switch facts.kind {
            case .folder: visit(path, depth: 0, isReachable: true, progress: progress)
            case .file:
                read(path, progress: progress)
                judgeMode(facts, path)
            default: unknown(path, "It is neither a file nor a folder.")
            }
        } catch {
            unknown(path, error.words)
        }
    }

    // As in a folder: whoever may not search it reads no file in it.
    private mutating func judgeMode(_ facts: FileFacts, _ path: String) {
        guard facts.mode & 0o044 != 0, ((try? FileFacts(folderOf: path))?.mode ?? 0) & 0o011 != 0 else { return }
        add(.readableByOthers, path, detail: "it can be read by other users")
    }

    private mutating func visit(_ path: String, depth: Int, isReachable: Bool, progress: (Int) -> Void) {
        guard depth <= limits.depth else {
            return unknown(path, "It has more than \(limits.depth) folders inside each other.")
        }
        let names: [Folder.Entry]
        do throws(SystemFailure) {
            names = try Folder.entries(of: path)
        } catch {
            return unknown(path, error.words)
        }
        // Others get into a folder when they may search it; who cannot reach it reads no file below it.
        let isReachable = isReachable && ((try? FileFacts(of: path))?.mode ?? 0) & 0o011 != 0
        var open = 0
        for entry in names {
            entries += 1
            guard entries <= limits.entries else {
                if entries == limits.entries + 1 { unknown(path, "More than \(limits.entries) files and folders.") }
                return
            }
            let inner = path.hasSuffix("/") ? path + entry.name : "\(path)/\(entry.name)"
            switch entry.kind {
            case .file:
                if isReachable, let facts = try? FileFacts(of: inner), facts.mode & 0o044 != 0 { open += 1 }
                read(inner, progress: progress)
            case .folder: visit(inner, depth: depth + 1, isReachable: isReachable, progress: progress)
            case .link: break
            case .other: other(inner, entry.name)
            }
        }
        guard open > 0 else { return }
        add(.readableByOthers, path, detail: "\(open) file\(open == 1 ? "" : "s") in it can be read by other users")
    }

    // A pipe or a socket holds nothing. Of a name that leads nowhere (it is no UTF-8) and of one that the system says
    // nothing of, nobody knows what it holds; one that went away meanwhile is none of these.
    private mutating func other(_ path: String, _ name: String) {
        do throws(SystemFailure) {
            _ = try FileFacts(of: path)
        } catch {
            guard error.isNotThere else { return unknown(path, error.words) }
            if name.unicodeScalars.contains("\u{FFFD}") { unknown(path, "Its name is no UTF-8.") }
        }
    }

    private mutating func read(_ path: String, progress: (Int) -> Void) {
        do throws(SystemFailure) {
            let file = try FileDescriptor.openForReading(path)
            try read(file, path, progress: progress)
            report.files += 1
        } catch {
            unknown(path, error.words)
        }
    }

    private mutating func read(
        _ file: borrowing FileDescriptor, _ path: String, progress: (Int) -> Void
    ) throws(SystemFailure) {
        var scanner = ShapeScanner()
        var kind: FileKind?
        var count = 0
        while true {
            let chunk = try file.readChunk(upTo: 65_536)
            guard !chunk.isEmpty else { break }
            count += chunk.count
            let seen = kind ?? FileKind(chunk)
            kind = seen
            if seen != .binaryList { scanner.feed(chunk[...]) }
            progress(report.bytes + count)
            guard count < limits.bytesOfFile else {
                unknown(path, "Only its first \(limits.bytesOfFile) bytes were looked at.")
                break
            }
        }
        report.bytes += count
        if kind == .binaryList { try readList(path, into: &scanner) }
        scanner.finish()
        tell(scanner, kind, path)
    }

    private mutating func readList(_ path: String, into scanner: inout ShapeScanner) throws(SystemFailure) {
        let bytes = try InputFile.read(path, limit: PropertyListLimits().bytes)
        do throws(PropertyListFailure) {
            scanner.judge(try PropertyListValue.parse(bytes), under: "")
        } catch {
            // No list after all, or one beyond the bounds: its bytes are looked through as they are.
            scanner.feed(bytes[...])
        }
    }

    private mutating func tell(_ scanner: ShapeScanner, _ kind: FileKind?, _ path: String) {
        if kind == .database {
            let rule: StorageRule = scanner.namesURLCache ? .urlCache : .plainDatabase
            add(rule, path, detail: "an SQLite database")
        }
        if kind == .databaseLog { add(.plainDatabase, path, detail: "the log of an SQLite database") }
        // In a cache of URL loading one finding says it all.
        guard !(kind == .database && scanner.namesURLCache) else { return }
        for hit in scanner.hits {
            add(hit.rule, path, line: kind == .text ? hit.line : nil, detail: hit.detail)
        }
        if scanner.hits.count == ShapeScanner.mostHits { unknown(path, "More findings in it were not counted.") }
    }

    private mutating func unknown(_ path: String, _ why: String) { add(.notChecked, path, detail: why) }

    private mutating func add(_ rule: StorageRule, _ path: String, line: Int? = nil, detail: String) {
        report.findings.append(StorageFinding(rule, path: path, line: line, detail: detail))
    }
}

/// What the first bytes of a file say.
enum FileKind {
    case text
    case binary
    case binaryList
    case database
    case databaseLog

    init(_ start: [UInt8]) {
        if start.starts(with: "SQLite format 3\0".utf8) {
            self = .database
        } else if start.starts(with: [0x37, 0x7F, 0x06, 0x82]) || start.starts(with: [0x37, 0x7F, 0x06, 0x83]) {
            self = .databaseLog
        } else if start.starts(with: "bplist0".utf8) {
            self = .binaryList
        } else {
            self = start.prefix(4_096).contains(0) ? .binary : .text
        }
    }
}

extension ShapeScanner {
    /// Judges every text of a property list under its key.
    mutating func judge(_ value: PropertyListValue, under name: String) {
        switch value.kind {
        case .string(let text): judge(text, under: name)
        case .integer(let number): judge("\(number)", under: name)
        case .data(let bytes): feed(bytes[...])
        case .array(let elements): for element in elements { judge(element, under: name) }
        case .dictionary(let members): for member in members { judge(member.value, under: member.name) }
        case .real, .bool, .date, .reference, .other: break
        }
    }
}
