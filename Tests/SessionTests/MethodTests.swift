import Pavise
import PavisePrimitives
import PaviseStorage
import PaviseTransport
import PaviseVault
import Synchronization
import TestSupport
import Testing

@testable import PaviseSession

/// Methods: what a server offers, what is allowed, what is chosen (connections C11 to C20).
@Suite struct MethodTests {
    typealias Method = ConnectionDescriptor.Method

    private static let methods = Methods.standard.withPasswords(at: .named)
    private static let origin = Origin(scheme: .https, host: "cloud.example", port: 443)

    /// What a server says about OpenID Connect, OAuth 2.0 and Basic, what was known of it, and what is chosen.
    static let table: [([MethodOffer], Method?, MethodChoice)] = [
        ([.offered, .offered, .offered], nil, .use(.openIDConnect)),
        ([.notOffered, .offered, .offered], nil, .use(.oauth)),
        ([.notOffered, .notOffered, .offered], nil, .use(.basic)),
        ([.notOffered, .notOffered, .notOffered], nil, .none),
        ([.unknown, .notOffered, .notOffered], nil, .undecided),
        ([.unknown, .unknown, .unknown], .openIDConnect, .undecided),
        // Somebody in between keeps the better answer away.
        ([.unknown, .notOffered, .offered], nil, .ask(.basic, insteadOf: .openIDConnect)),
        ([.unknown, .offered, .notOffered], nil, .ask(.oauth, insteadOf: .openIDConnect)),
        ([.offered, .unknown, .unknown], nil, .use(.openIDConnect)),
        ([.notOffered, .offered, .unknown], nil, .use(.oauth)),
        // The server was stronger once.
        ([.notOffered, .notOffered, .offered], .openIDConnect, .ask(.basic, insteadOf: .openIDConnect)),
        ([.notOffered, .offered, .offered], .openIDConnect, .ask(.oauth, insteadOf: .openIDConnect)),
        ([.offered, .offered, .offered], .basic, .use(.openIDConnect)),
        ([.notOffered, .notOffered, .offered], .basic, .use(.basic)),
        (
            [.offered, .offered, .offered], Method(rawValue: "gone"),
            .ask(.openIDConnect, insteadOf: Method(rawValue: "gone"))
        ),
    ]

    @Test(arguments: table)
    func `the strongest offered method is chosen, a weaker one is a question`(
        _ offers: [MethodOffer], _ strongest: Method?, _ wanted: MethodChoice
    ) {
        let found = zip(Self.methods.all, offers).map { (method: $0, offer: $1) }
        let rules = MethodRules()
        #expect(MethodChoice.decide(found, rules, strongest: strongest) == wanted)
        // Whatever the order of the list (connections C12, C13).
        for order in [found.reversed(), [found[1], found[2], found[0]]] {
            #expect(MethodChoice.decide(order, rules, strongest: strongest) == wanted)
        }
        guard case .ask(let method, let better) = wanted else { return }
        let strict = MethodRules(mayWeaken: false)
        #expect(MethodChoice.decide(found, strict, strongest: strongest) == .refuse(method, insteadOf: better))
    }

    @Test func `an order of preference goes before strength, and no preference switches a method on`() {
        let all = Self.methods.all.map { (method: $0, offer: MethodOffer.offered) }
        let rules = MethodRules(preferred: [.basic, .oauth])
        #expect(MethodChoice.decide(all, rules, strongest: nil) == .use(.basic))
        #expect(!rules.allows(PasswordMethod(), at: Self.origin))
        #expect(!rules.allows(PasswordMethod(at: .only([])), at: Self.origin))
        #expect(rules.allows(PasswordMethod(at: .only([Self.origin])), at: Self.origin))
        let plain = Origin(scheme: .http, host: "cloud.example", port: 80)
        #expect(!rules.allows(PasswordMethod(at: .only([plain])), at: plain))
    }

