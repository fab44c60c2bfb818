internal import PavisePrimitives

/// The table of a run, for a person and for a program.
public struct AttackReport: Sendable {
    private let rows: [AttackRow]

    /// A report of these rows.
    public init(_ rows: [AttackRow]) { self.rows = rows }

    /// Whether every attack was stopped at every target.
    public var isClean: Bool { !rows.isEmpty && rows.allSatisfy(\.isStopped) }

    /// One line for each case with what left at each target, then the reasons of outcomes that differ, then the counts.
    public var text: String {
        let targets = targets
        var cells = [["case", "rule"] + targets.map(\.rawValue)]
        var reasons: [String] = []
        var meant: [String: [String]] = [:]
        for (attack, found) in cases {
            var line = [attack.id, attack.rule]
            for target in targets {
                guard let row = found.first(where: { $0.target == target }) else {
                    line.append("not played")
                    continue
                }
                let expected = attack.expectation(at: target)
                if let note = expected.note {
                    let reason = "\(target.rawValue): \(note)"
                    if meant[reason] == nil { reasons.append(reason) }
                    meant[reason, default: []].append(attack.id)
                }
                line.append(row.isStopped ? expected.words + (expected.note == nil ? "" : " *") : "FAILED")
            }
            cells.append(line)
        }
        return
            ([Self.table(cells), ""] + faults + reasons.map { "* \($0) \((meant[$0] ?? []).joined(separator: ", "))" }
            + [summary]).joined(separator: "\n") + "\n"
    }

    /// The same as one object: counts, and for each case and target what was expected and what was wrong.
    public var json: String {
        let list = cases.map { attack, found in
            JSONValue.fields([
                "id": .string(attack.id), "rule": .string(attack.rule), "attack": .string(attack.attack),
                "doors": .array(found.map(Self.value)),
            ])
        }
        return JSONValue.fields([
            "suite": .string("attacks"), "cases": .integer(cases.count), "plays": .integer(rows.count),
            "stopped": .integer(rows.count(where: \.isStopped)), "isClean": .bool(isClean), "rows": .array(list),
        ]).prettyText
    }

    private var targets: [AttackedClientName] {
        AttackedClientName.allCases.filter { name in rows.contains { $0.target == name } }
    }

    private var cases: [(AttackCase, [AttackRow])] {
        var order: [String] = []
        var found: [String: [AttackRow]] = [:]
        for row in rows {
            if found[row.attack.id] == nil { order.append(row.attack.id) }
            found[row.attack.id, default: []].append(row)
        }
        return order.compactMap { id in found[id].flatMap { rows in rows.first.map { ($0.attack, rows) } } }
    }

    private var faults: [String] {
        rows.filter { !$0.isStopped }.map {
            "FAILED \($0.attack.id) at \($0.target.rawValue): \(($0.faults + $0.twinFaults).joined(separator: "; "))"
        }
    }

    private var summary: String {
        let families = Dictionary(grouping: cases, by: \.0.family).mapValues(\.count)
            .sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
        return
            """
            attacks: \(rows.count(where: \.isStopped)) of \(rows.count) plays of \(cases.count) cases stopped \
            (\(families))
            """
    }

    private static func value(_ row: AttackRow) -> JSONValue {
        let expected = row.attack.expectation(at: row.target)
        return .fields([
            "door": .string(row.target.rawValue), "stopped": .bool(row.isStopped), "mayLeave": .string(expected.words),
            "endings": .array(expected.endings.map(\.rawValue).sorted().map { .string($0) }),
            "reason": expected.note.map { .string($0) },
            "faults": .array((row.faults + row.twinFaults).map { .string($0) }),
        ])
    }

    private static func table(_ cells: [[String]]) -> String {
        let widths = (0..<(cells.first?.count ?? 0)).map { column in cells.map { $0[column].count }.max() ?? 0 }
        return cells.map { line in
            zip(line, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }.joined(separator: "  ")
        }.joined(separator: "\n")
    }
}

extension AttackExpectation {
    /// What may have left, in a few words: at the server that is asked, and at the other one.
    fileprivate var words: String {
        let other = trap == .nothing ? "" : ", elsewhere \(trap.words)"
        return front.words + other
    }
}

extension AttackExpectation.Reach {
    fileprivate var words: String {
        switch self {
        case .nothing: "nothing"
        case .handshake: "handshake"
        case .withoutCanary: "no secret"
        case .requests(let limit): "\(limit) request\(limit == 1 ? "" : "s")"
        case .canaries(let limit): "\(limit) secret\(limit == 1 ? "" : "s")"
        case .anything: "own request"
        }
    }
}
