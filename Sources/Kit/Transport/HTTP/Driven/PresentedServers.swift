/// What the servers of one client showed in their handshakes.
///
/// URLSession does not say which of its connections carried an answer. A connection that was there already has asked
/// nobody, so what is known about its server is what was shown to this client at that origin before. Pure.
struct PresentedServers: Sendable {
    /// The most servers; a client that meets more begins anew, with new sessions and nothing of this;
    /// what is on its way goes on with it.
    static let limit = 256
    // Different certificates of one server: behind one name there may be several machines.
    private static let chainLimit = 4
    /// How long a TLS session that was made under another policy may be resumed, with nobody asked, in milliseconds:
    /// about ten minutes (Apple QA1727), and as long again.
    static let resumption: Int64 = 20 * 60_000

    private struct Shown: Sendable {
        let certificates: [[UInt8]]
        /// `nil` where the policy has changed since.
        var verdict: ServerVerdict?
        /// When it was last accepted without being shown again, at most; `nil` under the policy that accepted it.
        var left: Int64?
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
    ///
    /// - Parameter now: Milliseconds since boot.
    mutating func forgetVerdicts(at now: Int64) {
        shown = shown.mapValues { known in
            known.map { one in
                let left = one.verdict?.isAccepted == true ? now : one.left ?? now
                return Shown(certificates: one.certificates, verdict: nil, left: left)
            }
        }
    }

    /// What holds for an answer of `origin` on a connection that asked nobody.
    ///
    /// - Returns: Whether everything that this server has shown is accepted, and the verdict where only one thing was
    ///   shown.
    mutating func recall(
        _ origin: Origin, at now: Int64, judge: ([[UInt8]]) -> ServerVerdict
    ) -> (isAccepted: Bool, ServerVerdict?) {
        let known = judged(origin, now, judge)
        guard !known.isEmpty, known.allSatisfy({ $0.verdict?.isAccepted == true }) else { return (false, nil) }
        return (true, known.count == 1 ? known[0].verdict : nil)
    }

    /// Whether a connection that is there already is of no use: `origin` has shown what is refused by now, and an
    /// answer that asked nobody could come from there.
    mutating func needsHandshake(_ origin: Origin, at now: Int64, judge: ([[UInt8]]) -> ServerVerdict) -> Bool {
        judged(origin, now, judge).contains { $0.verdict?.isAccepted == false }
    }

    // What is refused counts for as long as its TLS sessions may be resumed.
    private mutating func judged(_ origin: Origin, _ now: Int64, _ judge: ([[UInt8]]) -> ServerVerdict) -> [Shown] {
        guard var known = shown[origin] else { return [] }
        for index in known.indices where known[index].verdict == nil {
            known[index].verdict = judge(known[index].certificates)
        }
        known.removeAll { one in
            one.verdict?.isAccepted == false && one.left.map { now - $0 >= Self.resumption } == true
        }
        shown[origin] = known.isEmpty ? nil : known
        return known
    }
}
