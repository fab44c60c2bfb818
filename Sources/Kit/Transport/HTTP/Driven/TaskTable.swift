internal import PavisePrimitives
internal import Synchronization

/// The tasks of one URLSession by their numbers: each callback reaches the task that it names, and no other.
final class TaskTable: DrivenEvents {
    private let tasks = Mutex<[Int: CarriedTask]>([:])
    private let seen: SeenBook
    private let certificates: [ClientCertificate]

    init(seen: SeenBook, certificates: [ClientCertificate]) {
        self.seen = seen
        self.certificates = certificates
    }

    /// Takes a task that has not begun.
    func add(_ task: CarriedTask, number: Int) { tasks.withLock { $0[number] = task } }

    private func task(_ number: Int) -> CarriedTask? { tasks.withLock { $0[number] } }

    func challenged(_ number: Int, by challenge: DrivenChallenge) -> DrivenResponse {
        guard let task = task(number) else { return .refuse }
        switch challenge {
        case .server(let certificates, let host, let port):
            let (answer, verdict) = task.judge(certificates, host: host, port: port)
            if let verdict { seen.note(certificates, verdict, at: task.origin) }
            return answer
        case .client(let host, let port):
            // Only after its server was judged and trusted, and only to the origin that it is for.
            guard task.verdict?.isAccepted == true, CanonicalHost.of(host) ?? host.lowercased() == task.origin.host,
                port == Int(task.origin.port), let own = certificates.first(where: { $0.origin == task.origin })
            else { return .nothing }
            return .identity(own)
        case .other: return .reject
        }
    }

    // Redirects are the caller's: each hop is decided anew.
    func redirected(_ number: Int) -> Bool { false }

    func body(of number: Int) -> (any PumpedBody)? { task(number)?.body() }

    func answered(_ number: Int, _ head: DrivenHead) -> Bool {
        guard let task = task(number) else { return false }
        return task.answered(head, wasJudged: seen.wasJudged(task))
    }

    func received(_ number: Int, _ bytes: [UInt8]) { task(number)?.received(bytes) }

    func measured(_ number: Int, _ measurement: DrivenMeasurement) { task(number)?.measured(measurement) }

    func completed(_ number: Int, _ error: DrivenError?) {
        tasks.withLock { $0.removeValue(forKey: number) }?.completed(error)
    }
}

/// What the servers of one client showed, for all its sessions of a time.
final class SeenBook: Sendable {
    private let servers = Mutex(PresentedServers())
    private let time: TimeSource

    init(_ time: TimeSource) { self.time = time }

    var isFull: Bool { servers.withLock { $0.isFull } }

    func note(_ certificates: [[UInt8]], _ verdict: ServerVerdict, at origin: Origin) {
        servers.withLock { $0.note(certificates, verdict, at: origin) }
    }

    func forgetVerdicts() { servers.withLock { $0.forgetVerdicts(at: time.bootMilliseconds) } }

    /// Whether a request to `origin` has to make a handshake of its own.
    func needsHandshake(_ origin: Origin, _ judge: PresentedServerJudge) -> Bool {
        guard origin.scheme == .https else { return false }
        let now = time.bootMilliseconds
        return servers.withLock { servers in
            servers.needsHandshake(origin, at: now) { judge.verdict(on: $0, of: origin) }
        }
    }

    /// Whether the server of a task was judged: by the task itself, or before it. Without TLS there is nothing to
    /// judge.
    func wasJudged(_ task: CarriedTask) -> Bool {
        guard task.origin.scheme == .https, task.verdict == nil else { return true }
        return recall(task).isAccepted
    }

    /// What is known about the server of a task.
    func verdict(of task: CarriedTask) -> ServerVerdict? {
        guard task.origin.scheme == .https else { return nil }
        return task.verdict ?? recall(task).1
    }

    private func recall(_ task: CarriedTask) -> (isAccepted: Bool, ServerVerdict?) {
        let now = time.bootMilliseconds
        return servers.withLock { servers in servers.recall(task.origin, at: now) { task.verdict(on: $0) } }
    }
}
