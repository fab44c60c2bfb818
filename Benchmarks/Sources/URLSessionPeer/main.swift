// measure-urlsession URL PROBE IN-FLIGHT SECONDS: requests per second of FoundationNetworking's URLSession.
//
// The test authority is trusted through URLSessionCertificateAuthorityInfoFile, which bench.py sets.
// The requests are started from completion handlers, the quickest way that URLSession offers.
internal import Foundation
internal import Synchronization

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

/// Keeps a number of requests under way and counts the answers.
final class Load: Sendable {
    struct Count {
        var requests = 0
        var failures = 0
        var running = 0
    }

    let count = Mutex(Count())
    private let session: URLSession
    private let request: URLRequest
    private let end: ContinuousClock.Instant
    private let finished = DispatchSemaphore(value: 0)

    init(_ session: URLSession, _ url: URL, seconds: Double) {
        self.session = session
        request = URLRequest(url: url)
        end = .now + .seconds(seconds)
    }

    func run(inFlight: Int) {
        count.withLock { $0.running = inFlight }
        for _ in 0..<inFlight { next() }
        finished.wait()
    }

    private func next() {
        session.dataTask(with: request) { [self] data, response, _ in
            let fine = (response as? HTTPURLResponse)?.statusCode == 200 && data?.count == 60
            let again = ContinuousClock.now < end
            let running = count.withLock { count in
                count.requests += 1
                if !fine { count.failures += 1 }
                if !again { count.running -= 1 }
                return count.running
            }
            if again { return next() }
            if running == 0 { finished.signal() }
        }.resume()
    }
}

/// The protocol that the server says it spoke.
func spoken(_ session: URLSession, _ url: URL) -> String {
    let text = Mutex("")
    let finished = DispatchSemaphore(value: 0)
    session.dataTask(with: url) { data, _, error in
        text.withLock {
            $0 = data.flatMap { String(data: $0, encoding: .utf8) } ?? "failed: \(String(describing: error))"
        }
        finished.signal()
    }.resume()
    finished.wait()
    return text.withLock { $0 }
}

let arguments = CommandLine.arguments
guard arguments.count == 5, let url = URL(string: arguments[1]), let probe = URL(string: arguments[2]),
    let inFlight = Int(arguments[3]), let seconds = Double(arguments[4])
else {
    print("usage: measure-urlsession URL PROBE IN-FLIGHT SECONDS")
    exit(2)
}
let configuration = URLSessionConfiguration.ephemeral
configuration.httpMaximumConnectionsPerHost = inFlight
configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
configuration.urlCache = nil
configuration.httpShouldSetCookies = false
let session = URLSession(configuration: configuration)
let version = spoken(session, probe)
let load = Load(session, url, seconds: seconds)
let start = ContinuousClock.now
load.run(inFlight: inFlight)
let elapsed = (ContinuousClock.now - start) / .seconds(1)
let count = load.count.withLock { $0 }
print(
    "{\"perSecond\": \(Double(count.requests) / elapsed), \"requests\": \(count.requests), "
        + "\"failures\": \(count.failures), \"protocol\": \"\(version)\"}")
