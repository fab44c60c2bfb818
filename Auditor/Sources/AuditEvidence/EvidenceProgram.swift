internal import AuditCore
internal import AuditDriver
internal import Foundation

/// `pavise-audit evidence …`: makes a folder of evidence, compares two, checks one.
package struct EvidenceProgram {
    package let arguments: [String]
    private let worker: [String]

    /// - Parameter worker: The worker's program and arguments: this program itself.
    package init(arguments: [String], worker: [String] = WorkerPool.own) {
        self.arguments = arguments
        self.worker = worker
    }

    package func run() -> Int32 {
        switch arguments.first {
        case "compare": compare(Array(arguments.dropFirst()))
        case "verify": verify(Array(arguments.dropFirst()))
        case "sign": sign(Array(arguments.dropFirst()))
        default: make()
        }
    }

    private struct Options {
        var path: String?
        var standard: String?
        var out: String?
        var results: String?
        var diagnosis: String?
        var signer: String?
        /// The day that acceptances are judged on.
        var date: String?
        var jobs = ProcessInfo.processInfo.activeProcessorCount
    }

    private func options() throws(EvidenceBundle.Failure) -> Options {
        var options = Options()
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            func value() throws(EvidenceBundle.Failure) -> String {
                guard let text = rest.popFirst() else { throw .init(description: "\(argument) needs a value") }
                return text
            }
            switch argument {
            case "--standard": options.standard = try value()
            case "--out": options.out = try value()
            case "--results": options.results = try value()
            case "--diagnosis": options.diagnosis = try value()
            case "--signer": options.signer = try value()
            case "--date":
                let text = try value()
                guard MakerFile.isDay(text) else { throw .init(description: "--date needs a day, as 2026-11-25") }
                options.date = text
            case "--jobs":
                guard let number = Int(try value()), number > 0 else {
                    throw .init(description: "--jobs needs a number")
                }
                options.jobs = number
            case _ where argument.hasPrefix("-"): throw .init(description: "“\(argument)” is no option")
            default:
                guard options.path == nil else { throw .init(description: "one folder at a time") }
                options.path = argument
            }
        }
        return options
    }

    private func make() -> Int32 {
        let options: Options
        do throws(EvidenceBundle.Failure) { options = try self.options() } catch { return usage(error.description) }
        guard let path = options.path, let out = options.out else { return usage("name a folder and --out") }
        guard let standard = options.standard, Requirement.sets.contains(standard) else {
            return usage("--standard: " + Requirement.sets.joined(separator: ", "))
        }
        do {
            let day = try options.date ?? Self.today()
            let started = Date()
            var folder = try sources(path, standard)
            // Statements and the commit would be those of wherever the command is run.
            guard !folder.root.isEmpty else { return usage("“\(path)” is no folder: evidence is about a whole app") }
            // What an earlier run wrote there is no source of the app, and would be another input each time.
            let own = Self.written(out, below: folder.root)
            let root = folder.root
            folder.leaveOut(Set(own.map { root + $0 }))
            // What lies above the app's folder says nothing about its files, and what could not be read is a result.
            let reports =
                WorkerPool(files: folder.files, root: folder.root, command: worker).run(jobs: options.jobs)
                + folder.refused
            let first = reports.sorted { $0.file < $1.file }
            var again = RepeatedReading(folder, nil, options.jobs, command: worker)
            var second = SecondPass(first, root: folder.root)
            var result = AuditResult(reports: second.run { again.read($0, first) }, root: folder.root, seconds: 0)
            result.skipped = folder.skipped
            result.otherLanguages = folder.otherLanguages
            var maker = MakerFile()
            var statements: (text: String, signature: String)?
            if let data = try makerFile(folder.root + "pavise-audit.json") {
                maker = try MakerFile(data)
                statements = try signed(data, folder.root, options.signer)
                maker.signer = try statements.map { _ in try key(options.signer ?? "").name }
            }
            if options.signer != nil, statements == nil {
                return fault("--signer: there is no signed pavise-audit.json")
            }
            var results: [CheckResult] = []
            if let file = options.results {
                guard let text = try? String(contentsOfFile: file, encoding: .utf8) else {
                    return fault("cannot read \(file)")
                }
                results = try CheckResult.read(text)
            }
            let diagnosis = try options.diagnosis.map(servers)
            var around = surroundings(folder, maker, besides: own)
            around.day = day
            if standard == BillOfMaterials.set { around.bills = bills(folder) }
            let bundle = EvidenceBundle(
                EvidenceBuilder(result, around, maker: maker, results: results, diagnosis: diagnosis),
                standard: standard, statements: statements)
            try bundle.write(to: out)
            try record(out, started)
            for verdict in Verdict.allCases {
                print("\(verdict.rawValue): \(bundle.records.count { $0.verdict == verdict })")
            }
            print(
                "\(result.reports.count) files, \(result.lines) lines, \(result.notAnalysed.count) not analysed: \(out)"
            )
            return bundle.records.contains { $0.verdict == .contradicted } || !result.notAnalysed.isEmpty ? 1 : 0
        } catch {
            return fault("\(error)")
        }
    }

    /// The app's sources, or the bills of materials below the folder.
    private func sources(_ path: String, _ standard: String) throws(SourceFolder.Failure) -> SourceFolder {
        guard standard == BillOfMaterials.set else { return try SourceFolder(paths: [path]) }
        return try SourceFolder(paths: [path], only: BillOfMaterials.isBill)
    }

    private func bills(_ folder: SourceFolder) -> [BillOfMaterials] {
        folder.files.map(\.path).sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }.map {
            BillOfMaterials(file: $0, data: BoundedFile.data($0, limit: 64 << 20))
        }
    }

    /// The day of SOURCE_DATE_EPOCH, where that is set, else the clock's; both are of UTC.
    private static func today() throws(EvidenceBundle.Failure) -> String {
        var date = Date()
        if let text = ProcessInfo.processInfo.environment["SOURCE_DATE_EPOCH"], !text.isEmpty {
            // Up to the end of the year 9999: later days have more digits, and order as no day does.
            guard let seconds = Int(text), (0..<253_402_300_800).contains(seconds) else {
                throw .init(description: "SOURCE_DATE_EPOCH is no number of seconds")
            }
            date = Date(timeIntervalSince1970: Double(seconds))
        }
        return String(date.ISO8601Format().prefix(10))
    }

    /// The maker's file; `nil` where there is none. What is there and cannot be read is an error, and never waited for.
    private func makerFile(_ path: String) throws(EvidenceBundle.Failure) -> Data? {
        switch BoundedFile.read(path, limit: 1 << 20) {
        case .bytes(let data): return data
        case .tooLarge: throw .init(description: "\(path) is over 1 MB")
        case .unreadable:
            var facts = stat()
            guard unsafe lstat(path, &facts) == 0 else { return nil }
            throw .init(description: "\(path) is no plain file that can be read")
        }
    }

    /// What servers took, as `pavise ats diagnose --json` wrote it.
    private func servers(_ file: String) throws -> ServerDiagnosis {
        switch BoundedFile.read(file, limit: 64 << 20, followsLinks: true) {
        case .bytes(let data): return try ServerDiagnosis(data)
        case .tooLarge: throw EvidenceBundle.Failure(description: "\(file) is over 64 MB")
        case .unreadable: throw EvidenceBundle.Failure(description: "cannot read \(file)")
        }
    }

    private func key(_ file: String) throws(EvidenceBundle.Failure) -> SigningKey {
        guard let text = try? String(contentsOfFile: file, encoding: .utf8), let key = SigningKey(pem: text) else {
            throw .init(description: "\(file) holds no key of the curve P-256 that can be read")
        }
        return key
    }

    /// The maker's statements and their signature, when a key is given to check it with.
    private func signed(
        _ data: Data, _ root: String, _ signer: String?
    ) throws(EvidenceBundle.Failure) -> (text: String, signature: String)? {
        guard let signer else { return nil }
        let key = try key(signer)
        guard let bytes = BoundedFile.data(root + "pavise-audit.json.jws", limit: 4_096) else {
            throw .init(description: "pavise-audit.json.jws is not there, or is no signature")
        }
        let text = String(decoding: bytes, as: UTF8.self)
        guard DetachedJWS.verifies(text, [UInt8](data), with: key) else {
            throw .init(description: "pavise-audit.json.jws is no signature of this key over pavise-audit.json")
        }
        return (String(decoding: data, as: UTF8.self), text)
    }

    /// Writes `FILE.jws` beside a file: the maker's statements, or the manifest of a folder of evidence.
    private func sign(_ rest: [String]) -> Int32 {
        guard rest.count == 3, rest[1] == "--key" else { return usage("sign needs a file and --key") }
        do {
            let key = try key(rest[2])
            guard let data = FileManager.default.contents(atPath: rest[0]) else {
                return fault("cannot read \(rest[0])")
            }
            guard let text = DetachedJWS.sign([UInt8](data), with: key) else {
                return fault("\(rest[2]) is no private key")
            }
            guard (try? (text + "\n").write(toFile: rest[0] + ".jws", atomically: true, encoding: .utf8)) != nil else {
                return fault("cannot write \(rest[0]).jws")
            }
            print("\(rest[0]).jws: signed with the key \(key.name)")
            return 0
        } catch {
            return fault(error.description)
        }
    }

    /// What the run writes into the app's folder, named from there on; nothing where it writes elsewhere.
    private static func written(_ out: String, below root: String) -> [String] {
        func real(_ path: String) -> String { URL(fileURLWithPath: path).resolvingSymlinksInPath().path + "/" }
        let (folder, top) = (real(out).utf8, real(root).utf8)
        guard folder.starts(with: top) else { return [] }
        let inner = String(decoding: folder.dropFirst(top.count), as: UTF8.self)
        return EvidenceBundle.names.map { inner + $0 }
    }

    private func surroundings(
        _ folder: SourceFolder, _ maker: MakerFile, besides own: [String]
    ) -> EvidenceBuilder.Surroundings {
        var result = EvidenceBuilder.Surroundings()
        result.subject = maker.subject ?? .init()
        if let commit = Git.run(["rev-parse", "HEAD"], in: folder.root)?.first, commit.count >= 40 {
            result.subject.commit = commit
            // A git that does not say is no clean folder, and repositories inside of this one are not asked.
            let others = own.map { ":(exclude,literal)" + $0 }
            let isClean = Git.run(["status", "--porcelain", "--", "."] + others, in: folder.root)?.isEmpty == true
            result.subject.dirty = !isClean || Git.inner(of: folder.root)?.isEmpty != true
        }
        let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().path
        if let bytes = FileManager.default.contents(atPath: program) {
            result.program = "sha256:" + SHA256.hex([UInt8](bytes))
        }
        let release = (try? String(contentsOfFile: "/etc/os-release", encoding: .utf8)) ?? ""
        let name = release.split(separator: "\n").first { $0.hasPrefix("PRETTY_NAME=") }
        result.system = name.map { String($0.dropFirst(12).filter { $0 != "\"" }) } ?? "not known"
        result.otherLanguages = folder.otherLanguages
        result.libraries = LoadedLibraries.digest
        return result
    }

    /// When and how: outside the manifest, so that the same inputs give the same bundle.
    private func record(_ out: String, _ started: Date) throws(EvidenceBundle.Failure) {
        struct Run: Encodable {
            let command: [String]
            let seconds: Double
            let started: String
        }
        let run = Run(
            command: ["pavise-audit", "evidence"] + arguments,
            seconds: (Date().timeIntervalSince(started) * 10).rounded() / 10, started: started.ISO8601Format())
        guard
            (try? (CanonicalJSON.text(run) + "\n").write(toFile: out + "/run.json", atomically: true, encoding: .utf8))
                != nil
        else { throw .init(description: "\(out)/run.json cannot be written") }
    }

    private func compare(_ folders: [String]) -> Int32 {
        guard folders.count == 2 else { return usage("compare needs two folders") }
        do {
            let comparison = EvidenceComparison(
                try EvidenceBundle.read(folders[0]), try EvidenceBundle.read(folders[1]))
            for line in comparison.lines { print(Printable.text(line)) }
            if comparison.lines.isEmpty { print("Nothing changed.") }
            return comparison.lines.isEmpty ? 0 : 1
        } catch {
            return fault(error.description)
        }
    }

    private func verify(_ rest: [String]) -> Int32 {
        guard rest.count == 1 || rest.count == 3 && rest[1] == "--signer" else {
            return usage("verify needs one folder")
        }
        do {
            let signer = try rest.count == 3 ? key(rest[2]) : nil
            let defects = EvidenceBundle.defects(rest[0], signer: signer)
            for defect in defects { print(Printable.text(defect)) }
            if defects.isEmpty { print("Every file is as the manifest says.") }
            if let signer, defects.isEmpty { print("The manifest is signed with the key \(signer.name).") }
            return defects.isEmpty ? 0 : 1
        } catch {
            return fault(error.description)
        }
    }

    /// What the words name cannot be used: how they are written would say nothing of that.
    private func fault(_ message: String) -> Int32 {
        FileHandle.standardError.write(Data("\(Printable.text(message))\n".utf8))
        return 2
    }

    private func usage(_ message: String) -> Int32 {
        let text = """
            \(Printable.text(message))
            usage: pavise-audit evidence FOLDER --standard \(Requirement.sets.joined(separator: "|")) --out FOLDER [--results FILE]
                       [--diagnosis FILE] [--signer PUBLIC.pem] [--date DAY] [--jobs N]
                   pavise-audit evidence compare OLD NEW
                   pavise-audit evidence verify FOLDER [--signer PUBLIC.pem]
                   pavise-audit evidence sign FILE --key PRIVATE.pem

            """
        FileHandle.standardError.write(Data(text.utf8))
        return 2
    }
}
