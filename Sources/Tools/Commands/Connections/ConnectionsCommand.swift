internal import Pavise
internal import PaviseArguments
internal import PavisePrimitives
internal import PaviseStorage

/// `pavise connections`: what there is, damaged connections included.
enum ConnectionsCommand {
    static let action = Action(
        Command(
            "connections", abstract: "List the connections.",
            discussion: """
                Nothing is sent or changed. The names and servers are authenticated: what somebody changed on the disk \
                is listed as damaged, with what it says now in brackets, and is not used. A connection that another \
                program made is listed with that program's name; sign out there.
                """,
            parameters: [Shared.json],
            examples: [.init("pavise connections --json", "Give all connections to a program.")])
    ) { invocation, environment in
        var rows: [Row] = []
        for row in try environment.connections.list() { rows.append(await Row(row, in: environment.connections)) }
        var report = Report(data: .fields(["connections": .array(rows.map(\.data))]))
        report.add(
            rows.isEmpty
                ? .line("There are no connections. “pavise connect URL” makes one.")
                : .table([["NAME", "SERVER", "METHOD", "STATE"]] + rows.map(\.cells)))
        try environment.show(report, for: invocation)
    }

    private struct Row {
        let cells: [String]
        let data: JSONValue

        init(_ row: Connections.Row, in connections: Connections) async {
            switch row.descriptor {
            case .success(let descriptor):
                let (state, isBound) = await Self.state(of: descriptor, in: connections)
                cells = [descriptor.name, "\(descriptor.origin)", descriptor.method.rawValue, state]
                data = .fields([
                    "name": .string(descriptor.name), "id": .string(descriptor.id.text),
                    "origin": .string("\(descriptor.origin)"), "method": .string(descriptor.method.rawValue),
                    "issuer": descriptor.issuer.map { .string($0) }, "state": .string(state),
                    "bound": isBound.map { .bool($0) },
                ])
            case .failure(let problem):
                let claim = row.unproven.map { "(\($0.name), \($0.origin))" } ?? "-"
                cells = [row.id.text, claim, "-", problem.words]
                var damage: String?
                if case .damaged(let kind) = problem { damage = kind.words }
                var owner: String?
                if case .otherProgram(let name) = problem { owner = name }
                data = .fields([
                    "id": .string(row.id.text), "state": .string(problem.state), "damage": damage.map { .string($0) },
                    "owner": owner.map { .string(Printable.text($0)) },
                    "unprovenName": row.unproven.map { .string($0.name) },
                    "unprovenOrigin": row.unproven.map { .string("\($0.origin)") },
                ])
            }
        }

        // Whether the tokens are bound to a key of this device is said where there are any.
        private static func state(
            of descriptor: ConnectionDescriptor, in connections: Connections
        ) async -> (words: String, isBound: Bool?) {
            guard descriptor.method != .basic else { return ("stored", nil) }
            guard let session = try? connections.open(descriptor.name).session else { return ("unknown", nil) }
            return (await session.listedState.words, await session.isBound)
        }
    }
}

extension SessionState {
    /// The state in a word or two.
    var words: String {
        switch self {
        case .unknown: "unknown"
        case .locked: "locked"
        case .signedOut: "signed out"
        case .active, .refreshing: "signed in"
        case .degraded: "signed in, in trouble"
        case .reloginNeeded: "sign-in needed"
        }
    }
}

extension ConnectionProblem {
    /// The state in a word.
    var state: String {
        switch self {
        case .damaged: "damaged"
        case .otherProgram: "another program's"
        case .keychain(.locked): "locked"
        case .keychain: "unknown"
        }
    }

    /// The state, as a person reads it in the list.
    var words: String {
        switch self {
        case .damaged(let damage): "damaged: \(damage.words)"
        case .otherProgram(let owner?): "made by “\(Printable.text(owner))”"
        case .otherProgram(nil): "made by another program"
        case .keychain(.locked): "locked"
        case .keychain: "unknown: the keychain does not answer"
        }
    }
}

extension ConnectionFileDamage {
    /// What is wrong with a file, as the end of a sentence that begins with “it”.
    var words: String {
        switch self {
        case .altered: "was changed by somebody else than Pavise"
        case .olderCopy: "is an older copy that was put back"
        case .missing: "is gone"
        case .olderKeychain: "is newer than the keychain: an older keychain was put back"
        }
    }
}

extension DescriptorDamage {
    /// What is wrong, as the end of a sentence.
    var words: String {
        switch self {
        case .missing: "its description is missing"
        case .file(let damage): "its description \(damage.words)"
        case .withoutKey: "the keychain does not have its key: another keychain was put in place"
        case .unreadable: "its description cannot be read"
        case .newer(let version): "its description is of a later version (\(version)) of Pavise"
        case .otherFolder: "its description belongs to another connection"
        case .impossible: "its description names what no connection can have"
        case .system(let failure): failure.description
        }
    }
}
