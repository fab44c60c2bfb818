import Dispatch
import PavisePrimitives
import PaviseTransport
import Synchronization

/// A request as it reached a server.
struct StandInRequest: Sendable {
    var method: String
    var url: String
    /// All lines by name in lower case, those with secrets among them.
    var lines: [String: String]
    var body: [UInt8]?
    /// Whether its body is asked for in pieces.
    var isStreamed = false
    /// The proxy that carried it.
    var proxy: ProxyEndpoint?
}

/// What a server of the stand-in's network shows and answers.
struct StandInServer: Sendable {
    var certificates: [[UInt8]] = []
    /// Whether it asks for a certificate of ours.
    var asksIdentity = false
    /// Whether it asks for one before it shows its own.
    var asksIdentityFirst = false
    /// Whether it asks for a password after the request (a 401 of URLSession's own kinds).
    var asksPassword = false
    var answer: @Sendable (StandInRequest) -> StandInResponse = { _ in StandInResponse() }
}

/// An answer of a server, and how it ends.
struct StandInResponse: Sendable {
    var status = 200
    var fields: [(String, String)] = []
    var pieces: [[UInt8]] = [Array("hello".utf8)]
    /// The number of NSURLErrorDomain that it ends with.
    var error: Int?
    /// No answer ever comes.
    var isSilent = false
    var measurement: DrivenMeasurement?
}

/// The network behind stand-in sessions: what they reached, and what they were told to do.
final class StandInNetwork: Sendable {
    struct State {
        var servers: [String: StandInServer] = [:]
        var requests: [StandInRequest] = []
        /// Uploads: each reads its body so often, and goes on with the last reading.
        var readings = 1
        /// What an upload was cut off at, in bytes; `nil` for none.
        var cut: Int?
        var identities = 0
        var identitiesRefused = 0
        var suspensions = 0
        var cancellations = 0
        var sessions = 0
        /// How many tasks lie on their session's queue, or did.
        var queued = 0
        var delivered = 0
        var isHolding = false
        var held: [@Sendable () -> Void] = []
        /// The system has suspended the process: nothing is delivered.
        var isAsleep = false
        var asleep: [@Sendable () -> Void] = []
        /// TLS sessions are resumed: nobody is asked about the server again.
        var asksNobody = false
    }
    let state = Mutex(State())

    func serve(_ origin: String, _ server: StandInServer) { state.withLock { $0.servers[origin] = server } }
    var requests: [StandInRequest] { state.withLock { $0.requests } }
    var suspensions: Int { state.withLock { $0.suspensions } }
    var cancellations: Int { state.withLock { $0.cancellations } }
    var delivered: Int { state.withLock { $0.delivered } }

    /// Keeps back how refused tasks end, until ``release()``.
    func hold() { state.withLock { $0.isHolding = true } }

    /// Ends what was kept back, the last one first.
    func release() {
        let held = state.withLock { state in
            state.isHolding = false
            defer { state.held = [] }
            return state.held
        }
        for end in held.reversed() { end() }
    }

    /// The app goes to the background and the system suspends it.
    func sleep() { state.withLock { $0.isAsleep = true } }

    /// The app comes back. The connections of then are gone, and their tasks end with -1005.
    func wake() {
        let asleep = state.withLock { state in
            state.isAsleep = false
            defer { state.asleep = [] }
            return state.asleep
        }
        for end in asleep { end() }
    }

    func wait(until isSo: @Sendable (State) -> Bool) async {
        while !state.withLock({ isSo($0) }) { try? await Task.sleep(for: .milliseconds(1)) }
    }
}

/// Plays what Apple documents of URLSession: tasks begin suspended, callbacks come one at a time on a queue, a
/// challenge comes once for each connection and names its task, a refused challenge and a cancelled task end with -999,
/// a redirect that the delegate does not follow is the answer.
final class StandInSession: Sendable {
    let events: any DrivenEvents
    private let proxy: ProxyEndpoint?
    let network: StandInNetwork
    let queue = DispatchQueue(label: "delegate")
    private let state = Mutex((next: 1, connected: Set<String>(), isOver: false, tasks: [StandInTask]()))

    init(_ network: StandInNetwork, telling events: any DrivenEvents, through proxy: ProxyEndpoint? = nil) {
        self.network = network
        self.proxy = proxy
        self.events = events
        network.state.withLock { $0.sessions += 1 }
    }

    func task(for request: StandInRequest) -> StandInTask {
        var request = request
        request.proxy = proxy
        return state.withLock { [request] state in
            // URLSession raises an exception here.
            precondition(!state.isOver, "a task was asked of a session that takes no more")
            let task = StandInTask(state.next, request, in: self)
            state.next += 1
            state.tasks.append(task)
            return task
        }
    }

    func finish() { state.withLock { $0.isOver = true } }

    func cancel() {
        let tasks = state.withLock { state in
            state.isOver = true
            return state.tasks
        }
        for task in tasks { task.cancel() }
    }

    /// Whether a connection is there already, or nobody is asked for another reason.
    func isConnected(_ origin: String) -> Bool {
        network.state.withLock { $0.asksNobody } || state.withLock { $0.connected.contains(origin) }
    }

    func disconnect() { state.withLock { $0.connected = [] } }

    func connect(_ origin: String) { state.withLock { _ = $0.connected.insert(origin) } }
}