    @Test func `a method that is not allowed sends no question`() async {
        let server = OfferingServer()
        let rules = MethodRules(allowed: [.oauth])
        let choice = await Self.methods.choose(at: Self.origin, by: rules, client: server.client)
        #expect(choice == .use(.oauth))
        #expect(server.paths == ["/.well-known/oauth-authorization-server"])
        #expect(
            await Self.methods.choose(at: Self.origin, by: MethodRules(), client: server.client) == .use(.openIDConnect)
        )
        #expect(server.credentials == 0)
    }

    @Test(arguments: [
        (
            ScriptedServer.Reply.status(
                200, body: #"{"issuer":"i","authorization_endpoint":"a","token_endpoint":"t"}"#),
            MethodOffer.offered
        ),
        (.status(200, body: #"{"issuer":"i"}"#), .notOffered), (.status(404), .notOffered), (.status(410), .notOffered),
        (.status(200, body: "<html>portal</html>", type: "text/html"), .unknown), (.status(200), .unknown),
        (.status(302, fields: ["Location": "https://evil.example/"]), .unknown), (.status(401), .unknown),
        (.status(403), .unknown), (.status(500), .unknown), (.failure(.timeout(sent: true)), .unknown),
        (.failure(.tls("alert")), .unknown), (.status(200, body: #"{"issuer":"i","issuer":"j"}"#), .unknown),
    ])
    func `metadata says yes, no, or nothing`(_ reply: ScriptedServer.Reply, _ wanted: MethodOffer) {
        #expect(TokenMethod.oauth.offer(in: [Self.answer(reply)]) == wanted)
    }

    @Test(arguments: [
        (401, "Basic realm=\"a, b\"", MethodOffer.offered), (401, "Negotiate, basic realm=x", .offered),
        (401, "Bearer realm=\"Basic\"", .notOffered), (401, "Digest realm=\"x\", nonce=\"Basic realm=y\"", .notOffered),
        (401, "", .unknown), (401, "Basic realm=\"", .unknown), (200, "Basic realm=x", .unknown),
        (403, "Basic realm=x", .unknown), (407, "Basic realm=x", .unknown),
    ])
    func `a password is offered by a challenge and by nothing else`(
        _ status: Int, _ field: String, _ wanted: MethodOffer
    ) {
        let reply = ScriptedServer.Reply.status(status, fields: field.isEmpty ? [:] : ["WWW-Authenticate": field])
        #expect(PasswordMethod().offer(in: [Self.answer(reply)]) == wanted)
    }

    private static func answer(_ reply: ScriptedServer.Reply) -> MethodResult {
        switch reply {
        case .status(let status, let body, let type, let extra):
            .success(ScriptedServer.response(status, body, type: type, extra: extra))
        case .failure(let failure): .failure(failure)
        default: .failure(.timeout(sent: false))
        }
    }
}

/// A server that offers everything, and counts what it is asked.
final class OfferingServer: Sendable {
    private let seen = Mutex<(paths: [String], credentials: Int)>(([], 0))
    var paths: [String] { seen.withLock { $0.paths } }
    var credentials: Int { seen.withLock { $0.credentials } }

    var client: HTTPClient {
        HTTPClient { [self] (order) throws(TransportFailure) in
            guard order.lines.authorization == nil else {
                seen.withLock { $0.credentials += 1 }
                return ScriptedServer.response(200, "")
            }
            return answer(order.request)
        }
    }

    private func answer(_ request: HTTPRequest) -> HTTPResponse {
        seen.withLock { $0.paths.append(request.url.path) }
        guard request.url.path != "/" else {
            return ScriptedServer.response(401, "", extra: ["WWW-Authenticate": "Basic realm=x"])
        }
        return ScriptedServer.response(
            200, #"{"issuer":"i","authorization_endpoint":"a","token_endpoint":"t","jwks_uri":"k"}"#)
    }
}
