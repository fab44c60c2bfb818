internal import Pavise
internal import PaviseArguments
internal import PavisePrimitives

/// `pavise connections`: what there is, damaged connections included.
enum ConnectionsCommand {
    static let action = Action(
        Command(
            "connections", abstract: "List the connections.",
            discussion: "Nothing is sent. A connection whose description is damaged is listed by its identifier.",
            parameters: [Shared.json],
            examples: [.init("pavise connections --json", "Give all connections to a program.")])
    ) { invocation, environment in
        try environment.connections.finishRemovals()
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
            case .failure(let damage):
                cells = [row.id.text, "-", "-", "damaged: \(damage.words)"]
                data = .fields(["id": .string(row.id.text), "state": "damaged", "damage": .string(damage.words)])
            }
        }

        // Whether the tokens are bound to a key of this device is said where there are any.
        private static func state(
            of descriptor: ConnectionDescriptor, in connections: Connections
        ) async -> (words: String, isBound: Bool?) {
            guard descriptor.method != .basic else { return ("stored", nil) }
            guard let session = try? connections.open(descriptor.name).session else { return ("unknown", nil) }
            return (await session.state.words, await session.isBound)
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

extension DescriptorDamage {
    /// What is wrong, as the end of a sentence.
    var words: String {
        switch self {
        case .missing: "its description is missing"
        case .unreadable: "its description cannot be read"
        case .newer(let version): "its description is of a later version (\(version)) of Pavise"
        case .otherFolder: "its description belongs to another connection"
        case .impossible: "its description names what no connection can have"
        case .system(let failure): failure.description
        }
    }
}
