internal import PaviseDevice
internal import PavisePrimitives

extension DeviceReport {
    /// The state as JSON.
    var data: JSONValue {
        .fields([
            "element": .string(element.name), "hardware": .string(protection.hardware),
            "passcode": .bool(hasPasscode), "lock": .string(lockName),
            "sharedUnlock": isShared.map { .bool($0) }, "failures": .integer(Int64(failures)),
            "waitSeconds": .integer(wait), "erasesAfterTen": .bool(policy?.erasesAtLimit ?? false),
            "guessKibibytes": cost.map { .integer(Int64($0.kibibytes)) },
            "guessPasses": cost.map { .integer(Int64($0.passes)) },
        ])
    }

    private var lockName: String {
        switch lock {
        case .beforeFirstUnlock: "beforeFirstUnlock"
        case .locked: "locked"
        case .unlocked: "unlocked"
        }
    }

    /// The state in words, after what `report` says already.
    func facts(after report: Report) -> Report {
        var report = report
        report.add(.fact(.init("hardware", "Hardware", protection.hardware)))
        report.add(.line("  \(protection.meaning)"))
        report.add(.fact(.init("passcode", "Passcode", passcodeWords)))
        report.add(.fact(.init("lock", "State", lockWords)))
        if hasPasscode, element == .software {
            report.add(
                .line(
                    """
                      Whoever copies the disk can guess at the price of one try each: four digits fall in half an hour.
                    """
                ))
        }
        return report
    }

    private var passcodeWords: String {
        guard hasPasscode, let cost else { return "none: everything opens unattended" }
        var words = "set; a guess costs \(cost.kibibytes / 1024) MiB, \(cost.passes.counting("time"))"
        if policy?.erasesAtLimit == true { words += "; ten wrong ones erase" }
        if failures > 0 { words += "; \(failures) wrong in a row" }
        if wait > 0 { words += "; next try in \(wait) s" }
        return words
    }

    private var lockWords: String {
        switch lock {
        case .beforeFirstUnlock: "locked, not unlocked since the start"
        case .locked: "locked"
        case .unlocked where isShared == false: "unlocked, in this process alone: the kernel keeps no keys here"
        case .unlocked: "unlocked"
        }
    }
}
