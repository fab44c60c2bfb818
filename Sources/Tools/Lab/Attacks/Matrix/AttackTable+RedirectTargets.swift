extension AttackTable {
    /// Addresses that two parsers could read in two ways, and other words that lead elsewhere.
    static let redirectTargets: [AttackCase] = [
        target("user-and-host", "The true host stands before an @.", "https://localhost:{port}@{trap}/"),
        target("user", "The address holds a name and a password.", "https://ada:secret@{front}/there"),
        target(
            "backslash", "A backslash stands where a slash ends the host for others.", #"https://{trap}\@{front}/there"#
        ),
        target("without-scheme", "The address begins with two slashes.", "//{trap}/"),
        target("file", "The address names a file.", "file:///etc/hostname"),
        target("script", "The address is a script.", "javascript:location"),
        target("ftp", "The address is of another protocol.", "ftp://{trap}/"),
        target("letters", "The host is written with letters that look alike.", "https://\u{24DB}ocalhost:{port}/there"),
        target("number", "The host is a number.", "https://2130706433:{port}/there"),
        target("blank", "A blank stands in the host.", "https://local host:{port}/there"),
        target("no-location", "There is no address.", nil),
        word("two-locations", "There are two addresses.", 302) {
            [.init("Location", "/there"), .init("Location", "https://\($0.trap)/")]
        },
        word("refresh", "Another field asks for another server.", 200) {
            [.init("Refresh", "0; url=https://\($0.trap)/")]
        },
        word("link", "A link wants to be loaded in advance.", 200) {
            [.init("Link", "<https://\($0.trap)/>; rel=preload")]
        },
        AttackCase(
            "redirects/other-service", "alternative services",
            "An answer names another server for the next request (RFC 7838).",
            given: {
                twoHosts(&$0)
                $0.steps = [.send(AttackRequest()), .send(AttackRequest("/second"))]
            }, expected: .kept(.answer)
        ) {
            $0.front.script = { _, places in
                LabResponse.text("hello").with("Alt-Svc", "http/1.1=\"\(places.trap)\"; ma=1000, h2=\"\(places.trap)\"")
            }
        },
    ]

    private static func target(_ name: String, _ attack: String, _ location: String?) -> AttackCase {
        word("target-\(name)", attack, 302) { places in location.map { [.init("Location", places.filled($0))] } ?? [] }
    }

    private static func word(
        _ name: String, _ attack: String, _ status: Int,
        _ fields: @escaping @Sendable (AttackURLs) -> [LabRequest.Field]
    ) -> AttackCase {
        let expected: AttackExpectation =
            status == 200 ? .kept(.answer) : .kept(front: .requests(atMost: 1), .redirect, .noAnswer)
        let made = hop(name, "one reading", attack, .sameOrigin, expected) {
            $0.front.script = { request, places in
                guard request.path == "/" else { return .text("there") }
                var answer = LabResponse.text("hello", status: status)
                answer.fields += fields(places)
                return answer
            }
        }
        return status == 200 ? made.atConnections(expected.because(neverFollows), usualTwin: true) : made
    }
}
