internal import PaviseCommands
internal import PaviseLab
internal import PavisePrimitives

/// `pavise-lab servers`: a good server, and those that a careful app refuses.
struct LabServersScene: LabScene {
    func start(_ authority: CertificateAuthority) throws -> any LabShow {
        var rows = [
            try LabRow(
                "good", "a good server", isHonest: true, LabServer.start(authority.issue()) { _ in .text("welcome") })
        ]
        for weakness in WeakServer.allCases {
            rows.append(LabRow(weakness.rawValue, weakness.words, isHonest: false, try weakness.start(authority)))
        }
        return LabRows(rows: rows)
    }
}

/// `pavise-lab mitm`: a server, and those that pretend to be it.
struct LabMiddleScene: LabScene {
    func start(_ authority: CertificateAuthority) throws -> any LabShow {
        let identity = try authority.issue()
        var rows = [
            LabRow(
                "honest", "the true server, SPKI SHA-256 \(identity.pin)", isHonest: true,
                try LabServer.start(identity) { _ in .text("welcome") })
        ]
        for middle in ManInTheMiddle.allCases {
            let server = try LabServer.start(try middle.identity(against: authority)) { _ in .text("welcome") }
            rows.append(LabRow(middle.rawValue, middle.words, isHonest: false, server))
        }
        return LabRows(rows: rows, pin: identity.pin)
    }
}

extension ManInTheMiddle {
    /// What the impostor has, in a few words.
    fileprivate var words: String {
        switch self {
        case .trustedAuthority: "another key under the same authority: only a pin tells"
        case .namesakeAuthority: "an authority of the same name: the chain tells"
        }
    }
}

/// One server of a scene.
struct LabRow: Sendable {
    let name: String
    let words: String
    let isHonest: Bool
    let server: LabServer

    init(_ name: String, _ words: String, isHonest: Bool, _ server: LabServer) {
        self.name = name
        self.words = words
        self.isHonest = isHonest
        self.server = server
    }
}

/// Servers in a table.
struct LabRows: LabShow {
    let rows: [LabRow]
    var pin: String?

    func opening(anchors: String) -> Report {
        let servers = rows.map { row in
            JSONValue.fields([
                "name": .string(row.name), "address": .string(row.server.address("/")), "what": .string(row.words),
            ])
        }
        var report = Report(
            data: .fields([
                "anchors": .string(anchors), "pin": pin.map { .string($0) }, "servers": .array(servers),
            ]))
        report.add(.table([["NAME", "ADDRESS", "WHAT"]] + rows.map { [$0.name, $0.server.address("/"), $0.words] }))
        report.add(.fact(.init("anchors", "Anchors", anchors)))
        report.add(.line("Ctrl-C ends them, and tells how much each of them got."))
        return report
    }

    func closing() -> Report {
        let data = rows.map { row in
            let seen = row.server.counters
            return JSONValue.fields([
                "name": .string(row.name), "connections": .integer(seen.connections),
                "handshakes": .integer(seen.handshakes), "bytes": .integer(seen.applicationBytes),
            ])
        }
        var report = Report(data: .fields(["servers": .array(data)]))
        report.add(
            .table(
                [["NAME", "CONNECTIONS", "HANDSHAKES", "BYTES OF REQUESTS"]]
                    + rows.map { row in
                        let seen = row.server.counters
                        return [
                            row.name, "\(seen.connections)", "\(seen.handshakes)", "\(seen.applicationBytes)",
                        ]
                    }))
        let fooled = rows.filter { !$0.isHonest && $0.server.counters.applicationBytes > 0 }.map(\.name)
        report.add(
            fooled.isEmpty
                ? .success("None of the bad ones got a byte of a request.")
                : .failure("Requests went to: \(fooled.joined(separator: ", "))."))
        return report
    }

    func stop() { for row in rows { row.server.stop() } }
}
