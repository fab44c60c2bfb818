internal import Foundation

/// How one case of a published suite came out.
enum CaseOutcome {
    /// As published; a case that is published as acceptable: as decided once.
    case passed
    /// Otherwise than published, and by no written expectation.
    case failed(String)
    /// Otherwise than published, for this written reason.
    case expectedOtherwise(String)
    /// Not played: it asks for what Pavise does not offer.
    case notOffered(String)
}

/// What one run of a suite found. Each case is counted once, and what was not played is never "passed".
///
/// A suite that cannot fail shows nothing, so each case that passed is judged once more with its published verdict
/// turned around. Such a planted verdict has to come out as "failed"; where an expectation would hide it, the report
/// names the case, and where nothing notices it, the run fails.
struct SuiteReport {
    /// The suite's name, as on the command line.
    let suite: String
    /// The case whose published verdict is turned around in this run, to see that the run fails; `first` is the first
    /// one.
    let plant: String?
    private var passed = 0
    private var notOffered: [String: [String]] = [:]
    private var expectedOtherwise: [String: [String]] = [:]
    private var failed: [String: String] = [:]
    private var planted = 0
    private var noticed = 0
    private var hidden: [String: [String]] = [:]
    private var isPlantFound = false
    /// Further figures of the suite, by name: false accepts, seconds, …
    var figures: [String: Double] = [:]

    init(_ suite: String, _ arguments: SuiteArguments) {
        self.suite = suite
        plant = arguments.plant
    }

    /// Counts a case.
    ///
    /// - Parameter judge: How it came out; with `true`, measured by the opposite of what is published. `nil` where a
    ///   case has no opposite.
    mutating func add(_ id: String, judge: (_ isTurned: Bool) -> CaseOutcome?) {
        let isPlanted = plant != nil && (id == plant || (plant == "first" && !isPlantFound))
        isPlantFound = isPlantFound || isPlanted
        switch judge(isPlanted) ?? .failed("has no verdict to turn around") {
        case .passed:
            passed += 1
            noteOpposite(id, judge(!isPlanted))
        case .failed(let how): failed[id] = how
        case .expectedOtherwise(let reason): expectedOtherwise[reason, default: []].append(id)
        case .notOffered(let reason): notOffered[reason, default: []].append(id)
        }
    }

    /// Counts many cases of a suite that makes its own and publishes no verdict.
    mutating func add(passed count: Int, failed cases: [String: String]) {
        passed += count
        failed.merge(cases) { first, _ in first }
    }

    private mutating func noteOpposite(_ id: String, _ outcome: CaseOutcome?) {
        guard let outcome else { return }
        planted += 1
        switch outcome {
        case .failed: noticed += 1
        case .expectedOtherwise(let reason): hidden[reason, default: []].append(id)
        case .passed, .notOffered: failed[id] = "a wrong verdict at this place would go unnoticed"
        }
    }

    private static func count(_ cases: [String: [String]]) -> Int { cases.values.reduce(0) { $0 + $1.count } }

    private var played: Int { passed + failed.count + Self.count(expectedOtherwise) }

    /// 0: cases were played and none failed; 1: one failed, or none was played; 2: there is no such case as the planted
    /// one.
    var status: Int32 {
        guard plant == nil || isPlantFound else { return 2 }
        return failed.isEmpty && played > 0 ? 0 : 1
    }

    /// One line for a person.
    var summary: String {
        let cases = played + Self.count(notOffered)
        return "\(suite): \(cases) cases: \(played) played (\(passed) as published, "
            + "\(Self.count(expectedOtherwise)) otherwise for a written reason, \(failed.count) failed), "
            + "\(Self.count(notOffered)) not offered; of \(planted) planted wrong verdicts \(noticed) are noticed"
    }

    /// Members in alphabetical order, so that two runs can be compared line by line.
    var json: String {
        let value: [String: Any] = [
            "suite": suite, "cases": played + Self.count(notOffered), "played": played, "passed": passed,
            "expectedOtherwise": Self.listed(expectedOtherwise), "notOffered": Self.listed(notOffered),
            "failed": failed, "figures": figures,
            "plantedVerdicts": ["planted": planted, "noticed": noticed, "hiddenByExpectation": Self.listed(hidden)],
        ]
        let options: JSONSerialization.WritingOptions = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        guard let data = try? JSONSerialization.data(withJSONObject: value, options: options) else { return "{}" }
        return String(decoding: data, as: UTF8.self)
    }

    private static func listed(_ cases: [String: [String]]) -> [[String: Any]] {
        cases.sorted { $0.key < $1.key }.map { reason, ids in
            ["reason": reason, "count": ids.count, "cases": CaseRanges.text(ids)]
        }
    }
}
