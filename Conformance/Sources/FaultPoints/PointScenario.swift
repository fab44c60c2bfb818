/// Writes of one kind, each with what has to be there before it.
///
/// What a reader sees afterwards (``lines()``) is what it saw before or what it sees after the whole write, so that the
/// scenarios need no model of their own.
public protocol PointScenario: RawRepresentable, CaseIterable, Sendable where RawValue == String {
    /// Whether an error may come after the write is done.
    var isInTwoSteps: Bool { get }
    /// Brings about what the write starts from.
    func prepare() -> Bool
    /// The write: 0 when it was acknowledged, else a status that says why not.
    func act() -> Int32
    /// All that a reader can see, as lines that are the same for the same contents.
    static func lines() -> [String]
    /// Whether the next write works: what failed, or `nil`.
    static func writingFails() -> String?
    /// The statuses that may report a fault, given the first call that met it.
    static func statuses(of fault: Fault, at call: String) -> Set<Int32>
    /// Whether a write whose error comes from this call may be done all the same.
    static func mayBeDone(after call: String) -> Bool
}

extension PointScenario {
    /// No write is done when it reported an error, unless a scenario says otherwise.
    public static func mayBeDone(after call: String) -> Bool { false }

    /// Runs the scenarios and faults that `words` name, or all, and prints how many points each had.
    ///
    /// - Parameters:
    ///   - most: How many points of a fault are tried, evenly, where it has more than `whole`.
    ///   - folder: Where the homes of the runs lie.
    /// - Returns: What was otherwise than it has to be.
    public static func play(
        _ title: String, named words: some Sequence<String>, most: Int, whole: Int = 0, folder: String
    ) throws -> [String] {
        let words = Set(words)
        let points = Points<Self>(most: most, whole: whole, folder: folder)
        let isChosen = allCases.contains { words.contains($0.rawValue) }
        let hasFault = Fault.allCases.contains { words.contains($0.rawValue) }
        let faults = Fault.allCases.filter { $0 != .none && (!hasFault || words.contains($0.rawValue)) }
        let start = ContinuousClock.now
        for scenario in allCases where !isChosen || words.contains(scenario.rawValue) {
            print("\(title) points: \(scenario.rawValue): \(try points.run(scenario, faults).joined(separator: ", "))")
        }
        print(
            "\(title) points: \(points.tally.points) points, \(points.tally.problems.count) problems, "
                + "\((ContinuousClock.now - start) / .seconds(1)) s")
        return points.tally.problems
    }
}
