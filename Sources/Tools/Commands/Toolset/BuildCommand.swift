internal import PaviseArguments
internal import PaviseBuildCheck
internal import PavisePrimitives

/// `pavise build check`: what of debugging is in a program's file, and how it is hardened.
enum BuildCommand {
    private static let file = Argument("FILE", help: "A program or library, ELF or Mach-O, of any maker.")
    private static let policy = Option(
        "policy", value: "POLICY", help: "A JSON file with what may be in it: switches, variables, hosts, libraries.")
    private static let isDebug = Flag("debug", help: "Demand every declared switch of a debug build instead.")
    // A program that holds a whole runtime and its symbols.
    private static let limit = 1 << 30

    static let check = Action(
        Command(
            "check", abstract: "Say what of debugging is in a program, and how it is hardened.",
            discussion: """
                Reads the file alone, on any machine: switches and flags of debug builds, hosts of tests, \
                variables of the environment, entitlements, folders of the builder, symbols; RELRO, BIND_NOW, \
                position, stack, folders that are searched for libraries. Whoever wrote the program, each finding \
                has its remedy.

                Exit status: 0 nothing found, 1 the file cannot be read, 2 usage, 3 something was found.
                """,
            parameters: [file, policy, isDebug, Shared.json, ATSOptions.sarif],
            examples: [
                .init("pavise build check .build/release/diary", "Check a program before people get it."),
                .init(
                    "pavise build check Diary.app/Diary --sarif >build.sarif", "Check an app of iOS, for a code host."),
                .init(
                    "pavise build check .build/debug/diary --policy build.json --debug",
                    "See that the check is not blind."),
            ])
    ) { invocation, environment in
        guard !(invocation[Shared.json] && invocation[ATSOptions.sarif]) else {
            throw UsageError(.rule("Choose one of --json and --sarif."), path: invocation.path)
        }
        let path = try invocation.value(file)
        let rules = try invocation[policy].map(read) ?? BuildPolicy()
        let bytes = try InputFile.read(path, limit: limit)
        let result: BuildCheck.Result
        do throws(ProgramProblem) {
            result = try BuildCheck.judge(bytes, for: rules, as: invocation[isDebug] ? .debug : .release)
        } catch {
            throw CommandFailure(.failed, "\(Printable.text(path)) is not judged. \(error.description)")
        }
        let page = BuildPage(path: path, result: result)
        if invocation[ATSOptions.sarif] {
            try environment.console.show(text: Printable.json(page.sarif.prettyText) + "\n")
        } else {
            try environment.show(page.page, for: invocation)
        }
        guard result.findings.isEmpty else { throw CommandFailure.reported(.refused) }
    }

    private static func read(_ path: String) throws -> BuildPolicy {
        do throws(BuildPolicy.Problem) { return try BuildPolicy(json: try bytes(of: path)) } catch {
            throw CommandFailure(.usage, error.description)
        }
    }

    private static func bytes(of path: String) throws(BuildPolicy.Problem) -> [UInt8] {
        do throws(SystemFailure) { return try InputFile.read(path, limit: 1 << 20) } catch {
            throw BuildPolicy.Problem(description: error.description)
        }
    }
}

/// What was found in a program's file, as text, as JSON and as SARIF.
struct BuildPage {
    let path: String
    let result: BuildCheck.Result

    var page: Report {
        var page = Report(data: data)
        for finding in result.findings {
            let rule = finding.rule
            let line = "\(rule.severity.rawValue)  \(rule.rawValue)  \(rule.summary)"
            page.add(rule.severity == .error ? .failure(line) : .line(line))
            page.add(.line("    \(finding.evidence)"))
            page.add(.line("    → \(rule.remedy)"))
        }
        let facts = result.facts
        page.add(.fact(.init("format", "Format", "\(facts.format.rawValue), \(facts.processor)")))
        page.add(.fact(.init("libraries", "Libraries", .array(facts.libraries.map { .string($0) }))))
        let count = result.findings.count
        let summary = count.counting("finding")
        page.add(count == 0 ? .success(summary) : .line(summary))
        return page
    }

    private var data: JSONValue {
        .fields([
            "file": .string(path), "format": .string(result.facts.format.rawValue),
            "processor": .string(result.facts.processor), "identity": result.facts.identity.map { .string($0) },
            "libraries": .array(result.facts.libraries.map { .string($0) }),
            "findings": .array(
                result.findings.map { finding in
                    .fields([
                        "rule": .string(finding.rule.rawValue), "severity": .string(finding.rule.severity.rawValue),
                        "evidence": .string(finding.evidence), "source": .string(finding.rule.source),
                    ])
                }),
        ])
    }

    /// The log for code hosts.
    var sarif: JSONValue {
        SARIF(
            rules: BuildRule.allCases.map { rule in
                SARIF.Rule(
                    id: rule.rawValue, summary: rule.summary, level: rule.severity == .error ? .error : .warning)
            },
            results: result.findings.map { finding in
                SARIF.Result(
                    rule: finding.rule.rawValue, level: finding.rule.severity == .error ? .error : .warning,
                    text: "\(finding.rule.summary) \(finding.evidence). \(finding.rule.remedy)",
                    place: SARIF.reference(path), line: nil)
            }
        ).log
    }
}
