import Foundation
import PaviseLab
import PavisePrimitives
import PaviseProtectedStorage
import PaviseSession
import PaviseStorage
import PaviseTransport
import SecurityFramework
import Synchronization
import TestSupport

@testable import PaviseSync

/// A home with a container, a folder of files, and the lab's DAV server behind real TLS.
final class SyncStage: Sendable {
    let folder: TemporaryFolder
    let server: DAVServer
    let lab: LabServer
    let client: LabClient
    let time = Mutex<Int64>(1_900_000_000_000)
    private let partLimit: Int
    private let chunkSize: Int
    var place: String { folder.path + "/files" }
    var home: PaviseHome { PaviseHome(path: folder.path + "/home") }

    init(
        root: String = "/dav", partLimit: Int = 4 << 20, chunkSize: Int = 10 << 20,
        wait: @escaping @Sendable (Int64) -> Void = DAVServer.pause
    ) throws {
        (self.partLimit, self.chunkSize) = (partLimit, chunkSize)
        folder = try TemporaryFolder()
        server = DAVServer(root: root, wait: wait)
        let certificates = try CertificateAuthority()
        lab = try LabServer.start(try certificates.issue(), handler: server.answer)
        var policy = TrustPolicy()
        policy.anchors = .only([certificates.anchor])
        client = LabClient(try HTTPClient(policy: policy))
        try FileManager.default.createDirectory(atPath: folder.path + "/files", withIntermediateDirectories: true)
        try DurableFile.makeDirectory(folder.path + "/home")
    }

    var address: WebURL { get throws { try WebURL("https://localhost:\(lab.port)\(server.root)/") } }

    func journal(_ name: String = "one") throws -> ProtectedJournal {
        try Self.journal(name, home, partLimit: partLimit, milliseconds: { [self] in time.withLock { $0 } })
    }

    static func journal(
        _ name: String, _ home: PaviseHome, partLimit: Int = 4 << 20,
        milliseconds: @escaping @Sendable () -> Int64 = { 1_900_000_000_000 }
    ) throws -> ProtectedJournal {
        try SecurityEnvironment.$override.withValue(SecurityEnvironment(home: home)) {
            try ProtectedJournal.open(
                name, in: try ProtectedContainer.open("sync", in: home), lock: home.path + "/sync-\(name).lock",
                partLimit: partLimit,
                time: TimeSource(wall: milliseconds, boot: milliseconds, epoch: { "test" }))
        }
    }

    func remote(owner: String? = nil, notes: (any RemoteNotes)? = nil) async throws -> WebDAVRemote {
        try await WebDAVRemote.open(
            try address, client: client, owner: owner, chunkSize: chunkSize, notes: notes, sleep: { _ in })
    }

    /// With this stage's home as the program's.
    func inHome(_ body: () async throws -> Void) async rethrows {
        try await SecurityEnvironment.$override.withValue(SecurityEnvironment(home: home), operation: body)
    }

    /// The same for a body that waits for nothing.
    func inHome(_ body: () throws -> Void) rethrows {
        try SecurityEnvironment.$override.withValue(SecurityEnvironment(home: home), operation: body)
    }

    /// Folder, journal and server put together, as for the account whose container has this name.
    func sync(
        _ folder: String? = nil, isSealed: Bool = false, of account: String = "sync", isBeside: Bool = false
    ) throws -> FolderSync {
        try FolderSync(
            folder ?? place, isSealed: isSealed, with: .webDAV(try address, client),
            container: try ProtectedContainer.open(account, in: home), device: "test", home: home,
            isBeside: isBeside)
    }

    /// One run of an engine of its own, as a process of its own would do it.
    @discardableResult
    func run(
        _ approved: Set<SyncReport.Question> = [], _ remote: (any SyncRemote)? = nil, device: String = "test",
        through wrap: (ProtectedJournal) -> any SyncJournal = { $0 }
    ) async throws -> SyncReport {
        try await SecurityEnvironment.$override.withValue(SecurityEnvironment(home: home)) {
            let journal = try journal()
            let chosen: any SyncRemote
            if let remote { chosen = remote } else { chosen = try await self.remote() }
            let engine = SyncEngine(
                folder: try PlainFolder(place, marker: "stage", mayMark: true), remote: chosen, journal: wrap(journal),
                device: device, milliseconds: { 1_900_000_000_000 })
            return await engine.run(approving: approved)
        }
    }

