import PaviseLab
import PavisePrimitives
import Testing

/// Many clients at once, and certificates that change under them: what the sanitizers look at.
@Suite(.serialized) struct LoadTests {
    @Test func `three hundred clients are served while the certificate changes`() async throws {
        let authority = try CertificateAuthority()
        let server = try LabServer.start(try authority.issue()) { .text($0.path) }
        let identities = try (0..<4).map { _ in try authority.issue() }
        let good = try await withThrowingTaskGroup(of: Int.self) { group in
            for worker in 0..<10 {
                group.addTask {
                    try await WorkerThread.run {
                        (0..<30).count {
                            (try? RawClient().get("/\(worker)/\($0)", from: server).body) == "/\(worker)/\($0)"
                        }
                    }
                }
            }
            for _ in 0..<20 {
                for identity in identities { try server.use(identity) }
            }
            return try await group.reduce(0, +)
        }
        #expect(good == 300)
        #expect(server.counters.requests == 300)
        #expect(server.counters.handshakes == 300)
    }

    @Test func `fifty refreshes of one token at once: one wins, the family ends`() async throws {
        let authority = try LabAuthority.start(try CertificateAuthority().issue())
        let client = AuthorityClient(authority: authority)
        let refresh = try #require(try client.signIn().refresh)
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<50 {
                group.addTask { try await WorkerThread.run { (try? client.refresh(refresh).status) ?? 0 } }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.count { $0 == 200 } == 1)
        #expect(statuses.count { $0 == 400 } == 49)
        #expect(authority.counters.rotations == 1)
        #expect(authority.counters.reuseDetections == 1)
        #expect(authority.counters.revokedFamilies == 1)
    }

    @Test(.enabled(if: DurableFile.exists("/proc/self/fd"), "counts descriptors through /proc"))
    func `starting and stopping leaves no socket`() throws {
        let before = try Folder.entries(of: "/proc/self/fd").count
        for _ in 0..<100 {
            let server = try LabServer.start(nil) { _ in .silence }
            _ = try TCPStream.connect(port: server.port).number
            server.stop()
        }
        let after = try Folder.entries(of: "/proc/self/fd").count
        #expect(after < before + 100)
    }
}
