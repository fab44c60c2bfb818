/// What the servers of one client showed in their handshakes.
///
/// URLSession does not say which of its connections carried an answer. A connection that was there already has asked
/// nobody, so what is known about its server is what was shown to this client at that origin before. Pure.
struct PresentedServers: Sendable {
    /// The most servers; a client that meets more begins anew, with a new session.
    static let limit = 256
    // Different certificates of one server: behind one name there may be several machines.
    private static let chainLimit = 4

    private struct Shown: Sendable {
        let certificates: [[UInt8]]
        /// `nil` where the policy has changed since.
        var verdict: ServerVerdict?
    }
    private var shown: [Origin: [Shown]] = [:]

    /// Whether there is no room for another server.
    var isFull: Bool { shown.count >= Self.limit }

    /// A server was accepted in a handshake.
    mutating func note(_ certificates: [[UInt8]], _ verdict: ServerVerdict, at origin: Origin) {
        guard verdict.isAccepted, shown[origin] != nil || !isFull else { return }
        var known = shown[origin] ?? []
        known.removeAll { $0.certificates.first == certificates.first }
        known.append(Shown(certificates: certificates, verdict: verdict))
        shown[origin] = known.suffix(Self.chainLimit)
    }

    /// Another policy holds: what was shown is judged by it when it is needed.
    mutating func forgetVerdicts() {
        shown = shown.mapValues { $0.map { Shown(certificates: $0.certificates, verdict: nil) } }
    }

    /// What holds for an answer of `origin` on a connection that asked nobody.
    ///
    /// - Returns: Whether everything that this server has shown is accepted, and the verdict where only one thing was
    ///   shown.
    mutating func recall(_ origin: Origin, judge: ([[UInt8]]) -> ServerVerdict) -> (isAccepted: Bool, ServerVerdict?) {
        guard var known = shown[origin], !known.isEmpty else { return (false, nil) }
        for index in known.indices where known[index].verdict == nil {
            known[index].verdict = judge(known[index].certificates)
        }
        shown[origin] = known
        guard known.allSatisfy({ $0.verdict?.isAccepted == true }) else { return (false, nil) }
        return (true, known.count == 1 ? known[0].verdict : nil)
    }
}
