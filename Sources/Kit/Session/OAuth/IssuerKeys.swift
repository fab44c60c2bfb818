package import PaviseJWT
package import PavisePrimitives
package import PaviseTransport

/// The signing keys of issuers, fetched when they are needed and kept.
///
/// A token whose key is unknown makes one fetch, and at most one in a minute: a flood of invented names costs an issuer
/// nothing (oauth J3). While one fetch runs, everybody waits for it. A fetch that fails leaves the last good set in
/// force, for 24 hours after it came (``KeyFreshness/believed``); then tokens fail with what the fetch failed with.
///
/// The keys belong to one client, and so to one trust policy: what came under an approval of one connection checks no
/// token of another, whose pins are stricter.
package actor IssuerKeys {
    private struct Source: Hashable {
        let endpoint: WebURL
        let algorithms: Set<TokenAlgorithm>
    }

    private struct Entry {
        var freshness = KeyFreshness()
        var keys: JSONWebKeySet?
        var fetch: Task<Result<JSONWebKeySet, IDTokenProblem>, Never>?
    }

    /// How many issuers are remembered.
    private static let limit = 64
    private var entries: [Source: Entry] = [:]

    private let client: HTTPClient

    /// Keys that are fetched through `client`, and no other one.
    package init(through client: HTTPClient) { self.client = client }

    /// Checks a token's signature with the key that `endpoint` publishes for it.
    ///
    /// - Throws: ``IDTokenProblem``: `keysUnavailable`, `keysUntrusted`, `unusableKey`, `noSuchKey`, `algorithm` or
    /// `signature`.
    package func verify(
        _ token: CompactToken, from endpoint: WebURL, accepting algorithms: Set<TokenAlgorithm>,
        at time: TimeSource
    ) async throws(IDTokenProblem) -> VerifiedToken {
        guard algorithms.contains(token.algorithm), !token.algorithm.isSymmetric else { throw .algorithm }
        // Read for the token's algorithm alone: an RSA key that names none is for that one.
        let place = Source(endpoint: endpoint, algorithms: [token.algorithm])
        let keys = try await keys(at: place, .first, time)
        if let verified = try Self.check(token, keys) { return verified }
        let newer = try await self.keys(at: place, .unknownKey, time)
        guard let verified = try Self.check(token, newer) else { throw .noSuchKey }
        return verified
    }

    // `nil` where other keys could help.
    private static func check(_ token: CompactToken, _ keys: JSONWebKeySet) throws(IDTokenProblem) -> VerifiedToken? {
        do throws(TokenProblem) {
            return try token.verified(by: keys)
        } catch {
            guard error != .noSuchKey else { return nil }
            throw IDTokenProblem(error)
        }
    }

    private func keys(
        at place: Source, _ need: KeyFreshness.Need, _ time: TimeSource
    ) async throws(IDTokenProblem) -> JSONWebKeySet {
        if entries[place] == nil, entries.count >= Self.limit { entries = [:] }
        var entry = entries[place] ?? Entry()
        let last = entry.freshness.believes(at: time.bootMilliseconds) ? entry.keys : nil
        if let running = entry.fetch { return try await finished(running, last) }
        guard entry.freshness.fetches(need, at: time.bootMilliseconds) else {
            guard let last else { throw .keysUnavailable }
            return last
        }
        let fetch = Task { [client] in await Self.fetch(place.endpoint, place.algorithms, through: client) }
        entry.fetch = fetch
        entries[place] = entry
        let result = await fetch.value
        entries[place]?.fetch = nil
        entries[place]?.freshness.fetched(need, worked: (try? result.get()) != nil, at: time.bootMilliseconds)
        if let keys = try? result.get() { entries[place]?.keys = keys }
        return try await finished(fetch, last)
    }

    private func finished(
        _ fetch: Task<Result<JSONWebKeySet, IDTokenProblem>, Never>, _ last: JSONWebKeySet?
    ) async throws(IDTokenProblem) -> JSONWebKeySet {
        do throws(IDTokenProblem) {
            return try await fetch.value.get()
        } catch {
            guard let last else { throw error }
            return last
        }
    }

    private static func fetch(
        _ endpoint: WebURL, _ algorithms: Set<TokenAlgorithm>, through client: HTTPClient
    ) async -> Result<JSONWebKeySet, IDTokenProblem> {
        let response: HTTPResponse
        do throws(TransportFailure) {
            response = try await client.send(.json(endpoint))
        } catch {
            return .failure(DegradedReason(error) == .trust ? .keysUntrusted : .keysUnavailable)
        }
        guard response.redirect == nil, response.status == 200, let document = response.jsonObject
        else { return .failure(.keysUnavailable) }
        do throws(JSONWebKeyProblem) {
            return .success(try JSONWebKeySet(document, accepting: algorithms))
        } catch {
            return .failure(error == .malformed ? .keysUnavailable : .unusableKey)
        }
    }
}
