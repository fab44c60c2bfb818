internal import PaviseArguments
internal import PavisePrimitives
internal import SecurityFramework

/// `pavise keychain repair`: shows what a damaged keychain still gives, then puts a whole one in its place.
enum RepairCommand {
    private static let isSure = Flag("yes", help: "Do not ask.")
    // More names than a person reads are counted.
    private static let mostNames = 200

    static let action = Action(
        Command(
            "repair", abstract: "Bring back what can be read of a damaged keychain.",
            discussion: """
                What can be read and authenticated is shown first, and what is lost; then it asks. Afterwards, \
                everything that could be brought back lies in a new keychain, with the same references and dates; what \
                is locked comes back unopened. The old files are kept, as they are, in a folder that is named: remove \
                it when nothing is missed.

                Status 0: the keychain is whole, or was repaired. 1: nothing was changed. With --json and without \
                --yes it only looks: status 0, and “repaired” is false. A repair that is cut off leaves the old \
                keychain or the new one.
                """,
            parameters: [isSure, Shared.json],
            examples: [
                .init("pavise keychain repair", "Show what is damaged, and ask."),
                .init("pavise keychain repair --yes --json", "Repair it, and tell a program."),
            ])
    ) { invocation, environment in
        do {
            try run(invocation, environment)
        } catch let failure as KeychainRepair.Failure {
            throw CommandFailure(.failed, failure.explanation)
        }
    }

    private static func run(_ invocation: Invocation, _ environment: Environment) throws {
        let isJSON = invocation[Shared.json]
        if !isJSON { environment.console.tell(.line("Reading the keychain…")) }
        switch try KeychainRepair.examine(environment.home, time: environment.time) {
        case .absent:
            let report = Report(data: .fields(["damaged": false, "repaired": false, "items": .integer(0)]))
            let words = "There is no keychain, so there is nothing to repair."
            try environment.show(report.adding(.line(words)), for: invocation)
        case .whole(let count):
            let report = Report(data: .fields(["damaged": false, "repaired": false, "items": .integer(Int64(count))]))
            let words = "The keychain is whole: \(count.counting("item")). There is nothing to repair."
            try environment.show(report.adding(.success(words)), for: invocation)
        case .damaged(let repair):
            let findings = repair.findings
            if !isJSON { for part in parts(findings) { environment.console.tell(part) } }
            guard try isConfirmed(invocation, environment) else {
                if isJSON { return try environment.show(Report(data: data(findings, folder: nil)), for: invocation) }
                throw CommandFailure(.failed, "Nothing was changed. Type “repair”, or write --yes.")
            }
            if !isJSON { environment.console.tell(.line("Putting the new keychain in its place…")) }
            let folder = try repair.finish()
            let report = Report(data: data(findings, folder: folder))
                .adding(
                    .success("The keychain is repaired. The old files are in \(folder); nothing in them was changed."))
            try environment.show(report, for: invocation)
        }
    }

    private static func isConfirmed(_ invocation: Invocation, _ environment: Environment) throws -> Bool {
        if invocation[isSure] { return true }
        guard !invocation[Shared.json] else { return false }
        let question = "Put a keychain with what is readable and locked in its place? Type “repair”: "
        return try environment.person.answer(to: question) == "repair"
    }

    private static let fates: [(fate: KeychainRepair.Fate, words: String)] = [
        (.readable, "can be read"), (.locked, "locked, comes back unopened"), (.lost, "lost"),
    ]

    private static func parts(_ findings: KeychainRepair.Findings) -> [Report.Part] {
        var parts: [Report.Part] = [.heading("The keychain is damaged.")]
        if let reason = findings.reason { parts.append(.line(reason)) }
        if findings.isNothingReadable {
            return parts + [
                .line("Nothing in it can be read: it is another device's, or nothing of it is left."),
                .line("A backup (“pavise restore”) brings it back; a repair begins with an empty keychain."),
            ]
        }
        let classes = Set(findings.items.map(\.itemClass)).sorted()
        let rows = classes.map { itemClass in
            let items = findings.items.filter { $0.itemClass == itemClass }
            return [title(of: itemClass)] + fates.map { row in "\(items.count { $0.fate == row.fate })" }
        }
        parts.append(.table([["CLASS", "READABLE", "LOCKED", "LOST"]] + rows))
        for row in fates {
            let items = findings.items.filter { $0.fate == row.fate }
            for item in items.prefix(mostNames) {
                parts.append(
                    .line(
                        """
                          \(row.words): \(title(of: item.itemClass)) \
                        \(item.name.map(Printable.text) ?? "without a readable name")
                        """
                    ))
            }
            if items.count > mostNames { parts.append(.line("  and \(items.count - mostNames) more")) }
        }
        if findings.damagedPages > 0 {
            parts.append(.line("\(findings.damagedPages) pages cannot be read; what else was in them is not known."))
        }
        if findings.mayBeOlder {
            parts.append(
                .line(
                    """
                    The log is damaged: an item may be older than it was, and one that was deleted of late may be back.
                    """
                ))
        }
        return parts
    }

    private static func title(of itemClass: String) -> String {
        switch itemClass {
        case "genp": "generic password"
        case "inet": "internet password"
        case "cert": "certificate"
        case "keys": "key"
        default: itemClass
        }
    }

    private static func data(_ findings: KeychainRepair.Findings, folder: String?) -> JSONValue {
        .fields([
            "damaged": true, "repaired": .bool(folder != nil), "setAside": folder.map { .string($0) },
            "reason": findings.reason.map { .string($0) }, "readable": .integer(Int64(findings.count(.readable))),
            "locked": .integer(Int64(findings.count(.locked))), "lost": .integer(Int64(findings.count(.lost))),
            "damagedPages": .integer(Int64(findings.damagedPages)), "mayBeOlder": .bool(findings.mayBeOlder),
            "items": .array(
                findings.items.map { item in
                    .fields([
                        "class": .string(item.itemClass), "group": .string(item.group),
                        "name": item.name.map { .string($0) }, "fate": .string(item.fate.rawValue),
                    ])
                }),
        ])
    }
}