final class StandInTask: DrivenTask {
    private struct State {
        var hasBegun = false
        var isSuspended = false
        var isOver = false
        var parked: (@Sendable () -> Void)?
    }
    let number: Int
    private let message: StandInRequest
    private let session: StandInSession
    private let state = Mutex(State())
    private var events: any DrivenEvents { session.events }
    private var network: StandInNetwork { session.network }

    init(_ number: Int, _ message: StandInRequest, in session: StandInSession) {
        self.number = number
        self.message = message
        self.session = session
    }

    func resume() {
        let next = state.withLock { state -> (@Sendable () -> Void)? in
            state.isSuspended = false
            guard state.hasBegun else {
                state.hasBegun = true
                return { self.begin() }
            }
            return state.parked.take()
        }
        guard let next else { return }
        session.queue.async(execute: next)
        network.state.withLock { $0.queued += 1 }
    }

    func suspend() {
        network.state.withLock { $0.suspensions += 1 }
        state.withLock { $0.isSuspended = true }
    }

    func cancel() {
        network.state.withLock { $0.cancellations += 1 }
        session.queue.async { self.end(-999) }
    }

    private func end(_ code: Int?) {
        let isFirst = state.withLock { state in
            defer { state.isOver = true }
            return !state.isOver
        }
        guard isFirst else { return }
        events.completed(
            number,
            code.map { DrivenError(domain: $0 > 0 ? "kCFErrorDomainCFNetwork" : "NSURLErrorDomain", code: $0) })
    }

    private func begin() {
        guard !state.withLock({ $0.isOver }) else { return }
        let url = try! WebURL(message.url)
        let origin = "\(url.origin)"
        guard let server = network.state.withLock({ $0.servers[origin] }) else { return end(-1004) }
        guard url.origin.scheme == .http || session.isConnected(origin) || shake(server, url.origin) else { return }
        session.connect(origin)
        var message = message
        if message.isStreamed {
            guard let body = upload(Int(message.lines["content-length"] ?? "")) else { return }
            message.body = body
        }
        network.state.withLock { [message] in $0.requests.append(message) }
        let answer = server.answer(message)
        guard !answer.isSilent else { return }
        if server.asksPassword {
            guard case .reject = events.challenged(number, by: .other) else { return end(-1012) }
        }
        let location = answer.fields.first { $0.0 == "Location" }?.1
        if (300...399).contains(answer.status), let location, events.redirected(number) {
            network.state.withLock { [message] in $0.requests.append(message) }
            return end(location.isEmpty ? -1007 : -1008)
        }
        let head = DrivenHead(
            status: answer.status, fields: answer.fields.map { HTTPFields.Field(name: $0.0, value: $0.1) })
        guard events.answered(number, head) else { return end(-999) }
        deliver(answer.pieces[...], answer)
    }

    /// The body, from its first byte on; `nil` when the task is over by then.
    private func upload(_ size: Int?) -> [UInt8]? {
        let (readings, cut) = network.state.withLock { ($0.readings, $0.cut) }
        var body: [UInt8] = []
        for _ in 0..<readings {
            guard let source = events.body(of: number) else {
                end(-1)
                return nil
            }
            body = []
            while source.isWanted, body.count < size ?? .max, body.count < cut ?? .max {
                guard let piece = source.read(at: body.count, upTo: 40_000), !piece.isEmpty else { break }
                body += piece
            }
        }
        guard cut == nil else {
            end(-1005)
            return nil
        }
        // A server that was promised more waits for it.
        return body.count == size && !state.withLock({ $0.isOver }) ? body : nil
    }

    private func shake(_ server: StandInServer, _ origin: Origin) -> Bool {
        if server.asksIdentityFirst { askIdentity(origin) }
        let challenge = DrivenChallenge.server(
            certificates: server.certificates, host: origin.host, port: Int(origin.port))
        guard case .trust = events.challenged(number, by: challenge) else {
            let end = { @Sendable in self.session.queue.async { self.end(-999) } }
            let isHeld = network.state.withLock { state in
                if state.isHolding { state.held.append(end) }
                return state.isHolding
            }
            if !isHeld { end() }
            return false
        }
        if server.asksIdentity { askIdentity(origin) }
        return true
    }

    private func askIdentity(_ origin: Origin) {
        let answer = events.challenged(number, by: .client(host: origin.host, port: Int(origin.port)))
        network.state.withLock { state in
            if case .identity = answer { state.identities += 1 } else { state.identitiesRefused += 1 }
        }
    }

    private func isAsleep() -> Bool {
        network.state.withLock { state in
            guard state.isAsleep else { return false }
            state.asleep.append {
                self.session.disconnect()
                self.session.queue.async { self.end(-1005) }
            }
            return true
        }
    }

    private func deliver(_ pieces: ArraySlice<[UInt8]>, _ answer: StandInResponse) {
        let isParked = state.withLock { state in
            guard state.isSuspended else { return false }
            state.parked = { self.deliver(pieces, answer) }
            return true
        }
        guard !isParked, !state.withLock({ $0.isOver }), !isAsleep() else { return }
        guard let piece = pieces.first else {
            if let measurement = answer.measurement { events.measured(number, measurement) }
            return end(answer.error)
        }
        events.received(number, piece)
        network.state.withLock { $0.delivered += piece.count }
        session.queue.async { self.deliver(pieces.dropFirst(), answer) }
    }
}
