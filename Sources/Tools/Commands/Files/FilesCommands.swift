internal import PaviseArguments
internal import PavisePrimitives
internal import PaviseProtectedStorage
internal import PaviseStorage

/// `pavise files put|get|list|remove|verify|renew-keys`: the protected files of the home, or of an app's container.
enum FilesCommands {
    private static let source = Argument("FILE", help: "What to store; - is standard input.")
    private static let target = OptionalArgument("TARGET", help: "Where to put it; left out or - for standard output.")
    static let file = Argument("NAME", help: "The file's name, or its identifier.")
    private static let only = OptionalArgument("NAME", help: "Only this file.")
    private static let name = Option("name", value: "NAME", help: "Its name in the store; that of FILE otherwise.")
    private static let type = Option("type", value: "TYPE", help: "What it is, for example application/pdf.")
    private static let replacing = Flag("replace", help: "Take the place of the file of that name.")
    private static let erasable = Flag(
        "erasable", help: "Keep half of its key apart: removing it makes every copy of it unreadable.")
    private static let prefix = Flag(
        "unverified-prefix", help: "Give each chunk as soon as it is checked, before the end was seen.")
    static let container = Option(
        "container", value: "NAME", help: "The app's container; that of the home unless given.")
    private static let protection = Option(
        "class", value: "CLASS", help: "complete, completeUnlessOpen, untilFirstUserAuthentication or none."
    ) { text throws(Parameter.Invalid) -> ProtectionClass in
        guard let found = ProtectionClass.allCases.first(where: { "\($0)" == text }) else {
            throw Parameter.Invalid("takes \(ProtectionClass.allCases.map { "\($0)" }.joined(separator: ", "))")
        }
        return found
    }

    static let put = Action(
        Command(
            "put", abstract: "Store a file, sealed.",
            discussion: """
                The class says when it can be read, and has no default. Health data wants “complete”: while the device \
                is unlocked. The file that was read stays where it is.
                """,
            parameters: [source, protection, name, type, replacing, erasable, container, Shared.json],
            examples: [
                .init(
                    "pavise files put report.pdf --class complete",
                    "Store a report for the time the device is unlocked."),
                .init(
                    "tar c diary | pavise files put - --name diary.tar --class complete",
                    "Store what a program gives."),
            ])
    ) { invocation, environment in
        guard let wanted = invocation[protection] else {
            throw CommandFailure(
                .usage, "Say when it may be read, with --class. “complete” is right for what is private.")
        }
        let path = try invocation.value(source)
        guard let name = invocation[name] ?? (path == "-" ? nil : path.split(separator: "/").last.map(String.init))
        else {
            throw CommandFailure(.usage, "Say what it is called, with --name.")
        }
        let files = try stored(invocation, in: environment.home)
        let old = invocation[replacing] ? try find(name, in: files) : nil
        let progress = FileProgress(environment)
        let input = try InputFile.open(path)
        let result = try files.put(
            named: name, type: invocation[type] ?? "", protection: wanted, erasable: invocation[erasable],
            replacing: old?.id
        ) { write throws in
            while true {
                let chunk = try input.readChunk(upTo: 1 << 16)
                guard !chunk.isEmpty else { return }
                try write(chunk)
                progress.advance(by: chunk.count)
            }
        }
        let id = try result.get()
        let data = JSONValue.fields([
            "id": .string(id.description), "name": .string(name), "bytes": .integer(progress.done),
        ])
        try environment.show(
            Report(data: data).adding(.success("Stored \(Printable.text(name)) (\(id)).")), for: invocation)
    }

    static let get = Action(
        Command(
            "get", abstract: "Give a file out, whole or not at all.",
            discussion: """
                A file at TARGET appears when its last byte was checked. To a pipe nothing is given before the whole \
                file was checked once; --unverified-prefix gives what is authentic so far, and exit status 1 says that \
                it was only a part.
                """,
            parameters: [file, target, prefix, container],
            examples: [
                .init("pavise files get report.pdf > report.pdf", "Give a file to a pipe or a file."),
                .init(
                    "pavise files get scan.pdf scan.pdf --container sleep-diary", "Take out what an app keeps of you."),
            ])
    ) { invocation, environment in
        let files = try stored(invocation, in: environment.home)
        let reader = try files.open(try find(invocation.value(file), in: files).id)
        let target = invocation[target] ?? "-"
        let length = reader.attributes.length
        guard target == "-" else {
            return try write(reader, to: target, FileProgress(environment, expecting: length))
        }
        if !invocation[prefix] { try check(reader, FileProgress(environment, expecting: length)) }
        let progress = FileProgress(environment, expecting: length, printsContent: true)
        var stream = StreamedContent(of: reader)
        var printer = ContentPrinter(environment.console.output)
        while case .unfinished(let bytes) = try stream.next() {
            try printer.write(bytes)
            progress.advance(by: bytes.count)
        }
        try printer.finish()
    }

