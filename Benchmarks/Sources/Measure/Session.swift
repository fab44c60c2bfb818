internal import Foundation
internal import Pavise
internal import PavisePrimitives
internal import PaviseSession
internal import PaviseStorage
internal import PaviseTransport

/// URL ANCHORS IN-FLIGHT SECONDS: requests per second through a session, and straight through the client it stands on
/// with the same token, in turns, so that what slows the machine slows both.
func sessionLayer(_ arguments: [String]) async throws -> [(String, String)] {
    guard arguments.count == 4, let inFlight = Int(arguments[2]), let seconds = Double(arguments[3]) else { usage() }
    let connection = try await sessionConnection(to: arguments[0], anchors: arguments[1], connections: inFlight)
    guard let session = connection.session else { usage() }
    let request = HTTPRequest("GET", try WebURL(arguments[0]))
    let client = connection.client
    let token = try await session.accessToken()
    var ours: [Double] = []
    var peer: [Double] = []
    for round in 0..<20 {
        let through = { try await rate(inFlight, seconds) { try? await session.send(request).status } }
        let straight = {
            try await rate(inFlight, seconds) {
                let credential = Authorization(
                    scheme: "Bearer", credential: token.secret.duplicate(), origin: request.url.origin)
                return try? await client.send(request, with: credential).status
            }
        }
        if round % 2 == 0 { ours.append(try await through()) }
        peer.append(try await straight())
        if round % 2 == 1 { ours.append(try await through()) }
    }
    let ratios = zip(ours, peer).map { $0 / $1 }
    return [("ours", "\(median(ours))"), ("peer", "\(median(peer))"), ("ratio", "\(median(ratios))")]
}

/// HOME of an earlier `session-store`: milliseconds from this process's first line to the first access token.
func sessionStart() async throws -> [(String, String)] {
    let start = ContinuousClock.now
    let connection = try Connections().open("bench")
    guard let session = connection.session else {
        throw MeasureFailure(description: "the connection has no session")
    }
    _ = try await session.accessToken()
    return [("milliseconds", "\((ContinuousClock.now - start) / .milliseconds(1))")]
}

/// Makes the connection `bench` with a stored session in this home.
func sessionStore() async throws -> [(String, String)] {
    _ = try await sessionConnection(to: "https://localhost:1/", anchors: nil, connections: 1)
    return [("stored", "true")]
}

private func sessionConnection(to address: String, anchors: String?, connections: Int) async throws -> Connection {
    let origin = try WebURL(address).origin
    let known = try anchors.map(certificates(in:))
    let all = Connections(makeClient: { (policy) throws(TransportFailure) in
        var policy = policy
        if let known { policy.anchors = .only(known) }
        return try HTTPClient(policy: policy, options: ClientOptions(connectionsPerHost: connections))
    })
    let connection = try all.add("bench", origin: origin)
    guard let session = connection.session else { usage() }
    try await session.begin(for: origin)
    return connection
}

extension Session {
    // A session as a sign-in would have stored it, with a token that outlives the measurement.
    fileprivate func begin(for origin: Origin) async throws {
        let server = TokenServer(
            issuer: "\(origin)", clientID: "bench", tokenEndpoint: try WebURL("\(origin)/token"))
        let grant = TokenGrant(
            accessToken: SharedSecretBytes(String(repeating: "a", count: 800)),
            refreshToken: SharedSecretBytes(String(repeating: "r", count: 200)), lifetime: 86_400)
        let now = ClockReading(.system)
        _ = try await store.begin(
            { stamp in
                SessionRecord(
                    beginning: grant, server: server, resource: origin, identity: nil, scopes: ["openid"], after: stamp,
                    at: now)
            }, at: now)
    }
}

/// Requests per second of `inFlight` callers. Where one fails, on either side, nothing is measured.
private func rate(
    _ inFlight: Int, _ seconds: Double, _ call: @escaping @Sendable () async -> Int?
) async throws -> Double {
    let start = ContinuousClock.now
    let end = start + .seconds(seconds)
    let (count, failures) = await withTaskGroup(of: (Int, Int).self) { group in
        for _ in 0..<inFlight {
            group.addTask {
                var (count, failures) = (0, 0)
                while ContinuousClock.now < end {
                    if await call() == 200 { count += 1 } else { failures += 1 }
                }
                return (count, failures)
            }
        }
        return await group.reduce((0, 0)) { ($0.0 + $1.0, $0.1 + $1.1) }
    }
    guard failures == 0, count > 0 else {
        throw MeasureFailure(description: "\(failures) of \(count + failures) requests failed")
    }
    return Double(count) / ((ContinuousClock.now - start) / .seconds(1))
}
