internal import PaviseDevice
internal import PaviseManaged
internal import PavisePrimitives
internal import PaviseTransport

extension DoctorFacts {
    // More are counted.
    private static let mostFiles = 20
    // 2026-01-01: no release is older.
    private static let oldestTime: Int64 = 1_767_225_600

    /// What follows: at least one finding for each check, in their order. Pure.
    package var findings: [DoctorFinding] {
        [ofHome] + ofFiles + [ofDevice, ofTPM, ofKeychain] + ofParts + [ofRules, ofClock, ofEnvironment, ofPrograms]
            + [ofBuild]
    }

    private var ofHome: DoctorFinding {
        if let refusal { return .init(.home, .problem, refusal.description, command: refusal.remedy) }
        guard isHomeThere else { return .init(.home, .fine, "\(home) is not there yet; it is made when it is needed.") }
        return .init(.home, .fine, "\(home) is this user's, and nobody else can replace it.")
    }

    private var ofFiles: [DoctorFinding] {
        guard let files else { return [.init(.files, .note, "Not looked at: there is no home that may be read.")] }
        // What the home itself is refused for is told already.
        let others = files.findings.filter { $0.path != refusal?.path }
        var findings = others.prefix(Self.mostFiles).map { finding in
            guard let problem = finding.problem else {
                return DoctorFinding(
                    .files, .problem, "\(finding.path) cannot be read.",
                    command: "ls -ld \(FileProblem.quoted(finding.path))")
            }
            return DoctorFinding(
                .files, .problem, problem.explanation(finding.path), command: problem.command(finding.path))
        }
        let left = others.count - findings.count
        if left > 0 {
            findings.append(
                .init(.files, .problem, "\(left) more \(left == 1 ? "is" : "are") not as Pavise makes them."))
        }
        if files.isCut { findings.append(.init(.files, .note, "There are more files than are looked at.")) }
        guard findings.isEmpty else { return findings }
        return [
            .init(
                .files, .fine,
                "\(files.looked.counting("file or folder", "files and folders")): this user's, closed to others, no "
                    + "links."
            )
        ]
    }

    private var ofDevice: DoctorFinding {
        switch device {
        case .absent:
            .init(.device, .note, "There is no device yet; the first secret makes it.", command: "pavise device init")
        case .erasing:
            .init(.device, .problem, "An erase began and did not end.", command: "pavise device erase --yes")
        case .failed(let failure): .init(.device, .problem, failure.explanation, command: Self.command(for: failure))
        case .open(let report): Self.finding(of: report)
        }
    }

    private static func finding(of report: DeviceReport) -> DoctorFinding {
        let words = "The device opens. Hardware: \(report.protection.hardware)."
        if report.isShared == false {
            let more = "The kernel's keyring cannot be used: an unlock holds for one process."
            return .init(.device, .note, "\(words) \(more)", command: "pavise device status")
        }
        guard !report.hasPasscode else { return .init(.device, .fine, "\(words) A passcode is set.") }
        let more = "There is no passcode: whoever uses this account reads everything."
        return .init(.device, .note, "\(words) \(more)", command: "pavise device passcode")
    }

    private static func command(for failure: DeviceFailure) -> String? {
        switch failure {
        case .system(let failure): failure.remedy
        case .damaged, .unknownKey, .deviceLost: "pavise restore FILE"
        case .foreignMark(let file): "mv \(FileProblem.quoted(file)) \(FileProblem.quoted(file + ".old"))"
        case .hardwareNotPermitted(_, let group): group.map { "sudo usermod -aG \($0) USER" }
        case .managed: "pavise policy check \(ManagedFile.systemPath)"
        case .locked: "pavise device unlock"
        default: nil
        }
    }

    private var ofTPM: DoctorFinding {
        let isOnTPM = if case .open(let report) = device { report.element == .tpm } else { false }
        switch tpm {
        case .absent: return .init(.tpm, .fine, "This machine shows no TPM 2.0.")
        case .notPermitted(let path, let group):
            let command = group.map { "sudo usermod -aG \($0) USER" } ?? "ls -l \(FileProblem.quoted(path))"
            return .init(.tpm, .problem, "\(path) is there, and this user may not use it.", command: command)
        case .usable:
            if case .open = device, !isOnTPM {
                let words = "There is a TPM, and this home was made without it: a copy of the disk opens everywhere."
                return .init(.tpm, .note, "\(words) Only a new home changes that.")
            }
            return .init(.tpm, .fine, "The TPM can be used\(isOnTPM ? ", and this home stands on it" : "").")
        }
    }

