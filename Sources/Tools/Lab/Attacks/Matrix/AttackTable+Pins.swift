extension AttackTable {
    /// Keys that are not the pinned ones, in certificates that are good in all else.
    static let keyPins: [AttackCase] = [
        pins("wrong-leaf", "leaf pin", "A trusted authority certified another key.", [leafPin(.front)]) {
            $0 = [leafPin(.nobody)]
        },
        pins("wrong-authority", "authority pin", "Another authority than the pinned one vouches.", [rootPin]) {
            $0 = [AttackPins(authority: [.stranger])]
        }.atConnections(.kept(.answer).because(noAuthorities)),
        pins("backup-alone", "backup pin", "The server has neither the current key nor the backup.", [leafPin(.front)])
        {
            $0 = [leafPin(.nobody, .stranger)]
        },
        pins("leaf-and-authority", "both pins", "The leaf is right and the authority is not.", [both]) {
            $0 = [AttackPins(leaf: [.front], authority: [.stranger])]
        }.atConnections(.kept(.answer).because(noAuthorities)),
        pins("authority-and-leaf", "both pins", "The authority is right and the leaf is not.", [both]) {
            $0 = [AttackPins(leaf: [.nobody], authority: [.root])]
        },
        pins("leaf-as-authority", "authority pin", "The pinned authority's key is only that of the leaf.", [rootPin]) {
            $0 = [AttackPins(authority: [.front])]
        }.atConnections(.kept(.answer).because(noAuthorities)),
        pins("expired-set", "end of pins", "The set's time is over.", [leafPin(.front)]) { $0[0].hasExpired = true }
            .atConnections(.kept(.answer).because("A connection's pins have no end.")),
        pins(
            "stranger-sent-along", "verified chain", "The pinned certificate is sent along and vouches for nothing.",
            [rootPin]
        ) {
            $0 = [AttackPins(authority: [.stranger])]
        } attacking: {
            $0.front.certificate.sendsStranger = true
        }.atConnections(.kept(.answer).because(noAuthorities)),
        renewed("same-key-other-certificate", "certificate pin", "A renewal took the certificate's place.", whole: true)
            .atConnections(.kept(.answer).because("A connection's record pins keys and no certificates.")),
        renewed(
            "man-in-the-middle", "leaf pin", "After a good visit another key of the trusted authority is there.",
            whole: false),
        listed("listed-leaf", "NSPinnedDomains", "The leaf is not the one of the Info.plist.", leafPin(.front)) {
            $0.leaf = [.nobody]
        },
        listed("listed-authority", "NSPinnedDomains", "The authority is not the one of the Info.plist.", rootPin) {
            $0.authority = [.stranger]
        }.atConnections(.kept(.answer).because(noAuthorities)),
        AttackCase(
            "pins/tightened", "each connection anew", "Pins come while a connection of before is open.",
            given: { $0.steps = [.send(AttackRequest()), .pin([leafPin(.front)]), .send(AttackRequest("/second"))] },
            expected: .kept(front: .requests(atMost: 1), .pins)
        ) { $0.steps[1] = .pin([leafPin(.nobody)]) },
    ]

    /// Hosts that a set covers, or should not leave out.
    static let pinnedHosts: [AttackCase] = [
        below(
            "all-subdomains", "subdomains", "A host two labels below a pinned one has another key.", .all, "localhost"),
        below(
            "one-label", "subdomains", "A host one label below a pinned one has another key.", .oneLabel,
            "lab.localhost"),
        below(
            "listed-subdomain", "NSPinnedDomains", "A host one label below a listed one has another key.", .oneLabel,
            "lab.localhost", listed: true),
        AttackCase(
            "pins/upper-case", "host name", "The host is written in capitals.",
            given: { $0.client.pins = [leafPin(.front)] }, expected: .refused(.pins)
        ) {
            $0.client.pins = [leafPin(.nobody)]
            $0.request.address = "https://LOCALHOST:{port}/"
        },
        AttackCase(
            "pins/identity-provider", "every host of the set", "The identity provider shows another key.",
            given: {
                twoHosts(&$0)
                $0.client.pins = [leafPin(.front), AttackPins(hosts: ["127.0.0.1"], leaf: [.trap])]
                $0.steps = [.send(AttackRequest()), .send(elsewhere)]
            }, expected: .kept(trap: .handshake, .pins)
        ) { $0.client.pins[1].leaf = [.nobody] }.atConnections(
            .kept(.credential).because(onlyOwnOrigin), usualTwin: true),
        AttackCase(
            "pins/redirect-target", "every hop", "A redirect leads to a pinned host that shows another key.",
            given: {
                twoHosts(&$0)
                $0.client.pins = [AttackPins(hosts: ["127.0.0.1"], leaf: [.trap])]
                $0.client.redirects = .agreed
                $0.front.script = { _, places in .redirect(302, to: "https://\(places.trap)/") }
            }, expected: .kept(trap: .handshake, .pins)
        ) { $0.client.pins[0].leaf = [.nobody] }.atConnections(.kept(.redirect).because(neverFollows), usualTwin: true),
    ]

    static let neverFollows = "A connection follows no redirect."
    static let onlyOwnOrigin = "A connection's credential goes to its own origin only."
    private static let noAuthorities = "A connection's record pins the server's own key and no authority."
    private static let rootPin = AttackPins(authority: [.root])
    private static let both = AttackPins(leaf: [.front], authority: [.root])

    private static func leafPin(_ keys: AttackPins.Key...) -> AttackPins { AttackPins(leaf: Set(keys)) }

    /// A request to the other server, without the credential of the first.
    static var elsewhere: AttackRequest {
        var request = AttackRequest()
        request.address = "https://{trap}/"
        request.hasCredential = false
        return request
    }

    /// A front server called `localhost` and another one called `127.0.0.1`.
    static func twoHosts(_ scene: inout AttackScene) {
        scene.trap = AttackServer()
        scene.trap?.host = "127.0.0.1"
    }

    private static func pins(
        _ name: String, _ rule: String, _ attack: String, _ right: [AttackPins], _ wrong: (inout [AttackPins]) -> Void,
        attacking: (inout AttackScene) -> Void = { _ in }
    ) -> AttackCase {
        AttackCase("pins/\(name)", rule, attack, given: { $0.client.pins = right }, expected: .refused(.pins)) {
            wrong(&$0.client.pins)
            attacking(&$0)
        }
    }

    private static func listed(
        _ name: String, _ rule: String, _ attack: String, _ right: AttackPins, _ wrong: (inout AttackPins) -> Void
    ) -> AttackCase {
        AttackCase(
            "pins/\(name)", rule, attack,
            given: {
                $0.client.pins = [right]
                $0.client.pinsAreListed = true
            }, expected: .refused(.pins)
        ) { wrong(&$0.client.pins[0]) }
    }

    private static func renewed(_ name: String, _ rule: String, _ attack: String, whole: Bool) -> AttackCase {
        AttackCase(
            "pins/\(name)", rule, attack,
            given: {
                $0.client.pins = [AttackPins(leaf: whole ? [] : [.front], isWholeCertificate: whole)]
                $0.steps = [.send(AttackRequest()), .send(AttackRequest("/second"))]
            }, expected: .kept(front: .requests(atMost: 1), .pins)
        ) { $0.steps.insert(.change(AttackCertificate()), at: 1) }
    }

    private static func below(
        _ name: String, _ rule: String, _ attack: String, _ subdomains: AttackPins.Subdomains, _ host: String,
        listed: Bool = false
    ) -> AttackCase {
        AttackCase(
            "pins/\(name)", rule, attack,
            given: {
                named(&$0, child, child)
                $0.client.pins = [AttackPins(hosts: [host], subdomains: subdomains, leaf: [.front])]
                $0.client.pinsAreListed = listed
            }, expected: .refused(.pins)
        ) { $0.client.pins[0].leaf = [.nobody] }.atConnections(
            .kept(.answer).because("A connection's pins are for its own host."))
    }
}
