internal import PavisePrimitives
public import PaviseSession
public import PaviseTransport

/// A collection of records behind a plain HTTP interface, over an account's own client: its trust decisions, its
/// credential, its one origin.
///
/// | request | what for |
/// |---|---|
/// | `GET …?since=CURSOR&limit=500` | what changed: ``RecordPage``; 410 when the cursor is not known any more |
/// | `GET …/ID` | one record; 404 or 410 when there is none |
/// | `PUT …/ID` with `If-Match` or `If-None-Match: *`, `Idempotency-Key` | writes `{"fields": {…}}`; `ETag` names it |
/// | `DELETE …/ID` with `If-Match`, `Idempotency-Key` | deletes |
///
/// A list of all there is leaves out what was deleted, and its last cursor is of the moment at which it began: what
/// changes while it is read is in the next one.
///
/// 412 says that the condition does not hold, with the present record as its body. The key is that of the IETF's draft
/// on the Idempotency-Key header field; a server that does not know it is asked what is there (sync/SY15).
public struct HTTPRecordRemote: RecordRemote {
    /// The collection's address.
    public let address: WebURL
    let client: any AuthorizedClient
    let sleep: @Sendable (Duration) async -> Void

    /// A collection.
    ///
    /// - Parameters:
    ///   - address: Without a query, and without a slash at its end.
    ///   - client: Sends with the account's credential.
    ///   - sleep: Waits.
    public init(
        _ address: WebURL, client: any AuthorizedClient,
        sleep: @escaping @Sendable (Duration) async -> Void = { try? await Task.sleep(for: $0) }
    ) {
        (self.address, self.client, self.sleep) = (address, client, sleep)
    }

    // MARK: Reading

    /// See ``RecordRemote/changes(since:)``.
    public func changes(since cursor: String?) async throws(SyncFailure) -> RecordPage? {
        let since = cursor.map { "&since=" + RemoteAddress.encode($0) } ?? ""
        let answer = try await send("GET", url("", query: "limit=500" + since))
        switch answer.status {
        case 200: return try RecordPage(json: answer.body)
        case 410 where cursor != nil: return nil
        case 404, 410: throw .refused("The server has no such collection.")
        default: throw SyncFailure(status: answer.status)
        }
    }

    /// See ``RecordRemote/record(_:)``.
    public func record(_ id: RecordID) async throws(SyncFailure) -> RemoteRecord? {
        let answer = try await send("GET", url(id))
        switch answer.status {
        case 200: return try record(answer, id)
        case 404: return nil
        // The body of a tombstone, where there is one, names its version.
        case 410: return try? record(answer, id)
        default: throw SyncFailure(status: answer.status)
        }
    }

    private func record(_ answer: HTTPResponse, _ id: RecordID) throws(SyncFailure) -> RemoteRecord {
        let limit = RecordFields.sizeLimit + 4_096
        guard let value = try? JSONValue.parse(answer.body, limit: limit, depth: RecordPage.depthLimit),
            let record = RemoteRecord(value), record.id == id
        else { throw .listing("The server's answer is not the record that was asked for.") }
        return record
    }

    // MARK: Writing

    /// See ``RecordRemote/put(_:_:original:old:key:)``.
    public func put(
        _ id: RecordID, _ fields: RecordFields, original: RecordID?, old: String?, key: String
    ) async throws(SyncFailure) -> RecordWriteResult {
        let body = JSONValue.fields(["fields": fields.value, "conflictOf": original.map { .string($0.text) }])
        let condition = old.map { ("If-Match", "\"\($0)\"") } ?? ("If-None-Match", "*")
        let answer = try await send(
            "PUT", url(id), [condition, ("Idempotency-Key", "\"\(key)\""), ("Content-Type", "application/json")],
            Array(body.text.utf8))
        guard answer.status == 200 || answer.status == 201 || answer.status == 204 else {
            return try await refused(answer, id)
        }
        // Only the answer's own tag says which version is ours (sync/SY7).
        if let tag = Self.tag(answer) { return .done(tag: tag) }
        guard let now = try await record(id), now.version.fields == fields else { throw .changed }
        return .done(tag: now.version.tag)
    }

    /// See ``RecordRemote/delete(_:old:key:)``.
    public func delete(_ id: RecordID, old: String, key: String) async throws(SyncFailure) -> RecordWriteResult {
        let answer = try await send(
            "DELETE", url(id), [("If-Match", "\"\(old)\""), ("Idempotency-Key", "\"\(key)\"")])
        switch answer.status {
        case 200, 204: return .done(tag: Self.tag(answer) ?? "")
        case 404, 410: return .other(nil)
        default: return try await refused(answer, id)
        }
    }

    // 412: the condition does not hold. 409: another request with this key is under way, or the server has its own name
    // for a conflict; 428 that it wants a condition.
    private func refused(_ answer: HTTPResponse, _ id: RecordID) async throws(SyncFailure) -> RecordWriteResult {
        guard answer.status == 412 || answer.status == 409 else { throw SyncFailure(status: answer.status) }
        if let record = try? record(answer, id) { return .other(record) }
        return .other(try await record(id))
    }

    private static func tag(_ answer: HTTPResponse) -> String? {
        guard let field = answer.fields["ETag"], field.hasPrefix("\""), field.hasSuffix("\""), field.utf8.count > 2
        else { return nil }
        let tag = String(field.dropFirst().dropLast())
        return RecordPage.isPlain(tag, 256) ? tag : nil
    }

    // MARK: Requests

    private func url(_ id: RecordID) throws(SyncFailure) -> WebURL { try url("/" + id.text) }

    private func url(_ rest: String, query: String? = nil) throws(SyncFailure) -> WebURL {
        do throws(WebURL.Problem) {
            return try WebURL("\(address.origin)\(address.path)\(rest)\(query.map { "?" + $0 } ?? "")")
        } catch {
            throw .refused("The collection's address cannot be used: \(error.description)")
        }
    }

    private func send(
        _ method: String, _ url: WebURL, _ fields: [(String, String)] = [], _ body: [UInt8]? = nil
    ) async throws(SyncFailure) -> HTTPResponse {
        var request = HTTPRequest(method, url, body: body)
        request.fields.append("Accept", "application/json")
        // A compressed body has a tag of its own on some servers, with which no condition holds.
        request.fields.append("Accept-Encoding", "identity")
        for (name, value) in fields { request.fields.append(name, value) }
        request.limits.body = RecordPage.sizeLimit
        let made = request
        return try await SyncFailure.waiting(sleep) { () async throws(SyncFailure) in
            do throws(SessionFailure) { return try await client.send(made) } catch { throw SyncFailure(error) }
        }
    }
}
