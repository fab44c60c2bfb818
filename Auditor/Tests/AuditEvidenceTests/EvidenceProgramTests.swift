import AuditEvidence
import Foundation
import Testing

/// `pavise evidence` as it is run: how it ends, which day it goes by, and whose signature it takes.
@Suite struct EvidenceProgramTests {
    private static let leak = "func f(password: String) { print(password) }\n"
    private static let note = "func next(token: String) { print(token) }\n"
    private static let disagreeing =
        #"{"requirement":"MASVS-NETWORK-1","kind":"kit-test","check":"T","outcome":"disagrees"}"#

    /// A folder with an app that nothing is found in, and an empty one.
    private func folder(_ body: (String) throws -> Void) throws {
        let path = NSTemporaryDirectory() + "ended-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: path) }
        try FileManager.default.createDirectory(atPath: path + "/empty", withIntermediateDirectories: true)
        try write("let a = 1\n", path + "/app/A.swift")
        try body(path)
    }

    private func write(_ text: String, _ path: String) throws {
        let parent = URL(fileURLWithPath: path).deletingLastPathComponent()
        try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    }

    private typealias Ended = (status: Int32, output: String, messages: String)

    /// Runs the auditor to its end; `FOLDER` in the words is the folder of the test.
    private func evidence(_ words: [String], in path: String, epoch: String? = nil) throws -> Ended {
        let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        let process = Process()
        process.executableURL = own.appendingPathComponent("pavise-audit")
        process.arguments = ["evidence"] + words.map { $0.replacing("FOLDER", with: path) }
        var environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("GIT_") }
        environment["SOURCE_DATE_EPOCH"] = epoch
        process.environment = environment
        let (output, messages) = (Pipe(), Pipe())
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = messages
        try process.run()
        // A few lines, which the pipe holds until they are read.
        let texts = [output, messages].map {
            String(decoding: $0.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        }
        process.waitUntilExit()
        return (process.terminationStatus, texts[0], texts[1])
    }

    private func make(
        _ words: [String] = [], in path: String, out: String = "out", epoch: String? = nil
    ) throws -> Ended {
        let all = ["FOLDER/app", "--standard", "masvs", "--out", "FOLDER/" + out] + words
        return try evidence(all, in: path, epoch: epoch)
    }

    static let ends: [(String, String, [String], Int32)] = [
        ("A.swift", "let a = 1\n", [], 0), ("A.swift", note, [], 0), ("Tests/A.swift", leak, [], 0),
        ("A.swift", "func f(password: String) { print(password) } // pavise:ignore LOG-SENSITIVE a demo\n", [], 0),
        ("A.swift", leak, [], 1), ("Vendor/A.swift", leak, [], 1), ("Generated/A.swift", leak, [], 1),
        ("A.swift", "let = \n", [], 1), ("A.swift", "let a = 1\n", ["--results", "FOLDER/results"], 1),
    ]

    @Test(arguments: ends)
    func `the status is 1 where a row is contradicted or a file was not analysed, else 0`(
        _ file: String, _ source: String, _ words: [String], _ status: Int32
    ) throws {
        try folder { path in
            try write(source, path + "/app/" + file)
            try write(Self.disagreeing, path + "/results")
            let ended = try make(words, in: path)
            #expect(ended.status == status)
            let isContradicted = !ended.output.contains("contradicted: 0\n")
            #expect((isContradicted || !ended.output.contains(" 0 not analysed")) == (status == 1))
            #expect(try evidence(["verify", "FOLDER/out"], in: path).status == 0)
        }
    }