    private var ofKeychain: DoctorFinding {
        switch keychain {
        case .absent: .init(.keychain, .fine, "There is no keychain yet.")
        case .notAsked: .init(.keychain, .note, "Not looked at: the device does not open.")
        case .failed(let words): .init(.keychain, .problem, words, command: "pavise keychain repair")
        case .items(let intact, 0): .init(.keychain, .fine, "\(intact.counting("item")), none of them damaged.")
        case .items(let intact, let damaged):
            .init(
                .keychain, .problem,
                "\(damaged.counting("item is", "items are")) damaged, \(intact) \(intact == 1 ? "is" : "are") not.",
                command: "pavise keychain repair")
        }
    }

    private var ofParts: [DoctorFinding] {
        parts.map { part in
            let install = "sudo apt install \(part.package)"
            guard let version = part.version else {
                return .init(.libraries, .problem, "\(part.name) cannot be loaded.", command: install)
            }
            guard !part.isOlder else {
                let words = "\(part.name) \(version) is older than each version that was tested (\(part.oldest))."
                return .init(.libraries, .problem, words, command: install)
            }
            return .init(.libraries, .fine, "\(part.name) \(version).")
        }
    }

    private var ofRules: DoctorFinding {
        switch rules {
        case .none: return .init(.rules, .fine, "Nobody manages this machine.")
        case .used(let path, let unknown):
            guard !unknown.isEmpty else { return .init(.rules, .fine, "The rules of \(path) are in effect.") }
            let words = "Keys of \(path) have no effect: \(unknown.joined(separator: "; "))."
            return .init(.rules, .problem, words, command: "pavise policy check \(FileProblem.quoted(path))")
        case .failed(let failure):
            return .init(.rules, .problem, failure.description, command: Self.command(for: failure))
        }
    }

    private static func command(for failure: ManagedFile.Failure) -> String {
        switch failure {
        case .content(let path, _), .noFile(let path), .foreign(let path), .notForced(let path):
            "pavise policy check \(FileProblem.quoted(path))"
        case .openToAll(let path): "chmod o-w \(FileProblem.quoted(path))"
        case .notRoots(let path):
            "sudo chown root \(FileProblem.quoted(path)) && sudo chmod go-w \(FileProblem.quoted(path))"
        case .system(let failure): "ls -l \(FileProblem.quoted(failure.path))"
        }
    }

    private var ofClock: DoctorFinding {
        let latest = files?.latestChange ?? 0
        let command = "timedatectl set-ntp true"
        guard now >= Self.oldestTime else {
            return .init(.clock, .problem, "The clock says \(time), before this program was made.", command: command)
        }
        // A day for time zones that were set by hand.
        guard now + 86_400 >= latest else {
            let words = "The clock says \(time), and a file of the home was changed later: one of the two was wrong."
            return .init(.clock, .problem, words, command: command)
        }
        return .init(.clock, .fine, "The clock says \(time). Nobody vouches for it.")
    }

    private var time: String { CivilTime(seconds: now).text + "Z" }

    private var ofEnvironment: DoctorFinding {
        guard let first = told.first else {
            return .init(.environment, .fine, "No variable has changed how the program's libraries work.")
        }
        let names = told.map(\.name)
        let words = "\(first.name) is set; it \(first.reason)."
        let more = names.count > 1 ? " Also set: \(names.dropFirst().joined(separator: ", "))." : ""
        return .init(.environment, .note, words + more, command: "unset \(names.joined(separator: " "))")
    }

    private var ofPrograms: DoctorFinding {
        guard let most = otherPrograms.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }) else {
            return .init(.programs, .fine, "No other program keeps items in this home.")
        }
        let list = otherPrograms.sorted { $0.key < $1.key }.prefix(8).map { "“\($0.key)” (\($0.value))" }
        return .init(
            .programs, .note, "Items of other programs, which this one does not see: \(list.joined(separator: ", ")).",
            command: "PAVISE_APP_ID=\(FileProblem.quoted(most.key)) pavise keychain list")
    }

    private var ofBuild: DoctorFinding {
        guard isDebugBuild else { return .init(.build, .fine, "pavise \(Program.version), a release.") }
        let words = "pavise \(Program.version) is a debug build: it is slower, and made for developers."
        return .init(.build, .note, words, command: "pavise --version --verbose")
    }
}
