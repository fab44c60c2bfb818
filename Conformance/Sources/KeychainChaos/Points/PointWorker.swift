internal import CFaults
internal import Foundation

#if canImport(Glibc)
internal import Glibc
#endif

/// The processes of a run over crash points: one prepares, one writes and meets the fault, one looks.
enum PointWorker {
    /// `SCENARIO`: brings about what a write starts from.
    static func prepare(_ words: [String]) {
        guard let scenario = words.first.flatMap(Scenario.init), scenario.prepare() else { exit(1) }
    }

    /// `SCENARIO FAULT NUMBER [SHADOW]`: writes; the call below the home with that number meets the fault.
    static func act(_ words: [String]) {
        guard words.count >= 3, let scenario = Scenario(rawValue: words[0]), let fault = Fault(rawValue: words[1]),
            let number = Int(words[2]), let home = ProcessInfo.processInfo.environment["PAVISE_HOME"]
        else { exit(2) }
        let root = (home as NSString).deletingLastPathComponent
        if words.count > 3 { faults_shadow(root, words[3]) }
        // A store that is open already meets the fault inside the write, not while it is opened.
        if fault.isWarm { _ = Sight.lines() }
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
    static func look(_ words: [String]) {
        for line in Sight.lines() { say("see \(line)") }
        if let problem = Sight.writingFails() { say("problem \(problem)") }
        say("complete")
    }

    private static func say(_ line: String) {
        FileHandle.standardOutput.write(Data("\(line)\n".utf8))
    }
}

/// What happens at a call.
enum Fault: String, CaseIterable {
    case none
    /// The process is killed in front of the call.
    case kill
    /// Half of a write happens, then the process is killed.
    case torn
    /// The power fails in front of the call: of what was not synced, nothing is left.
    case power
    /// The disk is full for this one call, or from this call on.
    case full, staysFull
    /// The disk fails at this one call, reads included, or from this call on.
    case broken, staysBroken
    /// The same with a store that is open already.
    case fullWarm, brokenWarm

    var kind: faults_kind {
        switch self {
        case .none: FAULTS_COUNT
        case .kill, .power: FAULTS_KILL
        case .torn: FAULTS_TORN
        default: FAULTS_ERROR
        }
    }

    var error: Int32 {
        switch self {
        case .none, .kill, .torn, .power: 0
        case .full, .staysFull, .fullWarm: ENOSPC
        case .broken, .staysBroken, .brokenWarm: EIO
        }
    }

    var isLasting: Bool { self == .staysFull || self == .staysBroken }
    var isWarm: Bool { self == .fullWarm || self == .brokenWarm }
    var countsReads: Bool { error == EIO }

    /// The statuses that may report it.
    ///
    /// SQLite opens a file for reading that it cannot open for writing, and forgets why the first attempt failed; a
    /// name that cannot be looked up counts as taken.
    func statuses(at call: String) -> Set<Int32> {
        let isName = isLasting || call.hasPrefix("open ") || call.hasPrefix("access ")
        return switch error {
        case ENOSPC: isName ? [-34, -36] : [-34]
        case EIO: isName ? [-36, -25292, -25291] : [-36]
        default: []
        }
    }
}
