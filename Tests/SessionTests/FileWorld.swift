import Foundation
import Pavise
import PavisePrimitives
import PaviseStorage
import PaviseTransport
import PaviseVault
import Synchronization
import TestSupport
import Testing

@testable import PaviseSession

/// A home with connections that send passwords, and a hand in its files.
final class FileWorld: Sendable {
    static let good = Origin(scheme: .https, host: "cloud.example", port: 443)
    static let evil = Origin(scheme: .https, host: "evil.example", port: 443)
    static var evilObject: [String: Any] { ["host": evil.host, "port": 443, "scheme": "https"] }
    let folder: TemporaryFolder
    let memory = MemoryStore()
    let key = MemoryKey()
    let server = ScriptedServer()
    private let names = Mutex<[String: String]>([:])
    var home: PaviseHome { PaviseHome(path: folder.path + "/home") }
    var vault: TokenVault { TokenVault(store: memory, key: key) }

    init() throws { folder = try TemporaryFolder() }

    /// How many requests went out with a password.
    var sent: Int { server.state.withLock { $0.bearers.count } }

    func connections(_ vault: TokenVault? = nil) -> Connections {
        let vault = vault ?? self.vault
        return Connections(
            home: home, methods: .standard.withPasswords(at: .only([Self.good, Self.evil])),
            makeClient: { [server] _ in server.client }, makeVault: { _ in vault })
    }

    /// The folder of the connections, for who marks them by hand.
    var marks: ConnectionsFolder { ConnectionsFolder(home: home) { [vault] _ in vault } }

    @discardableResult
    func add(_ name: String, origin: Origin = FileWorld.good) throws -> Connection {
        let descriptor = ConnectionDescriptor(
            id: try .random(), name: name, origin: origin, method: .basic, issuer: "https://id.example", clientID: "c",
            scopes: ["one"], created: 1_700_000_000)
        var strongest = descriptor
        strongest.strongest = .oauth
        let connection = try connections().add(strongest, servers: try ServerTrustRecord().encoded())
        names.withLock { $0[name] = connection.descriptor.id.text }
        try connection.store(user: "ann", password: SecretBytes(utf8: "secret"))
        return connection
    }

    /// A connection as an older Pavise left it: plain files, a password without an origin.
    func addOld(_ name: String, more: String = "", secret: Bool = true) throws {
        let id = try ConnectionID.random()
        names.withLock { $0[name] = id.text }
        try DurableFile.makeDirectory("\(home.connections)/\(id)")
        let text = """
            {"approvals":[\(more)],"created":1700000000,"id":"\(id)","method":"basic","name":"\(name)",
            "origin":{"host":"cloud.example","port":443,"scheme":"https"},"pins":[],"redirectPort":0,"scopes":["openid"],"version":1}
            """
        try write(Array(text.utf8), to: .description, of: name)
        try write(Array(#"{"approvals":[],"entries":[],"version":1}"#.utf8), to: .servers, of: name)
        guard secret else { return }
        try boundVault(name).prepare()
        try boundVault(name).store(Array("ann:secret".utf8).span, as: .password(of: id))
    }

    func fetch(_ name: String) async throws {
        let connection = try connections().open(name)
        _ = try await connection.send(HTTPRequest("GET", connection.url("/")))
    }

    /// The folder's name of the connection that was added as `name`.
    func id(_ name: String) throws -> String { try #require(names.withLock { $0[name] }) }

    func boundVault(_ name: String) throws -> TokenVault {
        vault.bound(to: InstallationBinding(folder: "\(home.connections)/\(try id(name))"))
    }

    func path(_ file: ConnectionFile, of name: String) throws -> String {
        "\(home.connections)/\(try id(name))/\(file.rawValue)"
    }

    func bytes(_ file: ConnectionFile, of name: String) throws -> [UInt8] {
        try DurableFile.read(path(file, of: name), limit: 1 << 20)
    }

    func write(_ bytes: [UInt8], to file: ConnectionFile, of name: String) throws {
        try DurableFile.write(bytes.span, to: path(file, of: name))
    }

    func object(_ file: ConnectionFile, of name: String) throws -> [String: Any] {
        let data = Data(try bytes(file, of: name))
        return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    /// Writes an object with `mac` first, as the form has it.
    func write(_ object: [String: Any], to file: ConnectionFile, of name: String) throws {
        var object = object
        let mac = object.removeValue(forKey: "mac") as? String
        let generation = object.removeValue(forKey: "generation")
        var text = String(decoding: try JSONSerialization.data(withJSONObject: object), as: UTF8.self)
        if let generation { text = "{\"generation\":\(generation)," + text.dropFirst() }
        if let mac { text = "{\"mac\":\"\(mac)\"," + text.dropFirst() }
        try write(Array(text.utf8), to: file, of: name)
    }

    /// Every way to change one member of an object, its code and its number included.
    func changes(of object: [String: Any]) -> [(name: String, object: [String: Any])] {
        var all: [(String, [String: Any])] = []
        for (name, value) in object {
            var changed = object
            changed[name] = Self.other(than: value)
            all.append(("\(name) changed", changed))
            changed[name] = nil
            // Without its code the file is not in the form at all: a test of its own.
            if name != "mac" { all.append(("\(name) removed", changed)) }
        }
        var more = object
        more["extra"] = 1
        all.append(("one more", more))
        return all
    }

    private static func other(than value: Any) -> Any {
        switch value {
        case let number as Int: number + 1
        case let text as String: String(text.reversed()) + "0"
        case let list as [Any]: list + ["more"]
        case let origin as [String: Any]: origin.merging(["host": evil.host]) { $1 }
        default: "else"
        }
    }

    func problem(_ name: String) -> ConnectionProblem? {
        guard let rows = try? connections().list(), let id = try? id(name),
            let row = rows.first(where: { $0.id.text == id }), case .failure(let problem) = row.descriptor
        else { return nil }
        return problem
    }

    func expectStopped(
        _ name: String, because problem: ConnectionProblem, _ what: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        #expect(self.problem(name) == problem, "\(what)", sourceLocation: sourceLocation)
        for text in [name, try id(name)] {
            #expect(throws: ConnectionFailure.self, "\(what)", sourceLocation: sourceLocation) {
                try connections().open(text)
            }
        }
        #expect(sent == 0, "\(what)", sourceLocation: sourceLocation)
    }

    /// Every file below the home, with its content.
    func snapshot() throws -> [String: Data] {
        let names = FileManager.default.enumerator(atPath: home.path)?.compactMap { $0 as? String } ?? []
        return names.reduce(into: [:]) { found, name in
            found[name] = FileManager.default.contents(atPath: home.path + "/" + name)
        }
    }
}
