/// One case of x509-limbo's schema, version 1: what is presented, what is trusted, and the published verdict.
struct LimboCase {
    /// Two ways to ask: for a server, or for a client.
    enum Kind: String { case server = "SERVER", client = "CLIENT" }

    var id = ""
    var features: [String] = []
    var kind = Kind.server
    /// PEM.
    var anchors: [[UInt8]] = []
    /// PEM, in no useful order.
    var others: [[UInt8]] = []
    /// PEM.
    var leaf: [UInt8] = []
    /// RFC 3339; `nil` means now.
    var time: String?
    /// The server's name or address.
    var host: String?
    /// The names that the client's certificate must hold: kind and text.
    var peers: [(kind: String, value: String)] = []
    var maximumDepth: Int?
    /// PEM.
    var revocationLists: [[UInt8]] = []
    var isToBeAccepted = false

    /// Reads the case that begins here.
    init(_ reader: inout LimboReader) throws(LimboFailure) {
        var read = Self()
        try reader.object { name, reader throws(LimboFailure) in try read.member(name, &reader) }
        self = read
    }

    private init() {}

    private mutating func member(_ name: String, _ reader: inout LimboReader) throws(LimboFailure) {
        switch name {
        case "id": id = try reader.text() ?? ""
        case "features": features = try reader.strings().map { String(decoding: $0, as: UTF8.self) }
        case "validation_kind": kind = Kind(rawValue: try reader.text() ?? "") ?? .server
        case "trusted_certs": anchors = try reader.strings()
        case "untrusted_intermediates": others = try reader.strings()
        case "peer_certificate": leaf = try reader.string()
        case "validation_time": time = try reader.text()
        case "expected_result": isToBeAccepted = try reader.text() == "SUCCESS"
        case "max_chain_depth": maximumDepth = try reader.number()
        case "crls": revocationLists = try reader.strings()
        case "expected_peer_name": host = try Self.peer(&reader)?.value
        case "expected_peer_names":
            try reader.array { reader throws(LimboFailure) in
                if let peer = try Self.peer(&reader) { peers.append(peer) }
            }
        default: try reader.skip()
        }
    }

    private static func peer(_ reader: inout LimboReader) throws(LimboFailure) -> (kind: String, value: String)? {
        guard try reader.next() == UInt8(ascii: "{") else {
            try reader.skip()
            return nil
        }
        var peer = (kind: "", value: "")
        try reader.object { name, reader throws(LimboFailure) in
            switch name {
            case "kind": peer.kind = try reader.text() ?? ""
            case "value": peer.value = try reader.text() ?? ""
            default: try reader.skip()
            }
        }
        return peer
    }
}
