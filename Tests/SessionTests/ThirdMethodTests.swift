import Pavise
import PavisePrimitives
import PaviseStorage
import PaviseTransport
import PaviseVault
import Synchronization
import TestSupport
import Testing

@testable import PaviseSession

/// A third method, whole: an access key in the field `Authorization: Token …`. Nothing of the rest was changed for it.
struct KeyMethod: AuthenticationMethod {
    static let name = ConnectionDescriptor.Method(rawValue: "token-key")
    let id = KeyMethod.name
    let strength = MethodStrength.token

    func questions(for origin: Origin) throws(WebURL.Problem) -> [HTTPRequest] {
        [HTTPRequest("GET", try WebURL("\(origin)/"))]
    }

    func offer(in answers: [MethodResult]) -> MethodOffer {
        guard case .success(let response)? = answers.first, response.status == 401 else { return .unknown }
        return response.fields.all("WWW-Authenticate").contains { $0.hasPrefix("Token") } ? .offered : .notOffered
    }

    func access(at place: MethodContext) -> any AuthorizedClient { KeyAccess(place: place) }
    func secrets(at place: MethodContext) -> [ItemName] { [place.item("token-key")] }
}

struct KeyAccess: AuthorizedClient {
    let place: MethodContext
    private var name: ItemName { place.item("token-key") }

    func signIn(key: String) throws(VaultFailure) {
        try place.vault.prepare()
        try place.vault.store(Array(key.utf8).span, as: name)
    }

    func send(_ request: HTTPRequest) async throws(SessionFailure) -> HTTPResponse {
        let credential = try credential()
        do throws(TransportFailure) { return try await place.client.send(request, with: credential) } catch {
            throw .transport(error)
        }
    }

    func stream(
        _ request: HTTPRequest, head: @escaping @Sendable (HTTPResponse) throws -> Bool,
        receive: @escaping @Sendable ([UInt8]) throws -> Void
    ) async throws(SessionFailure) -> HTTPResponse {
        let credential = try credential()
        do throws(TransportFailure) {
            return try await place.client.stream(request, with: credential, head: head, receive: receive)
        } catch {
            throw .transport(error)
        }
    }

    func signOut() async -> SignOutReport {
        do throws(VaultFailure) { try place.vault.erase(name) } catch {
            return SignOutReport(localFailure: error, revocation: .nothing)
        }
        return SignOutReport(localFailure: nil, revocation: .nothing)
    }

    private func credential() throws(SessionFailure) -> Authorization {
        let answer = Result { () throws(VaultFailure) -> SharedSecretBytes? in
            guard case .found(let key) = try place.vault.read(name) else { return nil }
            return SharedSecretBytes(key)
        }
        guard let key = try answer.mapError(SessionFailure.store).get() else { throw .signedOut }
        return Authorization(scheme: "Token", credential: key.duplicate(), origin: place.descriptor.origin)
    }
}

@Suite struct ThirdMethodTests {
    private let folder: TemporaryFolder
    private let memory = MemoryStore()
    private let key = MemoryKey()
    private let server = ScriptedServer()
    private let origin = Origin(scheme: .https, host: "cloud.example", port: 443)

    init() throws { folder = try TemporaryFolder() }

    private func connections(_ methods: Methods) -> Connections {
        Connections(
            home: PaviseHome(path: folder.path), methods: methods, makeClient: { [server] _ in server.client },
            makeVault: { [memory, key] _ in TokenVault(store: memory, key: key) })
    }

    @Test func `a method of an app's own signs in, sends, and leaves nothing behind`() async throws {
        let connections = connections(Methods([TokenMethod.openIDConnect, KeyMethod()]))
        let made = try connections.add("own", origin: origin, method: KeyMethod.name)
        try #require(made.access as? KeyAccess).signIn(key: "at-0")
        let connection = try connections.open("own")
        #expect(try await connection.send(HTTPRequest("GET", connection.url("/"))).status == 200)
        #expect(server.state.withLock { $0.bearers } == ["at-0"])
        #expect(try await connections.remove("own").localFailures.isEmpty)
        #expect(memory.left.isEmpty)
    }

    @Test func `a connection of a method that the app has not any more opens nothing and can be removed`() async throws
    {
        _ = try connections(Methods([KeyMethod()])).add("own", origin: origin, method: KeyMethod.name)
        let others = connections(.standard)
        #expect(throws: ConnectionFailure.method(.unknown(KeyMethod.name))) { try others.open("own") }
        #expect(try others.list().count == 1)
        _ = try await others.remove("own")
        #expect(try others.list().isEmpty)
    }

    @Test func `a password connection opens only where passwords are allowed`() throws {
        _ = try connections(Methods.standard.withPasswords(at: .only([origin]))).add(
            "nas", origin: origin, method: .basic)
        #expect(throws: ConnectionFailure.method(.unknown(.basic))) { try connections(.standard).open("nas") }
        let elsewhere = Methods.standard.withPasswords(
            at: .only([Origin(scheme: .https, host: "b.example", port: 443)]))
        #expect(throws: ConnectionFailure.method(.notAllowedHere(.basic, origin))) {
            try connections(elsewhere).open("nas")
        }
    }
}
