/// Judges a played scene by what its servers have heard, and only then by what the client says.
public enum AttackJudge {
    /// What is wrong after the attack was played; empty when the control stopped it.
    ///
    /// Ends the servers.
    public static func faults(
        of stage: AttackStage, ends: [AttackEnd], expected: AttackExpectation
    ) async -> [String] {
        var faults: [String] = []
        if await !stage.front.settle() { faults.append("the server: a handshake is open") }
        if let trap = stage.trap, await !trap.settle() { faults.append("the other server: a handshake is open") }
        // What came behind a handshake was read by then, and not before.
        stage.end()
        faults += self.faults(at: stage.front, "the server", expected.front, stage)
        if let trap = stage.trap { faults += self.faults(at: trap, "the other server", expected.trap, stage) }
        // A proxy has no certificate, so there is nobody it could be trusted as.
        if let proxy = stage.proxy, holds(proxy.heard, stage.canaries.all) { faults.append("the proxy: a canary") }
        // An attack that nobody met was not stopped.
        if let proxy = stage.proxy, expected.front == .nothing, proxy.connections == 0 {
            faults.append("the proxy: nobody came")
        }
        if expected.front.takesRequests, stage.front.counters.requests == 0 {
            faults.append("the server: no request came")
        }
        guard let last = ends.last else { return faults + ["nothing was sent"] }
        if !last.isOne(of: expected.endings) { faults.append("ended with \(last)") }
        for end in ends.dropLast() where !end.isOne(of: [.answer]) { faults.append("an earlier request: \(end)") }
        return faults
    }

    /// What is wrong after the twin was played; empty when it succeeded, with the credential where it belongs.
    ///
    /// Ends the servers.
    public static func faults(ofTwin stage: AttackStage, ends: [AttackEnd]) async -> [String] {
        _ = await stage.front.settle()
        stage.end()
        var faults = ends.filter { !$0.isOne(of: [.answer]) }.map { "without the attack: \($0)" }
        let hasCredential = stage.scene.request.hasCredential && stage.scene.front.isSecure
        if stage.front.counters.requests + (stage.trap?.counters.requests ?? 0) == 0 {
            faults.append("without the attack: no request arrived")
        } else if hasCredential, !holds(stage.front.received, [stage.canaries.credential]) {
            faults.append("without the attack: the credential did not arrive")
        }
        return faults
    }

    private static func faults(
        at server: LabServer, _ name: String, _ reach: AttackExpectation.Reach, _ stage: AttackStage
    ) -> [String] {
        var faults: [String] = []
        let counters = server.counters
        // A resumed handshake shows no certificate, and can carry a request before anybody has judged (RFC 8446 §2.3).
        if counters.resumptions > 0 { faults.append("\(name): a resumed handshake") }
        // Not even in a handshake, or as text to a server that expects one.
        if holds(server.heard, stage.canaries.all), server.isSecure || reach.forbidsCanaries {
            faults.append("\(name): a canary on the wire")
        }
        switch reach {
        case .nothing: if counters.connections > 0 { faults.append("\(name): \(counters.connections) connections") }
        case .handshake:
            if counters.applicationBytes > 0 { faults.append("\(name): \(counters.applicationBytes) bytes") }
        case .withoutCanary: if holds(server.received, stage.canaries.all) { faults.append("\(name): a canary") }
        case .requests(let limit):
            if counters.requests > limit { faults.append("\(name): \(counters.requests) requests") }
        case .canaries(let limit):
            let count = server.requests.count { $0.holds(stage.canaries.all) }
            if count > limit { faults.append("\(name): \(count) requests with a canary") }
        case .anything: break
        }
        return faults
    }

    static func holds(_ bytes: [UInt8], _ canaries: [String]) -> Bool {
        !CanarySearch.find(canaries, in: bytes, named: "").isEmpty
    }
}

extension AttackExpectation.Reach {
    fileprivate var forbidsCanaries: Bool {
        switch self {
        case .nothing, .handshake, .withoutCanary: true
        case .requests, .canaries, .anything: false
        }
    }

    /// Whether the attack begins with a request that arrives.
    fileprivate var takesRequests: Bool { !forbidsCanaries }
}

extension LabRequest {
    fileprivate func holds(_ canaries: [String]) -> Bool {
        let text = ([method, target] + fields.map { "\($0.name): \($0.value)" }).joined(separator: "\n")
        return AttackJudge.holds(Array(text.utf8) + body, canaries)
    }
}
