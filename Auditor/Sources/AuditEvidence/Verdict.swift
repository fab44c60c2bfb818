/// What the evidence says about a requirement. The word of a laboratory is another thing, and is never printed.
package enum Verdict: String, Codable, Sendable, CaseIterable {
    case contradicted, supported
    case notAssessed = "not assessed"
    case notApplicable = "not applicable"
}

/// Why, as data: rendered in a language by the report alone.
package enum Reason: Hashable, Codable, Sendable {
    /// So many open findings of weight.
    case findings(Int)
    /// Findings of the rank of a note, which neither speak for nor against.
    case notes(Int)
    /// Findings that the maker suppressed: their reasons are judged by a person.
    case suppressed(Int)
    /// So many files were not analysed.
    case notAnalysed(Int)
    /// So many source files are of a language that no rule reads, are read in part, or lie in skipped folders.
    case notLooked(Int)
    /// Findings in what was taken for test code: whether it is shipped is judged by a person.
    case inTests(Int)
    /// Values that a mapped rule speaks about, and whose way could not be followed to a judgement.
    case undecided(Int)
    /// The rules that are mapped look for a part of what the row asks.
    case ruleGap
    /// No rule is mapped to the row.
    case noRule
    /// The mapped rules read files of a kind of which there is none.
    case noFile
    /// Checks of these kinds were not given.
    case missing([String])
    /// A check of this kind disagrees.
    case disagrees(String)
    /// A machine can show a part only; the rest is a person's.
    case partial
    /// No machine can show it.
    case person
    /// All mapped checks ran on all files and agree.
    case agrees(Int)
    /// A person says so, with a reason.
    case statement(String)

    /// Stands between the reasons of a record, and in none of them but a person's own.
    package static let separator = "; "
    /// Stands before the name of a check that was not run.
    package static let notRun = "not run: "

    package var text: String { text(german: false) }

    package func text(german: Bool) -> String {
        switch self {
        case .findings(let count):
            german
                ? count == 1 ? "1 offener Befund" : "\(count) offene Befunde"
                : count == 1 ? "1 open finding" : "\(count) open findings"
        case .notes(let count):
            german
                ? count == 1
                    ? "1 Hinweis, über den ein Mensch urteilt" : "\(count) Hinweise, über die ein Mensch urteilt"
                : count == 1 ? "1 note for a person to judge" : "\(count) notes for a person to judge"
        case .suppressed(let count):
            german
                ? count == 1
                    ? "1 vom Hersteller unterdrückter Befund, dessen Begründung ein Mensch prüft"
                    : "\(count) vom Hersteller unterdrückte Befunde, deren Begründung ein Mensch prüft"
                : count == 1
                    ? "1 finding that the maker suppressed, whose reason a person judges"
                    : "\(count) findings that the maker suppressed, whose reasons a person judges"
        case .notAnalysed(let count):
            german
                ? count == 1 ? "1 Datei nicht analysiert" : "\(count) Dateien nicht analysiert"
                : count == 1 ? "1 file not analysed" : "\(count) files not analysed"
        case .notLooked(let count):
            german
                ? count == 1 ? "1 Datei oder Ordner nicht gelesen" : "\(count) Dateien oder Ordner nicht gelesen"
                : count == 1 ? "1 file or folder not read" : "\(count) files or folders not read"
        case .inTests(let count):
            german
                ? count == 1
                    ? "1 Befund in Testcode, den ein Mensch prüft"
                    : "\(count) Befunde in Testcode, die ein Mensch prüft"
                : count == 1
                    ? "1 finding in test code for a person to look at"
                    : "\(count) findings in test code for a person to look at"
        case .undecided(let count):
            german
                ? count == 1
                    ? "1 Wert, dessen Weg sich nicht verfolgen ließ"
                    : "\(count) Werte, deren Weg sich nicht verfolgen ließ"
                : count == 1 ? "1 value that could not be followed" : "\(count) values that could not be followed"
        case .ruleGap:
            german
                ? "die Regeln suchen nur einen Teil dessen, was verlangt ist"
                : "the rules look for a part of what is asked"
        case .noRule: german ? "keine Regel ist dieser Anforderung zugeordnet" : "no rule is mapped to this row"
        case .noFile:
            german ? "keine Datei der Art, die die Regeln lesen" : "no file of the kind that the rules read"
        case .missing(let kinds):
            (german ? "nicht vorgelegt: " : "not given: ") + kinds.map { Self.kind($0, german) }.joined(separator: ", ")
        case .disagrees(let kind): (german ? "widerspricht: " : "disagrees: ") + Self.kind(kind, german)
        case .partial:
            german
                ? "nur teilweise maschinell zeigbar, Nachweise anbei" : "a machine shows a part only, evidence attached"
        case .person: german ? "nur durch einen Menschen" : "by a person only"
        case .agrees(let count):
            german
                ? "alle \(count) zugeordneten Prüfungen liefen über alle Dateien und stimmen überein"
                : "all \(count) mapped checks ran on all files and agree"
        case .statement(let text): text
        }
    }

    private static func kind(_ kind: String, _ german: Bool) -> String {
        switch kind {
        case "static_scan": german ? "Prüfung des Quelltexts" : "scan of the source"
        case "kit_test": german ? "Test des Baukastens" : "test of the kit"
        case "app_test": german ? "Test der App" : "test of the app"
        case "server_probe": german ? "Probe am Server" : "probe of the server"
        case "human": german ? "Urteil eines Menschen" : "judgement of a person"
        // A check that was to be run, by its name.
        case _ where german && kind.hasPrefix(notRun): "nicht ausgeführt: " + String(kind.dropFirst(notRun.count))
        default: kind
        }
    }
}

