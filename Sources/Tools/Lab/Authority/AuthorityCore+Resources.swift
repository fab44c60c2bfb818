internal import PaviseCrypto
internal import PavisePrimitives

extension AuthorityCore {
    /// The protected resource (RFC 6750): `/api/large/N` gives N bytes, `/api/echo` the request's body,
    /// `/api/forbidden` 403, anything else a small object. `/api/image/N` gives N bytes that a client may keep for a
    /// day (RFC 9111); of anything else it says that nobody keeps it. `/api/file/N` gives N bytes of one version, in
    /// parts where a client asks for them; `/api/records/NAME` is a collection of each person's own
    /// (``RecordServer``); `/api/dav` is a folder of files (``DAVServer``); `/api/push` is a push service
    /// (``PushServer``), and `/api/push/service` what is known there, for which nobody has to sign in;
    /// `/api/level/NAME` and `/api/recent/SECONDS` want a sign-in of that level or age (RFC 9470). A token for another
    /// server opens nothing here (RFC 9068 §4); which scope a call needs is each resource's own matter.
    func resource(_ request: LabRequest) -> LabResponse {
        let families = state.value.ledger.families
        if request.path == "/api/push/service" { return pushService.page { families[$0].isOver } }
        let (grant, call, family): (AuthorityLedger.Grant, Int, Int)
        switch shownGrant(request, at: state.value.base + request.path, isResource: true) {
        case .success(let found): (grant, call, family) = found
        case .failure(let refusal): return refusal.response
        }
        switch request.path.split(separator: "/").dropFirst().first {
        case "large": return .generated(request.path.split(separator: "/").last.flatMap { Int($0) } ?? 0)
        case "file": return Self.file(request)
        case "image":
            return .generated(request.path.split(separator: "/").last.flatMap { Int($0) } ?? 0)
                .with("Cache-Control", "private, max-age=86400")
        case "level":
            let level = request.path.split(separator: "/").last.map(String.init) ?? ""
            guard grant.level == level else { return Self.demand("acr_values=\"\(level)\"") }
        case "recent":
            let age = request.path.split(separator: "/").last.flatMap { Int64($0) } ?? 0
            guard clock.wallSeconds - grant.signedIn <= age else { return Self.demand("max_age=\"\(age)\"") }
        case "records":
            let path = request.path.split(separator: "/").dropFirst(2).joined(separator: "/")
            let answer = records.answer(request, path, user: grant.user)
            if request.method != "GET", (200..<300).contains(answer.status) {
                pushService.recordsChanged(of: grant.user, by: family, at: clock.wallSeconds) { families[$0].isOver }
            }
            return answer
        case "push":
            let path = request.path.split(separator: "/").dropFirst(2).map(String.init)
            return pushService.answer(request, path, user: grant.user, session: family)
        case "dav":
            var answer = files.answer(request)
            answer.fields.removeAll { $0.name == "Date" }
            return answer
        case "echo":
            return LabResponse(fields: [.init("Content-Type", "application/octet-stream")], body: .fixed(request.body))
        case "forbidden":
            let challenge = "Bearer error=\"insufficient_scope\", scope=\"admin\""
            return .json(AuthorityFault.text("insufficient_scope"), status: 403).with("WWW-Authenticate", challenge)
        default: break
        }
        let fields = JSONValue.fields([
            "path": .string(request.path), "method": .string(request.method), "user": .string(grant.user),
            "scope": .string(grant.scope), "call": .integer(call),
        ])
        return .json(fields.text)
    }

    private static func demand(_ what: String) -> LabResponse {
        .json(AuthorityFault.text("insufficient_user_authentication"), status: 401)
            .with("WWW-Authenticate", "Bearer error=\"insufficient_user_authentication\", \(what)")
    }

    // RFC 9110 §14: one part from a byte on, of the version that the client names.
    private static func file(_ request: LabRequest) -> LabResponse {
        let count = request.path.split(separator: "/").last.flatMap { Int($0) } ?? 0
        let tag = "\"version-\(count)\""
        let range = request.field("Range") ?? ""
        guard range.hasPrefix("bytes="), range.hasSuffix("-"), let first = Int(range.dropFirst(6).dropLast()),
            (0..<max(0, count)).contains(first), request.field("If-Range") == tag
        else { return .generated(count).with("ETag", tag).with("Content-Type", "application/octet-stream") }
        var answer = LabResponse.generated(count, from: first)
        answer.status = 206
        return answer.with("ETag", tag).with("Content-Range", "bytes \(first)-\(count - 1)/\(count)")
    }