    @Test func `AU7: what servers took is kept with the evidence, and is none of the next one`() throws {
        try folder { path in
            let line = #"{"schema":1,"url":"https://a.example","conclusion":"noExceptionNeeded","exceptions":{}}"#
            try write(line + "\n", path + "/servers.jsonl")
            #expect(try make(["--diagnosis", "FOLDER/servers.jsonl"], in: path).status == 0)
            let kept = try String(contentsOfFile: path + "/out/diagnosis.jsonl", encoding: .utf8)
            #expect(kept == line + "\n")
            #expect(try evidence(["verify", "FOLDER/out"], in: path).status == 0)
            // A person names it, by a link to the one of today for example.
            try FileManager.default.createSymbolicLink(atPath: path + "/latest", withDestinationPath: "servers.jsonl")
            #expect(try make(["--diagnosis", "FOLDER/latest"], in: path).status == 0)
            #expect(try make(in: path).status == 0)
            #expect(!FileManager.default.fileExists(atPath: path + "/out/diagnosis.jsonl"))
        }
    }

    static let slips: [[String]] = [
        [], ["FOLDER/app"], ["FOLDER/app", "--standard", "masvs"], ["FOLDER/app", "--out", "FOLDER/out"],
        ["FOLDER/app", "--standard", "iso", "--out", "FOLDER/out"],
        ["--standard", "masvs", "--out", "FOLDER/out"],
        ["FOLDER/nowhere", "--standard", "masvs", "--out", "FOLDER/out"],
        ["FOLDER/empty", "--standard", "masvs", "--out", "FOLDER/out"],
        ["FOLDER/app", "--standard", "tr-03183-2", "--out", "FOLDER/out"],
        ["FOLDER/app", "FOLDER/app", "--standard", "masvs", "--out", "FOLDER/out"],
        ["FOLDER/app", "--standard", "masvs", "--out", "/dev/null/out"],
        ["FOLDER/app", "--standard", "masvs", "--out"],
        ["FOLDER/app", "--standard", "masvs", "--out", "FOLDER/out", "--nothing"],
        ["FOLDER/app", "--standard", "masvs", "--out", "FOLDER/out", "--jobs", "0"],
        ["FOLDER/app", "--standard", "masvs", "--out", "FOLDER/out", "--date", "2026-13-01"],
        ["FOLDER/app", "--standard", "masvs", "--out", "FOLDER/out", "--date"],
        ["FOLDER/app", "--standard", "masvs", "--out", "FOLDER/out", "--results", "FOLDER/nowhere"],
        ["FOLDER/app", "--standard", "masvs", "--out", "FOLDER/out", "--results", "FOLDER/app/A.swift"],
        ["FOLDER/app", "--standard", "masvs", "--out", "FOLDER/out", "--diagnosis", "FOLDER/nowhere"],
        ["FOLDER/app", "--standard", "masvs", "--out", "FOLDER/out", "--diagnosis", "FOLDER/app/A.swift"],
        ["verify"], ["verify", "FOLDER/app", "FOLDER/app"], ["compare", "FOLDER/app"],
        ["compare", "FOLDER/app", "FOLDER/app"], ["sign", "FOLDER/app/A.swift"],
        ["sign", "FOLDER/app/A.swift", "--key", "FOLDER/app/A.swift"],
    ]

    @Test(arguments: slips)
    func `what is asked for wrongly ends with 2, and makes no evidence`(_ words: [String]) throws {
        try folder { path in
            let ended = try evidence(words, in: path)
            #expect(ended.status == 2 && ended.output.isEmpty)
            #expect(!FileManager.default.fileExists(atPath: path + "/out"))
        }
    }

    static let faults: [([String], String)] = [
        (["--diagnosis", "FOLDER/app/A.swift"], "diagnosis, line 1: "),
        (["--diagnosis", "FOLDER/nowhere"], "cannot read "),
        (["--diagnosis", "FOLDER/app"], "cannot read "),
        (["--results", "FOLDER/app/A.swift"], "results, line 1: "), (["--results", "FOLDER/nowhere"], "cannot read "),
    ]

