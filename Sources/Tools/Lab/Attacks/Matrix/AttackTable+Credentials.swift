extension AttackTable {
    /// Credentials and cookies that must not go astray.
    static let credentials: [AttackCase] = [
        AttackCase(
            "credentials/over-http", "TLS", "A credential is to go over http, where http is allowed.",
            given: {
                $0.front.isSecure = false
                $0.front.host = "lab.localhost"
                $0.client.transportSecurity = allowed("lab.localhost")
                $0.request.hasCredential = false
            }, expected: .never(.credential)
        ) { $0.request.hasCredential = true }.atConnections(
            .never(.credential, .transportSecurity).because("A connection has no exceptions from https."),
            usualTwin: true),
        AttackCase(
            "credentials/other-origin", "origin", "The credential of one server is to go to another.",
            given: twoHosts, expected: .kept(front: .nothing, .credential)
        ) { $0.request.address = "https://{trap}/" }.at(
            .urlSession,
            .kept(trap: .anything, front: .nothing, .answer).because(
                "The app writes the field into the request for that very server.")),
        AttackCase(
            "credentials/line-break", "one line", "The credential holds a line break and a field more.",
            expected: .never(.unusable)
        ) {
            $0.request.hasBrokenCredential = true
            $0.front.script = seesInjection
        }.at(.urlSession, .kept(.answer).because(leftOut)).at(
            .fetch, .kept(.answer).because("A password is read up to the end of its line.")),
        field(
            "line-break-in-field", "one line", "A value holds a line break and a field more.", "X-Value",
            "a\r\nX-Injected: {content}"),
        field(
            "line-feed-in-field", "one line", "A value holds a line feed and a field more.", "X-Value",
            "a\nX-Injected: {content}"),
        AttackCase(
            "credentials/host-field", "fields of the client", "The application names another host.",
            expected: .never(.unusable)
        ) {
            $0.request.fields = [.init("Host", "other.example")]
            $0.front.script = { request, places in .text(request.field("Host") == places.front ? "hello" : "forged") }
        }.at(.urlSession, .kept(.answer).because("URLSession sets the field itself, as it does on Apple's systems.")),
        AttackCase(
            "credentials/length-field", "fields of the client", "The application names another length of the body.",
            given: {
                $0.request.method = "POST"
                $0.request.body = "{content}"
            }, expected: .never(.unusable)
        ) {
            $0.request.fields = [.init("Content-Length", "0")]
            $0.front.script = { request, _ in .text(request.body.isEmpty ? "forged" : "hello") }
        }.at(.urlSession, .kept(.answer).because("URLSession sets the field itself, as it does on Apple's systems.")),
        AttackCase(
            "credentials/in-address", "address", "The address holds a name and a password.", expected: .never(.unusable)
        ) { $0.request.address = "https://ada:secret@{front}/" },
        AttackCase(
            "credentials/challenge", "no second try", "The server asks for a password in an answer.",
            expected: .kept(front: .requests(atMost: 1), .answer)
        ) {
            $0.front.script = { _, _ in
                LabResponse.text("who?", status: 401).with("WWW-Authenticate", "Basic realm=\"x\"")
            }
        },
        AttackCase(
            "credentials/proxy-challenge", "no second try", "The server asks as if it were a proxy.",
            expected: .kept(front: .requests(atMost: 1), .answer)
        ) {
            $0.front.script = { _, _ in
                LabResponse.text("who?", status: 407).with("Proxy-Authenticate", "Basic realm=\"x\"")
            }
        },
        cookie("cookie-to-other-host", "A cookie is to go to another host.") { $0.trap?.host = "127.0.0.1" },
        cookie("cookie-to-other-port", "A cookie is to go to another port.") { _ in },
        cookie("cookie-for-domain", "A cookie is set for the domain above.", "; Domain=lab.localhost") {
            named(&$0, child, "*.lab.localhost")
            $0.trap?.host = "b.lab.localhost"
            $0.trap?.certificate.leaf.names = ["b.lab.localhost"]
        },
        cookie("cookie-over-http", "A cookie is to go over http.") {
            named(&$0, "lab.localhost", "lab.localhost")
            $0.client.transportSecurity = allowed("lab.localhost")
            $0.trap?.isSecure = false
            $0.trap?.host = "lab.localhost"
            $0.request.address = "http://{trap}/"
        },
        hop(
            "cookie-along-a-redirect", "cookies", "A server sets a cookie and leads elsewhere.", .agreed,
            .kept(trap: .withoutCanary, .answer)
        ) {
            $0.client.remembers = true
            $0.front.script = { _, places in
                LabResponse.redirect(302, to: "https://\(places.trap)/").with("Set-Cookie", "a=\(places.cookie)")
            }
        },
    ]

    /// Answers that pretend to be two, or less than one.
    static let answers: [AttackCase] = [
        answer(
            "two-answers", "one answer", "A second answer follows the first in the same connection.", [.answer], true,
            "Content-Length: 5\r\n\r\nhelloHTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged"),
        answer(
            "length-and-chunks", "one answer", "Length and chunks disagree about where the answer ends.",
            [.answer, .noAnswer], true,
            """
            Content-Length: 60\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\nHTTP/1.1 200 \
            OK\r\nContent-Length: 6\r\n\r\nforged
            """
        ),
        answer(
            "cut-body", "whole answer", "The answer is shorter than it says.", [.noAnswer], false,
            "Content-Length: 9\r\n\r\nforged"),
        answer(
            "cut-chunks", "whole answer", "The last chunk is missing.", [.noAnswer], false,
            "Transfer-Encoding: chunked\r\n\r\n6\r\nforged\r\n"),
        answer(
            "two-lengths", "one length", "The answer names two lengths.", [.noAnswer], false,
            "Content-Length: 6\r\nContent-Length: 7\r\n\r\nforged"),
        answer(
            "no-length", "one length", "The length is no number.", [.noAnswer], false,
            "Content-Length: -6\r\n\r\nforged"),
        AttackCase(
            "answers/without-tls", "TLS", "A server answers a handshake with http.",
            expected: AttackExpectation(front: .withoutCanary, endings: [.handshake, .noAnswer])
        ) {
            $0.front.isSecure = false
            $0.request.address = "https://{front}/"
            $0.request.hasCredential = false
            $0.request.fields = [.init("X-Key", "{content}")]
        }.atConnections(
            AttackExpectation(front: .withoutCanary, endings: [.credential], note: onlyOwnOrigin)),
    ]

    private static func field(
        _ id: String, _ rule: String, _ attack: String, _ name: String, _ value: String
    ) -> AttackCase {
        AttackCase("credentials/\(id)", rule, attack, expected: .never(.unusable)) {
            $0.request.fields = [.init(name, value)]
            $0.front.script = seesInjection
        }.at(.urlSession, .kept(.answer).because(leftOut))
    }

    private static let leftOut = "Foundation leaves such a field out before our protocol sees it."

    private static let seesInjection: AttackServer.Script = { request, _ in
        let isInjected = request.fields.contains { $0.name.lowercased() == "x-injected" || $0.name == "X-Value" }
        return .text(isInjected ? "forged" : "hello")
    }

    // The front server sets a cookie; the twin goes back to it, the attack to the other server.
    private static func cookie(
        _ name: String, _ attack: String, _ attributes: String = "", _ change: (inout AttackScene) -> Void
    ) -> AttackCase {
        AttackCase(
            "credentials/\(name)", "cookies", attack,
            given: {
                $0.trap = AttackServer()
                $0.client.remembers = true
                $0.front.script = setsCookie("")
                $0.steps = [.send(AttackRequest()), .send(AttackRequest("/second"))]
            }, expected: .kept(trap: .withoutCanary, .answer)
        ) {
            $0.request = elsewhere
            $0.front.script = setsCookie(attributes)
            change(&$0)
        }.atConnections(.kept(.credential).because(onlyOwnOrigin), usualTwin: true)
    }

    // Any path but the first one is answered rightly only with the cookie.
    private static func setsCookie(_ attributes: String) -> AttackServer.Script {
        { request, places in
            let hasCookie = request.path == "/" || request.field("Cookie") == "a=\(places.cookie)"
            return LabResponse.text(hasCookie ? "hello" : "forged")
                .with("Set-Cookie", "a=\(places.cookie)\(attributes)")
        }
    }

    private static func answer(
        _ name: String, _ rule: String, _ attack: String, _ endings: Set<AttackExpectation.Ending>, _ goesOn: Bool,
        _ text: String
    ) -> AttackCase {
        AttackCase(
            "answers/\(name)", rule, attack,
            given: { if goesOn { $0.steps = [.send(AttackRequest()), .send(AttackRequest("/second"))] } },
            expected: AttackExpectation(front: .anything, endings: endings)
        ) {
            $0.front.script = { request, _ in
                guard request.path == "/" else { return .text("own") }
                return LabResponse(body: .raw(Array("HTTP/1.1 200 OK\r\n\(text)".utf8)), closes: !goesOn)
            }
        }
    }
}
