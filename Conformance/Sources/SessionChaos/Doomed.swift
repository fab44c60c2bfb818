internal import CFaults
internal import Foundation
internal import Pavise

#if canImport(Glibc)
internal import Glibc
#endif

/// The process that dies: `doomed FOLDER NAME POINT NUMBER`. NUMBER chooses the call within a write that is cut.
enum Doomed {
    static func perform(_ words: [String]) async -> Never {
        guard words.count == 4, let point = CrashPoint(rawValue: words[2]), let number = Int(words[3]),
            let anchor = try? Data(contentsOf: URL(fileURLWithPath: words[0] + "/anchor.der"))
        else { exit(2) }
        var wiring = Wiring()
        wiring.hook = hook(point, number, below: words[0])
        guard let connection = try? wiring.connections(anchor: [UInt8](anchor)).open(words[1]) else { exit(2) }
        _ = try? await connection.session?.forceRefresh()
        if point == .finished { die() }
        // The cut write was shorter than that: the last call of it was passed, and the refresh went through.
        if point.cutWrite != nil { die() }
        exit(3)
    }

    private static func hook(_ point: CrashPoint, _ number: Int, below folder: String) -> Hook {
        Hook(
            { (step) throws(VaultFailure) in
                if step == point.step { die() }
            },
            write: { (write, body) throws(VaultFailure) in
                guard write == point.cutWrite else { return try body() }
                faults_arm(folder, number % 2 == 0 ? FAULTS_TORN : FAULTS_KILL, 0, number, 1, 0)
                defer { _ = faults_disarm() }
                try body()
            })
    }

    private static func die() {
        kill(getpid(), SIGKILL)
        while true { pause() }
    }
}