/// What is known about one requirement when it is judged.
package struct Grounds: Sendable {
    package var automation = "full"
    package var verify = ["static_scan"]
    /// Rules that are mapped, and those of them for whose kind of file at least one was read. Rules about what is
    /// absent are not among them: they never support.
    package var mapped = 0
    package var ran = 0
    package var open = 0
    package var notes = 0
    package var suppressed = 0
    package var notAnalysed = 0
    package var notLooked = 0
    package var inTests = 0
    package var undecided = 0
    /// The mapped rules look for all that the row asks of a scan.
    package var isWhole = true
    /// Checks other than the scan, by kind: whether all of them agree.
    package var results: [String: Bool] = [:]
    /// A person's statement that the row does not concern the app.
    package var notApplicable: String?

    package init() {}

    /// The verdict, and every reason against a better one. It is never above the coverage.
    package func judged() -> (verdict: Verdict, reasons: [Reason]) {
        if open > 0 { return (.contradicted, [.findings(open)]) }
        if let kind = results.filter({ !$0.value }).keys.min() { return (.contradicted, [.disagrees(kind)]) }
        if let notApplicable { return (.notApplicable, [.statement(notApplicable)]) }
        var reasons: [Reason] = []
        if automation == "none" { reasons.append(.person) }
        if automation == "partial" { reasons.append(.partial) }
        if verify.contains("static_scan") {
            if mapped == 0 { reasons.append(.noRule) } else if ran < mapped { reasons.append(.noFile) }
            if notAnalysed > 0 { reasons.append(.notAnalysed(notAnalysed)) }
            if notLooked > 0 { reasons.append(.notLooked(notLooked)) }
            if !isWhole, mapped > 0 { reasons.append(.ruleGap) }
            if inTests > 0 { reasons.append(.inTests(inTests)) }
            if undecided > 0 { reasons.append(.undecided(undecided)) }
            if notes > 0 { reasons.append(.notes(notes)) }
            if suppressed > 0 { reasons.append(.suppressed(suppressed)) }
        }
        let missing = verify.filter { $0 != "static_scan" && results[$0] != true }
        if !missing.isEmpty { reasons.append(.missing(missing)) }
        if verify.isEmpty { reasons.append(.noRule) }
        guard reasons.isEmpty else { return (.notAssessed, reasons) }
        return (.supported, [.agrees(ran + results.count)])
    }
}
