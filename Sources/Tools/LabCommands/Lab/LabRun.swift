internal import Foundation
internal import PaviseArguments
internal import PaviseCommands
internal import PaviseLab
internal import PavisePrimitives
internal import SecurityFramework

/// What a lab command starts, and what it tells about it.
protocol LabScene: Sendable {
    /// Starts the servers, certified by `authority`.
    func start(_ authority: CertificateAuthority) throws -> any LabShow
}

/// Servers that run.
protocol LabShow: Sendable {
    /// What to know about them.
    func opening(anchors: String) -> Report
    /// Looks after them until the task is cancelled.
    func watch(_ environment: Environment) async
    /// What they saw.
    func closing() -> Report
    /// Ends them.
    func stop()
}

extension LabShow {
    /// Nothing to look after.
    func watch(_ environment: Environment) async {}
}

/// One run of a lab command: start, tell, wait, tell, end.
struct LabRun: Sendable {
    private let environment: Environment
    private let asJSON: Bool
    private let anchors: String?

    init(_ invocation: Invocation, _ environment: Environment) {
        self.environment = environment
        asJSON = invocation[Shared.json]
        anchors = invocation[LabOptions.anchors]
    }

    func play(_ scene: some LabScene) async throws {
        if let anchors { try checkAnchors(anchors) }
        do throws(LabFailure) {
            let authority = try CertificateAuthority(name: Self.root)
            try await play(scene, authority)
        } catch {
            throw CommandFailure(.failed, "The servers could not be started: \(Printable.text("\(error)")).")
        }
    }

    private static let root = "Pavise Lab Root"

    // It is written over, and gone at the end: a file of somebody else's stays. That of a run that was killed may go.
    private func checkAnchors(_ path: String) throws {
        guard let bytes = try DurableFile.readIfPresent(path, limit: 1 << 20) else { return }
        guard KeyFile.entries(bytes).map(\.facts?.commonName) == [Self.root] else {
            throw CommandFailure(
                .usage,
                "“\(path)” is there, and holds no authority of the lab. It was not changed; choose another --anchors.")
        }
    }

    private func play(_ scene: some LabScene, _ authority: CertificateAuthority) async throws(LabFailure) {
        let path = anchors ?? FileManager.default.temporaryDirectory.path + "/pavise-lab-\(UUID().uuidString).pem"
        do {
            try environment.listen()
            try DurableFile.write(Array(authority.anchorPEM.utf8).span, to: path)
            defer { try? FileManager.default.removeItem(atPath: path) }
            let show = try scene.start(authority)
            defer { show.stop() }
            try tell(show.opening(anchors: path))
            let watching = Task { [environment] in await show.watch(environment) }
            defer { watching.cancel() }
            try await environment.stop()
            try tell(show.closing())
        } catch let failure as LabFailure {
            throw failure
        } catch {
            throw .request("\(error)")
        }
    }

    // Two answers of one run: as JSON, one line each.
    private func tell(_ report: Report) throws(SystemFailure) {
        guard asJSON else { return try environment.console.show(report) }
        try environment.console.show(text: report.data.text + "\n")
    }
}