    func write(_ path: String, _ text: String) throws {
        let file = place + "/" + path
        try FileManager.default.createDirectory(
            atPath: DurableFile.directory(of: file), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(fileURLWithPath: file))
    }

    func text(_ path: String) -> String? { try? String(contentsOfFile: place + "/" + path, encoding: .utf8) }

    /// The local files, by path.
    var files: [String: [UInt8]] { Self.files(place) }

    /// Whether all of these contents are in the folder.
    func has(_ contents: Set<[UInt8]>) -> Bool { contents.isSubset(of: files.values) }

    static func files(_ place: String) -> [String: [UInt8]] {
        var found: [String: [UInt8]] = [:]
        for case let name as String in FileManager.default.enumerator(atPath: place) ?? .init() {
            guard (try? FileFacts(of: place + "/" + name))?.kind == .file, name != ".pavise-sync" else { continue }
            found[name] = (try? Data(contentsOf: URL(fileURLWithPath: place + "/" + name))).map { [UInt8]($0) }
        }
        return found
    }

    /// How many contents have begun to arrive and have not ended.
    func arriving() throws -> Int {
        try SecurityEnvironment.$override.withValue(SecurityEnvironment(home: home)) {
            try journal().read { access in try access.value("SELECT COUNT(*) FROM arrival") ?? 0 }
        }
    }

    /// Whether each content is on the server, in the folder, or kept in the store.
    func has(_ text: String) async throws -> Bool {
        let bytes = Array(text.utf8)
        if server.files.values.contains(bytes) || files.values.contains(bytes) { return true }
        return try await SecurityEnvironment.$override.withValue(SecurityEnvironment(home: home)) {
            try await journal().content(ContentDigest(of: bytes))?.bytes() == bytes
        }
    }
}

/// The connection's client without a sign-in: a fixed token, real TLS.
struct LabClient: AuthorizedClient {
    let client: HTTPClient
    init(_ client: HTTPClient) { self.client = client }

    private func authorization(_ request: HTTPRequest) -> Authorization {
        Authorization(
            scheme: "Bearer", credential: SecretBytes(copying: Array("canary-token-7f3a".utf8).span),
            origin: request.url.origin)
    }

    func send(_ request: HTTPRequest) async throws(SessionFailure) -> HTTPResponse {
        do throws(TransportFailure) { return try await client.send(request, with: authorization(request)) } catch {
            throw .transport(error)
        }
    }

    func stream(
        _ request: HTTPRequest, head: @escaping @Sendable (HTTPResponse) throws -> Bool,
        receive: @escaping @Sendable ([UInt8]) throws -> Void
    ) async throws(SessionFailure) -> HTTPResponse {
        do throws(TransportFailure) {
            return try await client.stream(request, with: authorization(request), head: head, receive: receive)
        } catch {
            throw .transport(error)
        }
    }

    func signOut() async -> SignOutReport { SignOutReport(localFailure: nil, revocation: .nothing) }
}

extension SyncStage {
    /// Gives a file the time that the journal has of it: `touch -d` with all nanoseconds.
    static func setTime(of file: String, like stage: SyncStage, _ time: Date?) throws -> Bool {
        let records = try SecurityEnvironment.$override.withValue(SecurityEnvironment(home: stage.home)) {
            let journal = try stage.journal()
            return try journal.read { access in
                try access.rows("SELECT * FROM base").map { try JournalRow.base($0).1 }
            }
        }
        let name = String(file.split(separator: "/").last ?? "")
        guard let nanoseconds = records.first(where: { $0.item.name.text == name })?.status?.modified else {
            return false
        }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/touch")
        let rest = String(1_000_000_000 + nanoseconds % 1_000_000_000).dropFirst()
        process.arguments = ["-m", "-d", "@\(nanoseconds / 1_000_000_000).\(rest)", file]
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}
