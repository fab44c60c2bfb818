internal import CFaults
internal import Foundation

#if canImport(Glibc)
internal import Glibc
#endif

/// The processes of a run over crash points: one prepares, one writes and meets the fault, one looks.
public enum PointWorker<Scenario: PointScenario> {
    /// `SCENARIO`: brings about what a write starts from.
    public static func prepare(_ words: [String]) {
        guard let scenario = words.first.flatMap({ Scenario(rawValue: $0) }), scenario.prepare() else { exit(1) }
    }

    /// `SCENARIO FAULT NUMBER [SHADOW]`: writes; the call below the home with that number meets the fault.
    public static func act(_ words: [String]) {
        guard words.count >= 3, let scenario = Scenario(rawValue: words[0]), let fault = Fault(rawValue: words[1]),
            let number = Int(words[2]), let home = ProcessInfo.processInfo.environment["PAVISE_HOME"]
        else { exit(2) }
        let root = (home as NSString).deletingLastPathComponent
        if words.count > 3 { faults_shadow(root, words[3]) }
        // A store that is open already meets the fault inside the write, not while it is opened.
        if fault.isWarm { _ = Scenario.lines() }
        faults_arm(root, fault.kind, fault.error, number, fault.isLasting ? .max / 2 : 1, fault.countsReads ? 1 : 0)
        let status = scenario.act()
        let calls = faults_disarm()
        say("end \(status)")
        say("hit \(String(cString: faults_hit()))")
        say("calls \(calls)")
        guard fault.error != 0 else { return }
        look([])
    }

    /// Says what a reader sees, and whether the next write works.
    public static func look(_ words: [String]) {
        for line in Scenario.lines() { say("see \(line)") }
        // For the self-test: a reader that has not written when it ends.
        if ProcessInfo.processInfo.environment["PAVISE_PLANT"] == "unfinished" { exit(0) }
        if let problem = Scenario.writingFails() { say("problem \(problem)") }
        say("complete")
    }

    private static func say(_ line: String) {
        FileHandle.standardOutput.write(Data("\(line)\n".utf8))
    }
}
