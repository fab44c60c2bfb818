internal import PavisePrimitives
internal import Synchronization

/// One task of a URLSession, and the one caller that waits for it.
///
/// Orders are given under the lock, so that they reach the task in the order in which they were decided: none of them
/// waits or calls back.
final class CarriedTask: Sendable {
    private struct State {
        var machine: TaskMachine
        var waiter: CheckedContinuation<TaskMachine.Event, Never>?
        var timer: Task<Void, Never>?
        /// How often the body was asked for.
        var bodies = 0
    }
    let origin: Origin
    private let judge: PresentedServerJudge
    private let task: any DrivenTask
    private let upload: UploadFile?
    private let state: Mutex<State>

    /// A task to `origin`, which may go through `proxy` and may have a body of its own to send.
    init(
        _ task: any DrivenTask, to origin: Origin, through proxy: ProxyEndpoint?, sending upload: UploadFile?,
        judge: PresentedServerJudge, isInspection: Bool = false
    ) {
        self.task = task
        self.origin = origin
        self.upload = upload
        self.judge = judge
        state = Mutex(State(machine: TaskMachine(to: origin, through: proxy, isInspection: isInspection)))
    }

    /// Begins, and ends after `total` at the latest; `sleep` waits.
    func start(within total: Duration, _ sleep: @escaping @Sendable (Duration) async -> Void) {
        let timer = Task { [weak self] in
            await sleep(total)
            guard !Task.isCancelled else { return }
            self?.stop(.timeout(sent: true))
        }
        state.withLock { state in
            state.timer = timer
            if !state.machine.isOver { task.resume() }
        }
    }

    /// Waits for the next event. One caller at a time. Cancelling the caller's task ends the exchange.
    func nextEvent() async -> TaskMachine.Event {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let ready = state.withLock { state -> TaskMachine.Event? in
                    let (event, order) = state.machine.next()
                    obey(order)
                    if event == nil { state.waiter = continuation }
                    return event
                }
                if let ready { continuation.resume(returning: ready) }
            }
        } onCancel: {
            stop(.cancelled(sent: true))
        }
    }

    /// Ends the exchange; the caller learns of it at once.
    func stop(_ failure: TransportFailure) { change { $0.stop(failure) } }

    /// What was said about the server in this task's own handshake.
    var verdict: ServerVerdict? { state.withLock { $0.machine.verdict } }
    var measurement: DrivenMeasurement? { state.withLock { $0.machine.measurement } }

    /// Judges what a server shows in this task's handshake.
    func judge(_ certificates: [[UInt8]], host: String, port: Int) -> (answer: DrivenResponse, verdict: ServerVerdict?)
    {
        // Another server than the one that was asked for: a proxy with TLS of its own.
        guard CanonicalHost.of(host) ?? host.lowercased() == origin.host, port == Int(origin.port) else {
            return (.refuse, nil)
        }
        let verdict = verdict(on: certificates)
        return (state.withLock { $0.machine.judged(verdict) }, verdict)
    }

    /// What the policy of this task says about certificates that its server showed.
    func verdict(on certificates: [[UInt8]]) -> ServerVerdict { judge.verdict(on: certificates, of: origin) }

    func answered(_ head: DrivenHead, wasJudged: Bool) -> Bool {
        var isWanted = false
        change {
            isWanted = $0.answered(head, wasJudged: wasJudged)
            return nil
        }
        return isWanted
    }

    func received(_ bytes: [UInt8]) { change { $0.received(bytes) } }

    /// The body from its first byte on; the one that was given before is wanted no more.
    func body() -> (any PumpedBody)? {
        guard let upload else { return nil }
        let turn = state.withLock { state in
            state.bodies += 1
            return state.bodies
        }
        return TaskBody(upload: upload, task: self, turn: turn)
    }

    fileprivate func wants(body turn: Int) -> Bool { state.withLock { $0.bodies == turn && !$0.machine.isOver } }

    func measured(_ found: DrivenMeasurement) { state.withLock { $0.machine.measured(found) } }

    func completed(_ error: DrivenError?) {
        change {
            $0.completed(error)
            return nil
        }
    }

    private func change(_ body: (inout TaskMachine) -> TaskMachine.Order?) {
        let (waiter, event, timer) = state.withLock { state in
            obey(body(&state.machine))
            let timer = state.machine.isOver ? state.timer.take() : nil
            guard let waiter = state.waiter else {
                return (nil as CheckedContinuation<TaskMachine.Event, Never>?, nil as TaskMachine.Event?, timer)
            }
            let (event, order) = state.machine.next()
            obey(order)
            guard event != nil else { return (nil, nil, timer) }
            state.waiter = nil
            return (waiter, event, timer)
        }
        timer?.cancel()
        if let event { waiter?.resume(returning: event) }
    }

    private func obey(_ order: TaskMachine.Order?) {
        switch order {
        case nil: break
        case .resume: task.resume()
        case .suspend: task.suspend()
        case .cancel: task.cancel()
        }
    }
}

extension PresentedServerJudge {
    /// What is said about certificates that the server at `origin` showed to a URLSession.
    func verdict(on certificates: [[UInt8]], of origin: Origin) -> ServerVerdict {
        verdict(
            on: PresentedChain(certificates: certificates, version: "", suite: ""), host: origin.host,
            port: origin.port)
    }
}

/// The body of a task's upload, for one reading.
private struct TaskBody: PumpedBody {
    let upload: UploadFile
    let task: CarriedTask
    let turn: Int

    var count: Int { upload.count }
    var isWanted: Bool { task.wants(body: turn) }

    // A file that became shorter ends its task before the stream ends, so that the server gets no shorter body.
    func read(at offset: Int, upTo limit: Int) -> [UInt8]? {
        if let bytes = upload.read(at: offset, upTo: limit) { return bytes }
        task.stop(.unusableRequest("The file to send became shorter or unreadable."))
        return nil
    }
}