    @Test(arguments: faults)
    func `a fault of what a file holds is one line, and usage follows wrong words alone`(
        _ words: [String], _ beginning: String
    ) throws {
        try folder { path in
            let ended = try make(words, in: path)
            #expect(ended.status == 2 && ended.messages.hasPrefix(beginning))
            #expect(ended.messages.split(separator: "\n").count == 1)
            #expect(try make(["--nothing"], in: path).messages.contains("\nusage: "))
        }
    }

    static let changes: [(String, String?)] = [
        ("out/report.en.html", "other"), ("out/report.en.html", nil), ("out/more.html", "more"),
        ("out/more\u{1B}[2J.html", "more"),
        ("out/manifest.json", nil), ("out/manifest.json", "{}"), ("out/evidence.jsonl", ""),
    ]

    @Test(arguments: changes)
    func `a folder with a defect ends verify with 1, and one without with 0`(_ name: String, _ text: String?) throws {
        try folder { path in
            #expect(try make(in: path).status == 0)
            let whole = try evidence(["verify", "FOLDER/out"], in: path)
            #expect(whole.status == 0 && whole.output == "Every file is as the manifest says.\n")
            try FileManager.default.removeItem(atPath: path + "/out/run.json")
            #expect(try evidence(["verify", "FOLDER/out"], in: path).status == 0)
            if let text {
                try write(text, path + "/" + name)
            } else {
                try FileManager.default.removeItem(atPath: path + "/" + name)
            }
            let changed = try evidence(["verify", "FOLDER/out"], in: path)
            #expect(changed.status == 1 && !changed.output.isEmpty && !changed.output.contains("\u{1B}"))
            #expect(try evidence(["verify", "FOLDER/empty"], in: path).status == 1)
        }
    }

    @Test func `a difference ends compare with 1, and none with 0`() throws {
        try folder { path in
            #expect(try make(in: path, out: "one").status == 0)
            #expect(try make(in: path, out: "two").status == 0)
            let same = try evidence(["compare", "FOLDER/one", "FOLDER/two"], in: path)
            #expect(same.status == 0 && same.output == "Nothing changed.\n")
            try write(Self.leak, path + "/app/B.swift")
            #expect(try make(in: path, out: "three").status == 1)
            let other = try evidence(["compare", "FOLDER/one", "FOLDER/three"], in: path)
            #expect(other.status == 1 && other.output.contains("verdict: not assessed → contradicted"))
            #expect(try evidence(["compare", "FOLDER/one", "FOLDER/empty"], in: path).status == 2)
        }
    }

    /// The day that the register says acceptances were judged on.
    private func judged(_ path: String) throws -> String? {
        let data = try Data(contentsOf: URL(fileURLWithPath: path + "/out/register.json"))
        return (try JSONSerialization.jsonObject(with: data) as? [String: Any])?["judgedOn"] as? String
    }

    /// Accepts the app's only weighty finding until a day.
    private func accept(_ path: String, until review: String) throws {
        try write(Self.leak, path + "/app/A.swift")
        #expect(try make(in: path).status == 1)
        let found = try EvidenceBundle.read(path + "/out").flatMap(\.findings).filter { $0.rule == "LOG-SENSITIVE" }
        let fingerprint = try #require(found.first?.fingerprint)
        let text = """
            {"accepted":[{"fingerprint":"\(fingerprint)","reason":"a demo","owner":"A. Person","date":"2026-11-01",
            "review":"\(review)"}]}
            """
        try write(text, path + "/app/pavise-audit.json")
    }

    /// 1801353600 is the first second of 31 January 2027, UTC, 1801440000 that of the day after.
    static let days: [(String?, String?, String)] = [
        ("2027-01-31", nil, "2027-01-31"), ("2027-01-31", "1801440000", "2027-01-31"),
        ("2027-02-01", "1801353600", "2027-02-01"), (nil, "1801353600", "2027-01-31"),
        (nil, "1801439999", "2027-01-31"), (nil, "1801440000", "2027-02-01"),
    ]

