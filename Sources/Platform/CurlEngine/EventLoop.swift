internal import CPaviseCurl
internal import Glibc
internal import PavisePrimitives
internal import Synchronization

/// Everything that touches libcurl, behind one lock: one thread waits for the sockets, and a caller that comes while
/// nothing else is going on starts its own exchange without waking that thread first.
final class EventLoop {
    private let lock = Mutex(())
    private let poll: EventPoll
    private let queue: CommandQueue
    private var pools: [Int: PoolState] = [:]
    private var active: [ObjectIdentifier: CurlTransfer] = [:]
    private var idle: [CurlTransfer] = []
    private var ready: [(key: UInt64, what: EventPoll.Readiness)] = []
    private var done: [(sink: Exchange.Sink, result: Result<CurlResponse, CurlFailure>)] = []
    private var nextSweep = Int64.max
    private var sleepsUntil = Int64.min
    private var isStopping = false
    private var staysAwake = false
    private let facts: LoopFacts
    private let sockets: SocketTable
    // Whether anything is under way: a caller that would find the loop busy does not try its lock, which costs a system
    // call on either side.
    private let isBusy = Atomic(false)

    init(poll: EventPoll, queue: CommandQueue) {
        self.poll = poll
        self.queue = queue
        sockets = SocketTable(poll: poll)
        facts = LoopFacts(queue: queue)
    }

    /// Runs the loop on a thread of its own until a command says stop. The thread takes no signals; they belong to the
    /// threads of the app.
    func startThread() throws(SystemFailure) {
        try WorkerThread.start { [self] in
            var all = sigset_t()
            unsafe sigfillset(&all)
            unsafe pthread_sigmask(SIG_BLOCK, &all, nil)
            while let wait = lock.withLock({ _ in turn() }) {
                if wait != 0 && staysAwake && look() { continue }
                poll.wait(milliseconds: wait) { ready.append(($0, $1)) }
            }
        }
    }

    /// How long the thread looks again before it sleeps, while servers answer within ``patience``: to be woken from
    /// sleep takes a good part of that time. Others that have work to do go first.
    private static let alertness: Int64 = 150_000

    private func look() -> Bool {
        let end = Self.nanoseconds() + Self.alertness
        repeat {
            sched_yield()
            if poll.wait(milliseconds: 0, { ready.append(($0, $1)) }) { return true }
        } while Self.nanoseconds() < end
        return false
    }

    /// Starts an exchange on the caller's thread.
    ///
    /// - Returns: `false`, and nothing has happened, when the loop is busy.
    func startHere(_ exchange: Exchange, _ sink: Exchange.Sink) -> Bool {
        guard !isBusy.load(ordering: .relaxed) else { return false }
        return lock.withLockIfAvailable { _ in
            guard active.isEmpty, !isStopping else { return false }
            facts.update()
            drain()
            let quick = pools[exchange.pool].flatMap { $0.isQuick ? $0 : nil }
            quick?.hold()
            start(exchange, sink)
            runTimers()
            if let quick {
                waitHere(for: quick)
                quick.letGo()
            }
            facts.tellReaders()
            if nextTurn < sleepsUntil { poll.wake() }
            return true
        } ?? false
    }

    /// How long a caller waits itself for a server that answered the last time as fast: a millisecond, the time of a
    /// read from a disk. Two changes of thread cost a good part of what a near server takes.
    static let patience: Int64 = 1_000_000

    // Ends as soon as another caller posts a command: it wakes the set.
    private func waitHere(for pool: PoolState) {
        let end = Self.nanoseconds() + Self.patience
        while !active.isEmpty, let (socket, what) = pool.held, !what.isEmpty {
            let left = end - Self.nanoseconds()
            guard left > 0, let ready = poll.wait(for: socket, what, nanoseconds: left) else { return }
            facts.update()
            pool.socketIsReady(socket, ready)
            runTimers()
            facts.tellReaders(isQuiet: false)
        }
    }

    // One turn of the loop. The answer is how long to wait for sockets, in milliseconds; `nil` ends the thread.
    private func turn() -> Int32? {
        facts.update()
        facts.tellReaders(isQuiet: ready.isEmpty)
        // Callers that have their answer work on another processor while the next sockets are read. Fewer at once would
        // send the callers' threads to sleep in between.
        let together = max(4, ready.count / 4)
        for (index, event) in ready.enumerated() {
            let socket = Int32(truncatingIfNeeded: event.key)
            guard sockets.isWanted(socket, key: event.key) else { continue }
            pools[Int(event.key >> 32)]?.socketIsReady(socket, event.what)
            if (index + 1).isMultiple(of: together) { finish() }
        }
        ready.removeAll(keepingCapacity: true)
        finish()
        if sockets.hasUnwatched { sockets.watchAgain() }
        drain()
        runTimers()
        if facts.now >= nextSweep { sweep() }
        guard !isStopping || !active.isEmpty else {
            pools = [:]
            idle = []
            return nil
        }
        staysAwake = isBusy.load(ordering: .relaxed) && pools.values.contains { $0.isQuick && !$0.isIdle }
        if let patience = facts.patience {
            sleepsUntil = .min
            return patience
        }
        sleepsUntil = nextTurn
        return sleepsUntil == .max ? -1 : Int32(clamping: max(0, sleepsUntil - Self.clock()))
    }

    private var nextTurn: Int64 {
        // What nobody watches is tried again soon.
        let start = sockets.hasUnwatched ? min(nextSweep, facts.now + 50) : nextSweep
        return pools.values.reduce(start) { min($0, $1.timer) }
    }