    private static func check(_ reader: SealedFileReader, _ progress: FileProgress) throws {
        try reader.verify { progress.advance(by: $0 - progress.done) }
    }

    private static func write(_ reader: SealedFileReader, to path: String, _ progress: FileProgress) throws {
        // Ctrl-C would leave the piece that was written so far, in clear.
        try progress.listen()
        var output = try DurableFile.Stream.open(path)
        var stream = StreamedContent(of: reader)
        while case .unfinished(let bytes) = try stream.next() {
            try progress.checkStop()
            try output.write(bytes)
            progress.advance(by: bytes.count)
        }
        try output.finish()
    }

    static let list = Action(
        Command(
            "list", abstract: "List the files, without their content.", parameters: [container, Shared.json],
            examples: [.init("pavise files list --json", "Give the list to a program.")])
    ) { invocation, environment in
        let entries = try stored(invocation, in: environment.home).list()
        var report = Report(data: .array(entries.map(\.fields)))
        if entries.isEmpty {
            report.add(.line("There are no files."))
        } else {
            report.add(.table([["Name", "Bytes", "Class", "Identifier"]] + entries.map(\.row)))
        }
        try environment.show(report, for: invocation)
    }

    static let remove = Action(
        Command("remove", abstract: "Remove a file.", parameters: [file, container, Shared.json])
    ) { invocation, environment in
        let files = try stored(invocation, in: environment.home)
        let entry = try find(invocation.value(file), in: files)
        try files.remove(entry.id)
        let report = Report(data: .fields(["removed": .string(entry.id.description)]))
        try environment.show(
            report.adding(.success("Removed \(Printable.text(entry.name ?? entry.id.description)).")), for: invocation)
    }

    static let verify = Action(
        Command(
            "verify", abstract: "Check every byte of one file, or of all.",
            discussion:
                "Exit status 1 when a file is damaged; 5 when one cannot be checked because the device is locked.",
            parameters: [only, container, Shared.json])
    ) { invocation, environment in
        let files = try stored(invocation, in: environment.home)
        let entries = if let name = invocation[only] { [try find(name, in: files)] } else { try files.list() }
        let progress = FileProgress(environment)
        var failures: [(ProtectedFiles.Entry, StorageFailure)] = []
        for entry in entries {
            do throws(StorageFailure) {
                var before = 0
                try files.verify(entry.id) { done in
                    progress.advance(by: done - before)
                    before = done
                }
            } catch {
                failures.append((entry, error))
            }
        }
        let rows = failures.map { entry, failure in
            JSONValue.fields(["id": .string(entry.id.description), "problem": .string("\(failure)")])
        }
        var report = Report(data: .fields(["files": .integer(entries.count), "failures": .array(rows)]))
        for (entry, failure) in failures { report.add(.failure("\(entry.title): \(failure)")) }
        if failures.isEmpty {
            let words = entries.count == 1 ? "The file is" : "All \(entries.count) files are"
            report.add(.success("\(words) what was written."))
        }
        try environment.show(report, for: invocation)
        guard let first = failures.first(where: { !$0.1.isPassing }) ?? failures.first else { return }
        var failure = CommandFailure(describing: first.1)
        failure.isReported = true
        throw failure
    }

    private static func stored(_ invocation: Invocation, in home: PaviseHome) throws -> ProtectedFiles {
        guard let name = invocation[container] else { return try .of(home) }
        return try ProtectedContainer.named(name, in: home).files
    }

    /// The one file of this name or identifier.
    static func find(_ name: String, in files: ProtectedFiles) throws -> ProtectedFiles.Entry {
        let entries = try files.list()
        let found = entries.filter { $0.id.description == name || $0.name == name }
        if found.count > 1 {
            throw CommandFailure(
                .usage,
                """
                \(found.count) files have this name. Write an identifier: \
                \(found.map(\.id.description).joined(separator: ", "))
                """
            )
        }
        if let one = found.first { return one }
        // One that is locked may be the one.
        for entry in entries { if case .failure(.locked) = entry.content { throw StorageFailure.locked } }
        // A name is sealed with its file: one that does not open has none, and is not therefore absent.
        let unreadable = entries.count { if case .failure = $0.content { true } else { false } }
        throw CommandFailure(
            .failed,
            unreadable == 0
                ? "There is no file of this name. “pavise files list” shows what there is."
                : """
                No file that can be read has this name. \(unreadable) cannot be, and one of these may be it: \
                “pavise files list” has their identifiers, “pavise files verify” says what is wrong.
                """)
    }
}