    @Test(arguments: days)
    func `the day is that of --date, else that of SOURCE_DATE_EPOCH, and decides when an acceptance ends`(
        _ date: String?, _ epoch: String?, _ day: String
    ) throws {
        try folder { path in
            try accept(path, until: "2027-02-01")
            let ended = try make(date.map { ["--date", $0] } ?? [], in: path, epoch: epoch)
            #expect(try judged(path) == day)
            #expect(ended.status == (day < "2027-02-01" ? 0 : 1))
        }
    }

    @Test(arguments: [nil, ""] as [String?])
    func `without either the day is the clock's`(_ epoch: String?) throws {
        try folder { path in
            try accept(path, until: "9999-12-31")
            let before = String(Date().ISO8601Format().prefix(10))
            #expect(try make(in: path, epoch: epoch).status == 0)
            let after = String(Date().ISO8601Format().prefix(10))
            let day = try #require(try judged(path))
            #expect(day == before || day == after)
        }
    }

    @Test(arguments: ["soon", "1801440000.5", "1e300", "nan", "-1", "99999999999999999999"])
    func `a SOURCE_DATE_EPOCH that is no number of seconds ends with 2, unless --date says the day`(_ epoch: String)
        throws
    {
        try folder { path in
            let ended = try make(in: path, epoch: epoch)
            #expect(ended.status == 2 && !FileManager.default.fileExists(atPath: path + "/out"))
            #expect(try make(["--date", "2027-01-31"], in: path, epoch: epoch).status == 0)
        }
    }

    @Test func `where nothing is accepted the day changes no byte`() throws {
        try folder { path in
            try write(Self.leak, path + "/app/A.swift")
            let manifests = try ["2026-11-25", "2030-01-01"].map { day in
                #expect(try make(["--date", day], in: path, out: day).status == 1)
                return try Data(contentsOf: URL(fileURLWithPath: path + "/\(day)/manifest.json"))
            }
            #expect(manifests[0] == manifests[1])
        }
    }

    private static let statements =
        #"{"references":[{"requirement":"MASVS-CODE-1","title":"Concept","digest":"sha256:0","person":"A. Person"}]}"#

    /// Writes the keys of the standard's example, one of another curve and one of somebody else.
    private func writeKeys(_ path: String) throws {
        try write(SignatureTests.privateKey, path + "/maker.pem")
        try write(SignatureTests.publicKey, path + "/public.pem")
        try write(SignatureTests.otherKey, path + "/other.pem")
        try write(SignatureTests.longKey, path + "/long.pem")
    }

    private static let file = "FOLDER/app/pavise-audit.json"

    @Test func `statements with a signature of the key are kept with it`() throws {
        try folder { path in
            try writeKeys(path)
            try write(Self.statements, path + "/app/pavise-audit.json")
            #expect(try evidence(["sign", Self.file, "--key", "FOLDER/maker.pem"], in: path).status == 0)
            #expect(try make(["--signer", "FOLDER/public.pem"], in: path).status == 0)
            let kept = try String(contentsOfFile: path + "/out/statements.json", encoding: .utf8)
            #expect(kept == Self.statements)
            let references = try EvidenceBundle.read(path + "/out").flatMap(\.references)
            #expect(references.count == 1 && references.allSatisfy { $0.signer?.hasPrefix("sha256:") == true })
            #expect(FileManager.default.fileExists(atPath: path + "/out/statements.json.jws"))
            // Nobody asked for a signature this time: those of the run before are no part of this one.
            #expect(try make(in: path).status == 0)
            #expect(!FileManager.default.fileExists(atPath: path + "/out/statements.json"))
            #expect(try evidence(["verify", "FOLDER/out"], in: path).status == 0)
        }
    }