    private func drain() {
        while case let commands = queue.take(), !commands.isEmpty {
            if commands.count > 1 { hold(commands) }
            for command in commands { perform(command) }
            runTimers()
            sockets.release()
        }
    }

    private func hold(_ commands: [EngineCommand]) {
        for pool in pools.values where pool.isMultiplexed {
            let count = commands.count { $0.starts(in: pool.number) }
            if count > 1 { sockets.hold(pool: pool.number, for: count) }
        }
    }

    private func runTimers() {
        for pool in pools.values { pool.runTimer() }
        finish()
    }

    private func perform(_ command: EngineCommand) {
        switch command {
        case .open(let number, let settings):
            pools[number] = PoolState(number: number, settings: settings, sockets: sockets, loop: facts)
        case .close(let number): close(pool: number)
        case .start(let exchange, let sink): start(exchange, sink)
        case .cancel(let exchange):
            guard let slot = active[ObjectIdentifier(exchange)] else { return }
            end(slot, .cancelled)
        case .resume(let exchange):
            guard let slot = active[ObjectIdentifier(exchange)] else { return }
            slot.resume()
            // Of a paused one only the whole time counted.
            nextSweep = min(nextSweep, slot.deadline)
        case .answered(let exchange):
            guard let slot = active[exchange], let pool = slot.exchange.flatMap({ pools[$0.pool] }) else { return }
            pool.release(slot)
        case .stop: isStopping = true
        }
    }

    private func start(_ exchange: Exchange, _ sink: Exchange.Sink) {
        guard let pool = pools[exchange.pool], !exchange.isCancelled, !isStopping else {
            sink.fail(.cancelled)
            return
        }
        guard exchange.isOneLinePerField, let slot = idle.popLast() ?? CurlTransfer(facts, sockets) else {
            sink.fail(.unusableRequest)
            return
        }
        slot.prepare(exchange, sink, pool: pool)
        guard pool.add(slot) else {
            sink.fail(.unusableRequest)
            return
        }
        active[ObjectIdentifier(exchange)] = slot
        isBusy.store(true, ordering: .relaxed)
        slot.begin = Self.nanoseconds()
        nextSweep = min(nextSweep, slot.deadline)
    }

    // Answers are handed out after libcurl returned: no caller is resumed inside one of libcurl's calls.
    private func finish() {
        for pool in pools.values where pool.isTouched {
            while let (slot, code) = pool.nextDone() { complete(slot, slot.result(of: code)) }
            if pool.isClosing && pool.isIdle { pools[pool.number] = nil }
        }
        handOut()
    }

    // All at once: a caller's thread that was woken for one answer would sleep again before the next one lies there.
    private func handOut() {
        for (sink, result) in done { sink.finish(result) }
        done.removeAll(keepingCapacity: true)
    }

    private func end(_ slot: CurlTransfer, _ reason: CurlFailure.Reason) {
        complete(slot, .failure(slot.failure(reason)))
        handOut()
    }

    private func complete(_ slot: CurlTransfer, _ result: Result<CurlResponse, CurlFailure>) {
        guard let exchange = slot.exchange, let sink = slot.sink else { return }
        active[ObjectIdentifier(exchange)] = nil
        if active.isEmpty { isBusy.store(false, ordering: .relaxed) }
        pools[exchange.pool]?.note(result, nanoseconds: Self.nanoseconds() - slot.begin)
        pools[exchange.pool]?.remove(slot)
        slot.clear()
        if idle.count < 64 { idle.append(slot) }
        done.append((sink, result))
    }

    private func close(pool number: Int) {
        guard let pool = pools[number] else { return }
        pool.isClosing = true
        if pool.isIdle { pools[number] = nil }
    }

    private func sweep() {
        nextSweep = .max
        for slot in Array(active.values) {
            if slot.deadline <= facts.now { end(slot, .timeout) } else { nextSweep = min(nextSweep, slot.deadline) }
        }
        for pool in pools.values where pool.isClosing && pool.isIdle { pools[pool.number] = nil }
    }

    /// Milliseconds of a clock that nobody can set.
    static func clock() -> Int64 { nanoseconds() / 1_000_000 }

    private static func nanoseconds() -> Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}

// Safe to share: all state is touched under `lock`, except `ready` and `staysAwake`, which the loop's own thread alone
// uses.
extension EventLoop: @unchecked Sendable {}

extension CurlEngine {
    private static let isLoaded = Mutex(false)

    /// Whether libcurl could be loaded and set up. Once in a process, before the first handle; where that failed, it is
    /// tried again. Where the app has set libcurl up already, its memory stays the app's.
    static var isLibraryReady: Bool {
        isLoaded.withLock { isLoaded in
            if !isLoaded { isLoaded = pavise_curl_init() == CURLE_OK }
            return isLoaded
        }
    }
}

extension Exchange.Sink {
    func finish(_ result: Result<CurlResponse, CurlFailure>) {
        switch self {
        case .collect(let continuation): unsafe continuation.resume(returning: result)
        case .stream(let inbox):
            switch result {
            case .success(let answer): inbox.end(nil, answer.metrics)
            case .failure(let failure): inbox.end(failure)
            }
        }
    }

    func fail(_ reason: CurlFailure.Reason) {
        finish(.failure(CurlFailure(reason: reason, detail: "", sent: false, connection: nil)))
    }
}
