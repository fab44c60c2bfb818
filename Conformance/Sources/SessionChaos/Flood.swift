internal import Foundation
internal import Pavise
internal import PaviseLab
internal import Synchronization
internal import WorkerProcess

/// Another process floods the listener of a sign-in with forged, huge, slow and silent callbacks, and goes on when the
/// true one comes.
struct Flood {
    /// The most that the flood may cost, beside the figures that the sign-in began with.
    private static let bounds = Gauge.Figures(descriptors: 200, kibibytes: 65_536)
    private static let longest = Duration.seconds(120)

    let world: World
    let connections: Int

    func play() async throws -> [String] {
        // What a first sign-in loads is no part of what is measured.
        try await world.signIn("calm")
        let gauge = try Gauge()
        // Safe to share: this function waits while the browser talks to the process.
        nonisolated(unsafe) let flooder = try WorkerProcess(["flooder", "\(connections)"])
        let start = ContinuousClock.now
        var problems: [String] = []
        do {
            try await world.signIn("flooded") { callback in
                flooder.say(callback)
                guard flooder.line() == "in spate" else { throw LabFailure.request("the flood did not come") }
            }
        } catch {
            problems.append("nobody was signed in: \(error)")
        }
        let time = ContinuousClock.now - start
        let made = flooder.line() ?? "no"
        flooder.finish()
        let most = gauge.end()
        print(
            "session flood: \(made) connections, signed in: \(problems.isEmpty), \(time / .seconds(1)) s, "
                + "at most \(most.descriptors) descriptors and \(most.kibibytes) KiB more")
        if (Int(made) ?? 0) < connections { problems.append("\(made) connections, not \(connections)") }
        if most.descriptors > Self.bounds.descriptors { problems.append("\(most.descriptors) more descriptors") }
        if most.kibibytes > Self.bounds.kibibytes { problems.append("\(most.kibibytes) KiB more") }
        if time > Self.longest { problems.append("it took \(time)") }
        return problems
    }
}

/// The process that floods: `flooder COUNT`. It reads the true callback from its input, says when COUNT connections
/// were made, floods on until nobody listens, and says how many there were.
enum Flooder {
    static func perform(_ words: [String]) -> Never {
        guard let count = words.first.flatMap({ Int($0) }), let callback = readLine() else { exit(2) }
        let flood = LoopbackFlood()
        guard (try? flood.start(against: callback)) != nil else { exit(2) }
        Caller.say(flood.wait(for: count) ? "in spate" : "dried up")
        flood.wait(for: .max)
        Caller.say("\(flood.end())")
        exit(0)
    }
}

/// What this process holds, looked at again and again on a thread of its own.
private final class Gauge: Sendable {
    struct Figures {
        var descriptors = 0
        var kibibytes = 0
    }

    private let first: Figures
    private let most: Mutex<Figures>
    private let isEnding = Mutex(false)

    init() throws {
        let now = try Self.now()
        first = now
        most = Mutex(now)
        Thread.detachNewThread { [self] in
            while !isEnding.withLock({ $0 }) {
                look()
                Thread.sleep(forTimeInterval: 0.01)
            }
        }
    }

    /// The most that was seen, beyond the first look.
    func end() -> Figures {
        look()
        isEnding.withLock { $0 = true }
        let most = most.withLock { $0 }
        return Figures(
            descriptors: most.descriptors - first.descriptors, kibibytes: most.kibibytes - first.kibibytes)
    }

    private func look() {
        guard let now = try? Self.now() else { return }
        most.withLock {
            $0.descriptors = max($0.descriptors, now.descriptors)
            $0.kibibytes = max($0.kibibytes, now.kibibytes)
        }
    }

    private static func now() throws -> Figures {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let memory = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        return Figures(
            descriptors: try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count,
            kibibytes: memory.flatMap { Int($0.filter(\.isNumber)) } ?? 0)
    }
}
