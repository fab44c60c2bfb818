internal import PaviseArguments
internal import PaviseDevice
internal import PaviseIntegrity
internal import PaviseManaged
internal import PavisePrimitives
internal import PaviseTransport
internal import SecurityFramework

/// `pavise doctor`: what is wrong with this installation, and what mends it.
enum DoctorCommand {
    private static let isBrief = Flag("problems", help: "Only what is to be mended.")

    static let action = Action(
        Command(
            "doctor", abstract: "Say what is wrong with this installation, and what mends it.",
            discussion: """
                Looks at the home, at the owner and mode of each file in it, at the device and its TPM, the \
                keychain, the libraries, the administrator's file, the clock, variables that libraries read, items \
                of other programs, and whether this program is a debug build. Each finding comes with the command \
                that mends it, where one does. Nothing is mended, and nothing is sent.

                Exit status: 0 nothing is to be mended, 1 something is, 2 usage.
                """,
            parameters: [isBrief, Shared.json],
            examples: [
                .init("pavise doctor", "Look at everything."),
                .init("pavise doctor --json", "The same for a program that watches many machines."),
            ])
    ) { invocation, environment in
        let findings = environment.doctorFacts.findings
        let shown = invocation[isBrief] ? findings.filter { $0.level == .problem } : findings
        let problems = findings.count { $0.level == .problem }
        var report = Report(data: data(shown, problems))
        for finding in shown { add(finding, to: &report) }
        let things = problems == 1 ? "1 thing is" : "\(problems) things are"
        report.add(problems == 0 ? .success("Nothing is to be mended.") : .line("\(things) to be mended."))
        try environment.show(report, for: invocation)
        guard problems == 0 else { throw CommandFailure.reported(.failed) }
    }

    private static func add(_ finding: DoctorFinding, to report: inout Report) {
        let line = "\(finding.level.rawValue)  \(finding.check.rawValue)  \(finding.words)"
        report.add(finding.level == .problem ? .failure(line) : .line(line))
        if let command = finding.command { report.add(.line("    \(command)")) }
    }

    private static func data(_ findings: [DoctorFinding], _ problems: Int) -> JSONValue {
        .fields([
            "problems": .integer(Int64(problems)),
            "findings": .array(
                findings.map { finding in
                    .fields([
                        "check": .string(finding.check.rawValue), "level": .string(finding.level.rawValue),
                        "message": .string(finding.words), "command": finding.command.map { .string($0) },
                    ])
                }),
        ])
    }
}

extension Environment {
    /// What there is to be said about this installation. Files are read; nothing is made but what opening a device and
    /// a keychain finish.
    var doctorFacts: DoctorFacts {
        var facts = DoctorFacts(home: home.path, now: time.wallSeconds)
        facts.tpm = device.elements.makers.first { $0.kind == .tpm }?.availability() ?? .absent
        facts.parts = ThirdPartyPart.all()
        facts.told = LibraryVariable.told
        facts.isDebugBuild = BuildFacts.current.configuration == "debug"
        facts.rules = rulesFact
        facts.isHomeThere = DurableFile.exists(home.path)
        do throws(SystemFailure) {
            for part in [nil] + PaviseHome.Part.allCases { try home.check(part) }
        } catch {
            facts.refusal = error
        }
        guard facts.isHomeThere else { return facts }
        facts.files = HomeInspection(home)
        guard facts.refusal == nil else { return facts }
        facts.device = deviceFact
        facts.keychain = keychainFact(facts.device)
        if case .items = facts.keychain { facts.otherPrograms = KeychainDiagnostics.itemsOfOtherPrograms(home) }
        return facts
    }

    private var rulesFact: DoctorFacts.RulesFact {
        do throws(ManagedFile.Failure) {
            guard let found = try managed.found() else { return .none }
            return .used(path: found.path, unknown: found.configuration.unknownKeys.map(\.description))
        } catch {
            return .failed(error)
        }
    }

    private var deviceFact: DoctorFacts.DeviceFact {
        do throws(DeviceFailure) {
            guard try !Device.isErasing(home) else { return .erasing }
            guard try Device.exists(in: home) else {
                return DurableFile.exists(home.keychain + "/items.db") ? .failed(.deviceLost(home)) : .absent
            }
            return .open(try Device.open(home, device).report())
        } catch {
            return .failed(error)
        }
    }

    private func keychainFact(_ device: DoctorFacts.DeviceFact) -> DoctorFacts.KeychainFact {
        guard DurableFile.exists(home.keychain + "/items.db") else { return .absent }
        guard case .open = device else { return .notAsked }
        let report = KeychainDiagnostics.report(home, in: SecurityEnvironment.current.lock.state)
        if let failure = report.failure { return .failed(failure) }
        return .items(intact: report.intact, damaged: report.damaged.count + report.unreadable)
    }
}