    /// The user-info endpoint (OpenID Connect Core §5.3): for tokens of a sign-in with `openid` alone.
    func userInformation(_ request: LabRequest) -> LabResponse {
        let grant: AuthorityLedger.Grant
        switch shownGrant(request, at: state.value.address(.userinfo), isResource: false) {
        case .success(let found): grant = found.0
        case .failure(let refusal): return refusal.response
        }
        guard grant.scope.split(separator: " ").contains("openid") else {
            let scheme = Self.shown(request)?.scheme == "dpop" ? "DPoP" : "Bearer"
            return .json(AuthorityFault.text("insufficient_scope"), status: 403)
                .with("WWW-Authenticate", "\(scheme) error=\"insufficient_scope\", scope=\"openid\"")
        }
        let hasProfile = grant.scope.split(separator: " ").contains("profile")
        return .json(
            JSONValue.fields(["sub": .string(grant.user), "name": hasProfile ? .string(grant.user.capitalised) : nil])
                .text)
    }

    /// A resource behind HTTP Basic (RFC 7617), for the authority's people and their passwords.
    func basicResource(_ request: LabRequest) -> LabResponse {
        let users = state.value.configuration.users
        let shown = request.field("Authorization") ?? ""
        let known = users.first { name, password in
            ConstantTime.equal(shown, "Basic " + Base64.encode(Array("\(name):\(password)".utf8)))
        }
        state.change {
            $0.ledger.counters.grantedCalls += known == nil ? 0 : 1
            $0.ledger.counters.refusedCalls += known == nil ? 1 : 0
        }
        guard let known else {
            return .text("who are you?", status: 401).with("WWW-Authenticate", "Basic realm=\"lab\", charset=\"UTF-8\"")
        }
        return .json(JSONValue.fields(["path": .string(request.path), "user": .string(known.key)]).text)
    }

    private struct Refusal: Error {
        let response: LabResponse
    }

    // The grant behind a good token, proved where it is bound, and the numbers of the call and of the sign-in.
    private func shownGrant(
        _ request: LabRequest, at address: String, isResource: Bool
    ) -> Result<(AuthorityLedger.Grant, Int, Int), Refusal> {
        let thumbprint: String?
        do throws(ProofCheck.Refusal) {
            thumbprint = try proof(request, at: address, token: Self.shown(request)?.token)
        } catch {
            state.change { $0.ledger.counters.refusedProofs += 1 }
            return .failure(
                Refusal(
                    response: .json(AuthorityFault.text(error.rawValue), status: 401)
                        .with("WWW-Authenticate", "dPoP error=\"\(error.rawValue)\", algs=\"ES256\"")))
        }
        guard let found = bearer(request, thumbprint, isResource) else {
            return .failure(Refusal(response: refusal(request)))
        }
        return .success(found)
    }

    // The grant behind a good token, and the numbers of the call and of the sign-in.
    private func bearer(
        _ request: LabRequest, _ thumbprint: String?, _ isResource: Bool
    ) -> (AuthorityLedger.Grant, Int, Int)? {
        let shown = Self.shown(request)
        let isRight = shown?.scheme == (thumbprint == nil ? "bearer" : "dpop")
        let token = isRight ? shown?.token ?? "" : ""
        let now = clock.wallSeconds
        return state.change { state in
            guard let family = state.ledger.family(of: token, isRefresh: false, at: now),
                let known = state.ledger.tokens[token], family.thumbprint == thumbprint,
                !isResource || state.isOwn(known.audience),
                family.certificate == nil || family.certificate == Self.certificateThumbprint(request)
            else {
                state.ledger.counters.refusedCalls += 1
                return nil
            }
            let number = known.family
            state.ledger.families[number].lastUse = now
            state.ledger.counters.grantedCalls += 1
            return (family.grant, state.ledger.counters.grantedCalls, number)
        }
    }

    // The scheme, in small letters, and what stands behind it.
    static func shown(_ request: LabRequest) -> (scheme: String, token: String)? {
        let parts = (request.field("Authorization") ?? "").split(separator: " ", maxSplits: 1)
        return parts.count == 2 ? (parts[0].lowercased(), String(parts[1])) : nil
    }

    // RFC 6750 §3: the error is named only when a token was shown.
    private func refusal(_ request: LabRequest) -> LabResponse {
        let hasToken = request.field("Authorization") != nil
        let challenge = hasToken ? "Bearer realm=\"lab\", error=\"invalid_token\"" : "Bearer realm=\"lab\""
        return .json(AuthorityFault.text("invalid_token"), status: 401).with("WWW-Authenticate", challenge)
    }
}

extension String {
    fileprivate var capitalised: String { prefix(1).uppercased() + dropFirst() }
}
