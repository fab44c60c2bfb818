import PavisePrimitives
import PaviseTransport
import Synchronization

@testable import PaviseSession

/// An authority and a resource server in memory, with the knobs that a hostile or clumsy one has.
final class ScriptedServer: Sendable {
    /// What the token endpoint does with one request.
    enum Reply: Sendable {
        /// The authority does its work.
        case work
        /// The authority does its work and its answer is lost.
        case workThenLose
        case status(Int, body: String = "", type: String = "application/json", fields: [String: String] = [:])
        case failure(TransportFailure)
        /// Nothing ever comes back, also when the request is cancelled.
        case hang
    }

    /// How old refresh tokens are treated.
    enum Rotation: Sendable, CaseIterable {
        case strict
        case grace
        case none
    }

    struct State {
        var replies: [Reply] = []
        var refreshCalls = 0
        var revoked: [String] = []
        var generation = 0
        var validRefresh = "rt-0"
        var lastRefresh: String?
        var isFamilyDead = false
        var access: Set<String> = ["at-0"]
        var lifetime = 1800
        var extra = ""
        var keepsRefreshToken = false
        /// What the resource says to another token than those of ``access``.
        var refusal: (status: Int, fields: [String: String]) = (401, [:])
        var bearers: [String] = []
        var origins: [String] = []
        var bodies: [String] = []
        var revocationReply: Reply = .status(200)
        /// What a cancelled task revokes is not sent, as with the platforms' clients.
        var heedsCancellation = false
        /// The resource takes no token at all.
        var refusesAll = false
    }

    let state: Mutex<State>
    /// What its client remembers.
    let cookies = CookieJar()
    let rotation: Rotation
    /// Called while a token request is on its way, before the authority works.
    let onToken: (@Sendable () async -> Void)?

    init(rotation: Rotation = .strict, onToken: (@Sendable () async -> Void)? = nil) {
        state = Mutex(State())
        self.rotation = rotation
        self.onToken = onToken
    }

    var refreshCalls: Int { state.withLock { $0.refreshCalls } }
    var revoked: [String] { state.withLock { $0.revoked } }
    func script(_ replies: Reply...) { state.withLock { $0.replies += replies } }
    func set(_ change: @Sendable (inout State) -> Void) { state.withLock { change(&$0) } }

    /// A client that reaches it and nobody else.
    var client: HTTPClient {
        HTTPClient(options: ClientOptions(cookies: cookies)) { [self] (order) async throws(TransportFailure) in
            guard let token = order.lines.credentialText else { return try await send(order.request) }
            return try await send(order.request, with: token)
        }
    }

    private func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        state.withLock { $0.bodies.append(String(decoding: request.body ?? [], as: UTF8.self)) }
        if request.url.path == "/revoke" { return try await revoke(request) }
        await onToken?()
        let reply = state.withLock { state -> Reply in
            state.refreshCalls += 1
            return state.replies.isEmpty ? .work : state.replies.removeFirst()
        }
        return try await answer(reply, request)
    }

    private func send(_ request: HTTPRequest, with token: String) async throws(TransportFailure) -> HTTPResponse {
        let refusal = state.withLock { state in
            state.bearers.append(token)
            state.origins.append(request.url.origin.description)
            return state.access.contains(token) && !state.refusesAll ? nil : state.refusal
        }
        await Task.yield()
        guard let refusal else { return Self.response(200, #"{"ok":true}"#) }
        return Self.response(refusal.status, "{}", extra: refusal.fields)
    }

    private func answer(_ reply: Reply, _ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        switch reply {
        case .work: return work(request)
        case .workThenLose:
            _ = work(request)
            throw .network("connection reset", sent: true)
        case .status(let status, let body, let type, let extra):
            return Self.response(status, body, type: type, extra: extra)
        case .failure(let failure): throw failure
        case .hang:
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                hung.withLock { $0.append(continuation) }
            }
            throw .timeout(sent: true)
        }
    }

    private let hung = Mutex<[CheckedContinuation<Void, Never>]>([])
    func releaseHung() {
        for waiter in hung.withLock({ list in
            defer { list = [] }; return list
        }) { waiter.resume() }
    }

    private func work(_ request: HTTPRequest) -> HTTPResponse {
        let form = FormEncoding.decode(String(decoding: request.body ?? [], as: UTF8.self)) ?? []
        let token = form.first { $0.name == "refresh_token" }?.value ?? ""
        return state.withLock { state in
            let isCurrent = token == state.validRefresh
            let isRepeat = token == state.lastRefresh && rotation == .grace
            guard !state.isFamilyDead, isCurrent || isRepeat else {
                state.isFamilyDead = true
                return Self.response(400, #"{"error":"invalid_grant"}"#)
            }
            if isCurrent { rotate(&state) }
            let refresh =
                state.keepsRefreshToken || rotation == .none ? "" : #","refresh_token":"\#(state.validRefresh)""#
            let body =
                #"{"access_token":"at-\#(state.generation)","token_type":"bearer","expires_in":\#(state.lifetime)"#
            return Self.response(200, body + refresh + state.extra + "}")
        }
    }

    private func rotate(_ state: inout State) {
        state.generation += 1
        state.access = ["at-\(state.generation)"]
        guard rotation != .none, !state.keepsRefreshToken else { return }
        state.lastRefresh = state.validRefresh
        state.validRefresh = "rt-\(state.generation)"
    }

    private func revoke(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        let form = FormEncoding.decode(String(decoding: request.body ?? [], as: UTF8.self)) ?? []
        if state.withLock({ $0.heedsCancellation }) {
            // A client is on its way to the server for a while, in which the cancellation reaches it.
            try? await Task.sleep(for: .milliseconds(20))
            guard !Task.isCancelled else { throw .cancelled(sent: false) }
        }
        let reply = state.withLock { state in
            state.revoked.append(form.first { $0.name == "token" }?.value ?? "")
            return state.revocationReply
        }
        return try await answer(reply, request)
    }

    static func response(
        _ status: Int, _ body: String, type: String = "application/json", extra: [String: String] = [:]
    ) -> HTTPResponse {
        var fields = HTTPFields()
        if !type.isEmpty { fields.append("Content-Type", type) }
        for (name, value) in extra { fields.append(name, value) }
        return HTTPResponse(status: status, fields: fields, body: Array(body.utf8))
    }
}

extension ScriptedServer {
    /// Servers that have set cookies: the session's resource and authority, and one that has nothing to do with them.
    static let cookieOrigins: Set<Origin> = Set(
        ["https://cloud.example/", "https://id.example/", "https://other.example/"].compactMap {
            (try? WebURL($0))?.origin
        })

    /// Each of them sets a cookie.
    func setCookies() throws {
        for origin in Self.cookieOrigins {
            var fields = HTTPFields()
            fields.append("Set-Cookie", "name=value; Path=/; Secure")
            cookies.store(fields, from: WebURL(of: origin), at: 1_900_000_000)
        }
    }

    /// Those whose cookies are there.
    func keptCookies() throws -> Set<Origin> {
        Self.cookieOrigins.filter { !cookies.cookies(for: WebURL(of: $0), at: 1_900_000_000).isEmpty }
    }
}
