internal import Foundation
public import PavisePrimitives
public import PaviseTransport
internal import Synchronization

/// Answers of a server that are not sensitive, in memory alone, for an hour at most.
///
/// ```swift
/// let answers = ResponseCache()
/// let request = HTTPRequest("GET", try connection.url("/glossary"))
/// let glossary = try await answers.value(of: Glossary.self, for: request, user: "alice", connection: "work") {
///     try await connection.send(request)
/// }
/// ```
///
/// Only types that conform to ``CacheableResponse`` can be kept, and only as the server allows (``NotCachedReason``).
/// The key holds connection, user, address and the fields `Accept` and `Accept-Language`: nobody gets an answer that
/// was another's. Only a GET is answered from here; any other request is sent, and one that may change something takes
/// away what is kept of its address (RFC 9111 §4.4). The request and its credential are never kept.
///
/// An answer is stale by whichever clock says so first: the wall clock, also when it was set back, or the time since
/// boot, sleep included. Nothing is written to a disk, so that it ends with the process (RFC 9111 is followed where it
/// forbids; nothing is revalidated).
public final class ResponseCache: EmptiableCache {
    private struct Key: Hashable, Sendable {
        let connection: String
        let user: String
        let url: String
        let varied: [String]
        let type: ObjectIdentifier
    }
    private struct Entry: Sendable {
        let value: any CacheableResponse
        let lifetime: Int64
        let wall: Int64
        let boot: Int64
        let epoch: String
    }

    private static let longestAnswer = 1 << 20
    private let entries: MemoryCache<Key, Entry>
    // How often something was taken away: an answer that was under way meanwhile is not kept.
    private let removals = Mutex<UInt64>(0)
    private let time: TimeSource

    /// An empty cache of 100 answers, each of at most 1 MiB.
    public init(countLimit: Int = 100, time: TimeSource = .system) {
        entries = MemoryCache(countLimit: countLimit)
        self.time = time
    }

    /// The value that is kept for `request`, or what `send` brings, kept as far as the server allows.
    ///
    /// An answer that was under way while the cache was emptied, or while another request changed something, is not
    /// kept.
    ///
    /// - Throws: What `send` throws, and the decoder's error where the answer is none of `type`. Answers with another
    ///   status than 200 are decoded too; look at the status in `send` and throw there.
    public func value<Value: CacheableResponse>(
        of type: Value.Type, for request: HTTPRequest, user: String, connection: String,
        send: () async throws -> HTTPResponse
    ) async throws -> Value {
        if let value = kept(type, request, user: user, connection: connection) { return value }
        let start = removals.withLock { $0 }
        // Also where no answer comes, or one that is no value: the server may have changed something.
        defer { removeChanged(request, connection) }
        let response = try await send()
        let value = try JSONDecoder().decode(type, from: Data(response.body))
        _ = keep(value, of: response, to: key(type, request, user, connection), request.method, since: start)
        return value
    }

    /// The value that is kept for `request` and still fresh; `nil` for anything but a GET.
    public func kept<Value: CacheableResponse>(
        _ type: Value.Type, _ request: HTTPRequest, user: String, connection: String
    ) -> Value? {
        guard request.method == "GET" else { return nil }
        let key = key(type, request, user, connection)
        guard let entry = entries.value(for: key) else { return nil }
        guard isFresh(entry) else {
            entries.remove(key)
            return nil
        }
        return entry.value as? Value
    }

    /// Keeps `value` where the server's fields allow it.
    ///
    /// - Returns: Why it was not kept; `nil` when it was.
    public func keep<Value: CacheableResponse>(
        _ value: Value, of response: HTTPResponse, to request: HTTPRequest, user: String, connection: String
    ) -> NotCachedReason? {
        removeChanged(request, connection)
        return keep(value, of: response, to: key(Value.self, request, user, connection), request.method)
    }

    // RFC 9111 §4.4.
    private func removeChanged(_ request: HTTPRequest, _ connection: String) {
        guard !CachingRule.isSafe(request.method) else { return }
        let url = request.url.description
        remove { $0.connection == connection && $0.url == url }
    }

    private func remove(where isRemoved: (Key) -> Bool) {
        removals.withLock { count in
            count += 1
            entries.removeAll(where: isRemoved)
        }
    }

    private func keep(
        _ value: some CacheableResponse, of response: HTTPResponse, to key: Key, _ method: String,
        since start: UInt64? = nil
    ) -> NotCachedReason? {
        switch CachingRule.lifetime(of: response, to: method, now: time.wallSeconds) {
        case .failure(let reason):
            // What a HEAD answers says nothing against what a GET brought.
            if method == "GET" { entries.remove(key) }
            return reason
        case .success(let seconds):
            let bytes = response.body.count
            guard bytes <= Self.longestAnswer else { return .tooLarge }
            let entry = Entry(
                value: value, lifetime: seconds * 1_000, wall: time.wallMilliseconds, boot: time.bootMilliseconds,
                epoch: time.bootEpoch)
            removals.withLock { count in
                guard start == nil || start == count else { return }
                entries.set(entry, for: key, bytes: bytes)
            }
            return nil
        }
    }

    /// Removes the answers of one connection: at its sign-out or removal.
    public func removeAll(of connection: String) { remove { $0.connection == connection } }

    /// Removes every entry.
    public func removeAll() { remove { _ in true } }

    private func isFresh(_ entry: Entry) -> Bool {
        let wall = time.wallMilliseconds - entry.wall
        let boot = time.bootMilliseconds - entry.boot
        return time.bootEpoch == entry.epoch && (0..<entry.lifetime).contains(wall)
            && (0..<entry.lifetime).contains(boot)
    }

    private func key(_ type: any CacheableResponse.Type, _ request: HTTPRequest, _ user: String, _ connection: String)
        -> Key
    {
        Key(
            connection: connection, user: user, url: request.url.description,
            varied: CachingRule.variedFields.map { request.fields.all($0).joined(separator: ",") },
            type: ObjectIdentifier(type))
    }
}
