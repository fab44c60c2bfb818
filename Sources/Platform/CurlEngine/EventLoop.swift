internal import CPaviseCurl
internal import Glibc
internal import PavisePrimitives

/// The engine's thread: the only place where libcurl is called. Nothing in here is shared.
final class EventLoop {
    private let poll: EventPoll
    private let commands: () -> [EngineCommand]
    private var lanes: [Int: LaneState] = [:]
    private var active: [ObjectIdentifier: TransferSlot] = [:]
    private var idle: [TransferSlot] = []
    private var nextSweep = Int64.max
    private var isStopping = false
    private(set) var now: Int64 = 0

    private init(poll: EventPoll, commands: @escaping () -> [EngineCommand]) {
        self.poll = poll
        self.commands = commands
    }

    /// Runs a loop on a thread of its own until `commands` says stop. The thread takes no signals: a peer that goes away
    /// must not end the program with SIGPIPE, and other signals belong to the threads of the app.
    static func startThread(
        poll: EventPoll, commands: @escaping @Sendable () -> [EngineCommand]
    ) throws(SystemFailure) {
        try WorkerThread.start {
            var all = sigset_t()
            unsafe sigfillset(&all)
            unsafe pthread_sigmask(SIG_BLOCK, &all, nil)
            EventLoop(poll: poll, commands: commands).run()
        }
    }

    private func run() {
        _ = curlIsReady
        while !isStopping || !active.isEmpty {
            waitForEvents()
            now = Self.clock()
            for command in commands() { perform(command) }
            for lane in lanes.values { lane.runTimer(at: now) }
            for lane in lanes.values where lane.isTouched { finish(in: lane) }
            if now >= nextSweep { sweep() }
        }
        lanes = [:]
        idle = []
    }

    private func waitForEvents() {
        var timeout = nextSweep
        for lane in lanes.values { timeout = min(timeout, lane.timer) }
        let wait = timeout == .max ? -1 : Int32(clamping: max(0, timeout - Self.clock()))
        poll.wait(milliseconds: wait) { key, what in
            lanes[Int(key >> 32)]?.socketIsReady(Int32(truncatingIfNeeded: key), what)
        }
    }

    private func perform(_ command: EngineCommand) {
        switch command {
        case .open(let number, let settings): lanes[number] = LaneState(number: number, settings: settings, poll: poll)
        case .close(let number): close(lane: number)
        case .start(let exchange, let sink): start(exchange, sink)
        case .cancel(let exchange):
            guard let slot = active[ObjectIdentifier(exchange)] else { return }
            end(slot, .cancelled)
        case .resume(let exchange):
            active[ObjectIdentifier(exchange)]?.resume(at: now)
        case .stop: isStopping = true
        }
    }

    private func start(_ exchange: Exchange, _ sink: Exchange.Sink) {
        guard let lane = lanes[exchange.lane], !exchange.isCancelled, !isStopping else {
            sink.fail(.cancelled)
            return
        }
        guard exchange.request.isOneLinePerField, let slot = idle.popLast() ?? TransferSlot() else {
            sink.fail(.unusableRequest)
            return
        }
        slot.prepare(exchange, sink, lane: lane, at: now)
        guard lane.add(slot) else {
            sink.fail(.unusableRequest)
            return
        }
        active[ObjectIdentifier(exchange)] = slot
        nextSweep = min(nextSweep, slot.deadline)
    }

    // Answers are handed out after libcurl returned: no callback of ours runs inside one of libcurl's calls.
    private func finish(in lane: LaneState) {
        while let (slot, code) = lane.nextDone() {
            complete(slot, slot.result(of: code))
        }
        if lane.isClosing && lane.isIdle { lanes[lane.number] = nil }
    }

    private func end(_ slot: TransferSlot, _ reason: CurlFailure.Reason) {
        complete(slot, .failure(slot.failure(reason)))
    }

    private func complete(_ slot: TransferSlot, _ result: Result<CurlAnswer, CurlFailure>) {
        guard let exchange = slot.exchange, let sink = slot.sink else { return }
        active[ObjectIdentifier(exchange)] = nil
        lanes[exchange.lane]?.remove(slot)
        slot.clear()
        if idle.count < 64 { idle.append(slot) }
        sink.finish(result)
    }

    private func close(lane number: Int) {
        guard let lane = lanes[number] else { return }
        lane.isClosing = true
        if lane.isIdle { lanes[number] = nil }
    }

    private func sweep() {
        nextSweep = .max
        for slot in Array(active.values) {
            if slot.deadline <= now { end(slot, .timeout) } else { nextSweep = min(nextSweep, slot.deadline) }
        }
        for lane in lanes.values where lane.isClosing && lane.isIdle { lanes[lane.number] = nil }
    }

    /// Milliseconds of a clock that nobody can set.
    static func clock() -> Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}

// Once in a process, before the first handle.
private let curlIsReady: Bool = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

extension Exchange.Sink {
    func finish(_ result: Result<CurlAnswer, CurlFailure>) {
        switch self {
        case .collect(let continuation): unsafe continuation.resume(returning: result)
        case .stream(let inbox):
            switch result {
            case .success: inbox.end(nil)
            case .failure(let failure): inbox.end(failure)
            }
        }
    }

    func fail(_ reason: CurlFailure.Reason) {
        finish(.failure(CurlFailure(reason: reason, detail: "", sent: false, connection: nil)))
    }
}
