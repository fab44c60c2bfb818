internal import Foundation
internal import PaviseTransport
internal import Synchronization

/// URL PROBE ANCHORS IN-FLIGHT SECONDS HTTP-VERSION: requests per second of Pavise's transport with every check on:
/// App Transport Security, the verdict on the chain, and a pin of the server's key.
func pavise(_ arguments: [String]) async throws -> [(String, String)] {
    guard arguments.count == 6, let inFlight = Int(arguments[3]), let seconds = Double(arguments[4]) else { usage() }
    let url = try WebURL(arguments[0])
    let transport = try await pinnedTransport(
        to: url.origin, anchors: try certificates(in: arguments[2]), connections: inFlight)
    let version = String(
        decoding: try await transport.send(HTTPRequest("GET", WebURL(arguments[1]))).body, as: UTF8.self)
    let start = ContinuousClock.now
    let end = start + .seconds(seconds)
    let counts = await withTaskGroup(of: (Int, Int).self) { group in
        for _ in 0..<inFlight { group.addTask { await load(transport, url, until: end) } }
        return await group.reduce((0, 0)) { ($0.0 + $1.0, $0.1 + $1.1) }
    }
    return httpFigures(
        requests: counts.0, failures: counts.1, seconds: (ContinuousClock.now - start) / .seconds(1), version: version)
}

/// URL ANCHORS TARGET: a download to a file, every check on. bench.py takes the time and the peak of the whole process.
func download(_ arguments: [String]) async throws -> [(String, String)] {
    guard arguments.count == 3 else { usage() }
    let url = try WebURL(arguments[0])
    let transport = try await pinnedTransport(
        to: url.origin, anchors: try certificates(in: arguments[1]), connections: 1)
    let outcome = try await transport.download(HTTPRequest("GET", url), to: arguments[2])
    guard case .file(_, let bytes, _) = outcome else { throw MeasureFailure(description: "the answer is no file") }
    return [("bytes", "\(bytes)")]
}

/// One request after the other, each checked.
private func load(
    _ transport: HTTPClient, _ url: WebURL, until end: ContinuousClock.Instant
) async -> (requests: Int, failures: Int) {
    let request = HTTPRequest("GET", url)
    var requests = 0
    var failures = 0
    while ContinuousClock.now < end {
        let answer = try? await transport.send(request)
        requests += 1
        if answer?.status != 200 || answer?.body.count != 60 { failures += 1 }
    }
    return (requests, failures)
}

private func pinnedTransport(
    to origin: Origin, anchors: [[UInt8]], connections: Int
) async throws -> HTTPClient {
    let transport = try HTTPClient(
        policy: TrustPolicy(anchors: .only(anchors)), options: ClientOptions(connectionsPerHost: connections))
    let path = try await transport.inspect(origin).path
    guard let leaf = path.first else { throw MeasureFailure(description: "the server's chain leads nowhere") }
    let pins = try PinSet(hosts: [origin.host], leaf: [leaf], backup: .notRequired)
    transport.use(TrustPolicy(anchors: .only(anchors), pins: [pins]))
    return transport
}

/// The certificates of a PEM file, as DER.
func certificates(in path: String) throws -> [[UInt8]] {
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let blocks = text.components(separatedBy: "-----BEGIN CERTIFICATE-----").dropFirst()
    return try blocks.map { block in
        let base64 = block.components(separatedBy: "-----END").first?.filter { !$0.isWhitespace } ?? ""
        guard let der = Data(base64Encoded: base64) else { throw MeasureFailure(description: "no PEM: \(path)") }
        return Array(der)
    }
}