    @Test(arguments: ["FOLDER/nowhere.pem", "FOLDER/app/A.swift", "FOLDER/long.pem", "FOLDER/other.pem", "FOLDER", ""])
    func `a signer that is no key, or another one, ends with 2, and makes no evidence`(_ signer: String) throws {
        try folder { path in
            try writeKeys(path)
            try write(Self.statements, path + "/app/pavise-audit.json")
            #expect(try evidence(["sign", Self.file, "--key", "FOLDER/maker.pem"], in: path).status == 0)
            #expect(try make(["--signer", signer], in: path).status == 2)
            #expect(try make(["--signer"], in: path).status == 2)
            #expect(!FileManager.default.fileExists(atPath: path + "/out"))
        }
    }

    @Test(arguments: ["no statements", "no signature", "changed", "empty", "pipe"])
    func `a signer whose signature is not over the file ends with 2, and makes no evidence`(_ what: String) throws {
        try folder { path in
            try writeKeys(path)
            let place = path + "/app/pavise-audit.json"
            try write(Self.statements, place)
            #expect(try evidence(["sign", Self.file, "--key", "FOLDER/maker.pem"], in: path).status == 0)
            switch what {
            case "no statements": try FileManager.default.removeItem(atPath: place)
            case "no signature": try FileManager.default.removeItem(atPath: place + ".jws")
            case "changed": try write(Self.statements + "\n", place)
            case "pipe":
                try FileManager.default.removeItem(atPath: place + ".jws")
                #expect(unsafe mkfifo(place + ".jws", 0o600) == 0)
            default: try write("", place + ".jws")
            }
            #expect(try make(["--signer", "FOLDER/public.pem"], in: path).status == 2)
            #expect(!FileManager.default.fileExists(atPath: path + "/out"))
        }
    }

    @Test func `verify asks for the signature of the key over the manifest, and ends with 1 without it`() throws {
        try folder { path in
            try writeKeys(path)
            #expect(try make(in: path).status == 0)
            let ask = ["verify", "FOLDER/out", "--signer"]
            #expect(try evidence(ask + ["FOLDER/public.pem"], in: path).status == 1)
            #expect(
                try evidence(["sign", "FOLDER/out/manifest.json", "--key", "FOLDER/maker.pem"], in: path).status == 0)
            #expect(try evidence(ask + ["FOLDER/public.pem"], in: path).status == 0)
            #expect(try evidence(ask + ["FOLDER/other.pem"], in: path).status == 1)
            for bad in ["FOLDER/long.pem", "FOLDER/nowhere.pem", "FOLDER/app/A.swift"] {
                #expect(try evidence(ask + [bad], in: path).status == 2)
            }
            #expect(try evidence(ask, in: path).status == 2)
        }
    }

    static let repositories: [(String, Bool, Bool?)] = [
        ("", true, false), ("echo >> A.swift", true, true), ("git config core.fsmonitor 'touch written;'", false, nil),
        ("git init -q kit; git -C kit \(named) commit -q --allow-empty -m kit; save", true, true),
    ]
    private static let named = "-c user.name=a -c user.email=a@example.org"

    @Test(arguments: repositories)
    func `a folder is named by its commit and whether it was changed, and by none where git is not asked`(
        _ more: String, _ isNamed: Bool, _ isChanged: Bool?
    ) throws {
        try folder { path in
            let script = """
                export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
                save() { git add -A; git \(Self.named) commit -qm one; }
                cd '\(path)/app'; git init -q; save; \(more)
                """
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/bin/sh")
            process.arguments = ["-ec", script]
            process.standardOutput = FileHandle.nullDevice
            try process.run()
            process.waitUntilExit()
            try #require(process.terminationStatus == 0)
            #expect(try make(in: path).status == 0)
            let records = try EvidenceBundle.read(path + "/out")
            #expect(!records.isEmpty && records.allSatisfy { ($0.subject.commit?.count == 40) == isNamed })
            #expect(records.allSatisfy { $0.subject.dirty == isChanged })
            #expect(!FileManager.default.fileExists(atPath: path + "/app/written"))
        }
    }
}
