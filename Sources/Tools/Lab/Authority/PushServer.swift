internal import PaviseCrypto
internal import PavisePrimitives

/// The lab's stand-in for a push service, and the half of an app's server that uses it: when a person's records change
/// from one of their devices, the others get a notice.
///
/// All requests are `POST` with a token of the authority and a JSON object; a push token stands in no address. `tokens`
/// gives one, as a system's service does, to the same sign-in the same; `registrations` tells it (`token`) to the app's
/// server, with the key under which that seals what a notice says (`key`: `PushKey`, base64); `removals` takes it back,
/// and so does the end of the session that told it; `notices` gives what came, once.
public final class PushServer: Sendable {
    private struct Registration: Sendable {
        let user: String
        let session: Int
        let key: [UInt8]
    }

    private struct State: Sendable {
        // What the service gave out: to the same sign-in the same; and what waits for each.
        var given: [Int: String] = [:]
        var waiting: [String: [String]] = [:]
        var registrations: [String: Registration] = [:]
        var delivered: [String] = []
    }

    private let state = Monitor(State())

    /// A service that knows nobody.
    public init() {}

    /// All payloads that were given to the service, as whoever works there reads them.
    public var payloads: [String] { state.value.delivered }

    /// The push tokens that the app's server knows.
    public var registered: Set<String> { Set(state.value.registrations.keys) }

    /// Waits until the app's server knows this many push tokens.
    ///
    /// - Returns: Whether it does, within ten seconds.
    public func knows(_ count: Int) async -> Bool {
        let state = state
        return await Waiting.done { state.wait(within: 10_000) { $0.registrations.count == count } }
    }

    /// The answer to a request for `path`, below the server's own.
    ///
    /// - Parameters:
    ///   - user: Who is signed in.
    ///   - session: The sign-in that the request's token comes from.
    func answer(_ request: LabRequest, _ path: [String], user: String, session: Int) -> LabResponse {
        guard request.method == "POST" else { return LabResponse(status: 405) }
        guard let body = try? JSONValue.parse(request.body, limit: 4_096, depth: 2) else {
            return LabResponse(status: 400)
        }
        if path == ["tokens"] { return .json(JSONValue.fields(["token": .string(token(session))]).text) }
        let key = body["key"]?.string.flatMap { Base64.decode($0) }
        guard let token = body["token"]?.string else { return LabResponse(status: 400) }
        return state.change { state in
            guard let found = state.waiting[token] else { return LabResponse(status: 404) }
            switch path {
            case ["registrations"]:
                guard let key, key.count == 32 else { return LabResponse(status: 400) }
                state.registrations[token] = Registration(user: user, session: session, key: key)
                return .json("{}")
            case ["removals"]:
                if state.registrations[token]?.user == user { state.registrations[token] = nil }
                return .json("{}")
            case ["notices"]:
                state.waiting[token] = []
                return .json("{\"notices\":[\(found.joined(separator: ","))]}")
            default: return LabResponse(status: 404)
            }
        }
    }

    private func token(_ session: Int) -> String {
        state.change { state in
            let token = state.given[session] ?? Self.fresh()
            state.given[session] = token
            state.waiting[token, default: []] += []
            return token
        }
    }

    /// The app's server has a notice for the person's other devices.
    ///
    /// - Parameters:
    ///   - session: The sign-in from which the records were changed: it gets none.
    ///   - isOver: Whether a sign-in has ended: its registration goes.
    ///   - now: Seconds since 1970.
    func recordsChanged(of user: String, by session: Int, at now: Int64, isOver: (Int) -> Bool) {
        state.change { state in
            state.registrations = state.registrations.filter { !isOver($0.value.session) }
            for (token, known) in state.registrations where known.user == user && known.session != session {
                guard let packet = Self.packet(#"{"key":"notice.nights","issued":\#(now)}"#, known.key) else {
                    continue
                }
                // Whatever the service keeps, or a failing app shows, says nothing.
                let payload =
                    #"{"aps":{"alert":{"loc-key":"notice.neutral.body"},"mutable-content":1},"pavise":"\#(packet)"}"#
                state.waiting[token, default: []].append(payload)
                state.delivered.append(payload)
            }
        }
    }

    /// What the service knows, for whoever works there.
    ///
    /// - Parameter isOver: Whether a sign-in has ended: its registration goes.
    func page(isOver: (Int) -> Bool) -> LabResponse {
        .json(
            state.change { state in
                state.registrations = state.registrations.filter { !isOver($0.value.session) }
                return JSONValue.fields([
                    "registered": .array(state.registrations.keys.sorted().map { .string($0) }),
                    "payloads": .array(state.delivered.map { .string($0) }),
                ]).text
            })
    }

    // JSON Web Encryption, direct, AES-256 in GCM (RFC 7516 §3.1, RFC 7518 §4.5 and §5.3).
    private static func packet(_ content: String, _ key: [UInt8]) -> String? {
        let head = Base64URL.encode(Array(#"{"alg":"dir","enc":"A256GCM"}"#.utf8))
        guard let nonce = try? Entropy.kernel.bytes(12),
            let box = try? AESGCM.sealOnce(
                Array(content.utf8).span, key: SecretBytes(copying: key), nonce: nonce, associatedData: Array(head.utf8)
            )
        else { return nil }
        let parts = [nonce, Array(box.dropLast(16)), Array(box.suffix(16))].map { Base64URL.encode($0) }
        return "\(head)..\(parts.joined(separator: "."))"
    }

    private static func fresh() -> String {
        // Recognised where it must not be.
        Hex.encode(Array("lab-push-".utf8) + (0..<23).map { _ in UInt8.random(in: .min ... .max) })
    }
}
