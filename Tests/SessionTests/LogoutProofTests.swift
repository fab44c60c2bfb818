import Foundation
import Pavise
import PaviseLab
import PavisePrimitives
import PaviseTransport
import SecurityFramework
import TestSupport
import Testing

@testable import PaviseSession

/// What is left after a sign-out (session SR17): every file of the home, the names in the kernel's keyrings, and the
/// whole writable memory of the process that was signed in, which is a child so that the test's own copies are not
/// found.
@Suite(.serialized) struct LogoutProofTests {
    private let folder: TemporaryFolder
    private let certificates: CertificateAuthority
    private let authority: LabAuthority
    private let password = "canary-password-" + UUID().uuidString

    init() throws {
        folder = try TemporaryFolder()
        certificates = try CertificateAuthority()
        var configuration = AuthorityConfiguration()
        configuration.offersProof = true
        configuration.users["bob"] = password
        authority = try LabAuthority.start(try certificates.issue(), configuration: configuration)
    }

    private var child: LogoutChild {
        LogoutChild(folder: folder.path, issuer: authority.issuer, anchor: certificates.anchor)
    }

    private enum Kind: Hashable { case access, refresh, identity, password, bindingKey }

    @Test(.long) func `a process that is signed in holds its tokens and its key, so the search can find`() async throws
    {
        try await signIn()
        let kinds = try await secrets(after: .used)
        #expect(kinds.isSuperset(of: [.access, .refresh, .bindingKey]))
    }

    @Test func `a process that has ended its session holds no token, no key and no password any more`() async throws {
        try await signIn()
        #expect(try await secrets(after: .ended).isEmpty)
    }

    @Test func `a process that has renewed them first holds nothing of the tokens before`() async throws {
        try await signIn()
        // What the server answered is another thing: see SECURITY.md.
        #expect(try await secrets(after: .renewed).isEmpty)
    }

    @Test(.long, arguments: [DPoPPolicy.automatic, .never])
    func `a process that got its tokens itself holds none that it renewed, and few copies of those that live`(
        _ binding: DPoPPolicy
    ) async throws {
        try await signIn(binding: binding)
        let before = authority.issuedTokens.count
        let copies = try await copies(after: .answered)
        let tokens = authority.issuedTokens[before...].filter { [.access, .refresh].contains($0.kind) }
        #expect(tokens.count == 4)
        // Where it is kept, and in OpenSSL's buffers of the connection: the last answer, and the last request's
        // credential.
        let kept = [IssuedToken.Kind.access: 3, .refresh: 2]
        for (index, token) in authority.issuedTokens.enumerated() where kept[token.kind] != nil {
            let isNow = token == tokens.last { $0.kind == token.kind }
            let least = isNow ? 1 : 0
            #expect((least...(isNow ? kept[token.kind] ?? 0 : 0)).contains(copies[index]), "\(token.kind) \(index)")
        }
    }

    @Test(.long) func `revoking leaves no token, no key and no password either`() async throws {
        try await signIn()
        #expect(try await secrets(after: .signedOut).isEmpty)
        #expect(
            authority.issuedTokens.allSatisfy {
                $0.kind == .code || $0.kind == .identity || authority.isRevoked($0.value)
            })
    }

    @Test(.long) func `what waits to be revoked is sealed, and its process holds no token and no password`()
        async throws
    {
        try await signIn(binding: .never)
        let canaries = authority.issuedTokens.map(\.value) + [password]
        authority.fail(.revoke, with: .status(503))
        #expect(try await secrets(after: .queued, isBound: false).isEmpty)
        let home = folder.path + "/home"
        #expect(try CanarySearch.find(canaries, in: home).isClean)
        authority.heal()
        let system = TimeSource.system
        let later = TimeSource(
            wall: { system.wallMilliseconds + 3_600_000 }, boot: { system.bootMilliseconds + 3_600_000 },
            epoch: { system.bootEpoch })
        try await child.inKeychain {
            let report = await (try child.connections(SessionEnvironment(time: later))).finishRevocations()
            #expect(report.done == 1 && report.waiting == 0 && report.failure == nil)
        }
        let token = authority.issuedTokens.last { $0.kind == .refresh }?.value ?? ""
        #expect(authority.isRevoked(token))
        #expect(try CanarySearch.find(canaries, in: home).isClean)
    }

    @Test(.long) func `the search reads every area of a process to its end, and says where it cannot`() async throws {
        try await signIn()
        let pipe = try TestPipe(folder: folder.path)
        let reader = Thread.working { () throws -> (areas: Int, hasStack: Bool, isRefused: Bool) in
            var seen: (Int, Bool, Bool)?
            try pipe.listen { line in
                guard line.hasPrefix("ready "), let process = Int32(line.dropFirst(6)) else { return true }
                let memory = ProcessMemory(process: process)
                let names = try memory.areas().map(\.name)
                var isRefused = false
                // Nothing is mapped at the first page: it is there for nobody.
                do { _ = try memory.search(["canary"], keys: [], also: 0..<4096) } catch { isRefused = true }
                seen = (names.count, names.contains("[stack]") && names.contains("[heap]"), isRefused)
                try pipe.release()
                return true
            }
            guard let seen else { throw LabFailure.request("the child ended early") }
            return seen
        }
        await #expect(processExitsWith: .success) {
            [child = child as LogoutChild] in try await child.run(.used)
        }
        try pipe.end()
        let seen = try await reader.value
        #expect(seen.areas > 20 && seen.hasStack && seen.isRefused)
    }

    @Test func `no file and no name of a kernel key holds a secret, before and after`() async throws {
        try await signIn()
        let verifier = authority.server.requests.compactMap { $0.form("code_verifier") }.last ?? ""
        let canaries = authority.issuedTokens.map(\.value) + [password, verifier]
        let key = try await bindingKey()
        #expect(verifier.utf8.count >= 43)
        // A search that cannot find proves nothing.
        let bait = folder.path + "/home/bait"
        try Data(canaries[0].utf8).write(to: URL(fileURLWithPath: bait))
        #expect(try CanarySearch.find(canaries, in: folder.path + "/home").findings.count == 1)
        try FileManager.default.removeItem(atPath: bait)
        try expectNothing(of: canaries, key)
        try await child.inKeychain {
            let work = try child.connections().open("work")
            #expect(await work.signOut() == SignOutReport(localFailure: nil, revocation: .done))
            #expect(try await child.connections().open("disk").signOut().localFailure == nil)
            try expectNothing(of: canaries, key)
            _ = try await child.connections().remove("work")
            _ = try await child.connections().remove("disk")
        }
        try expectNothing(of: canaries, key)
    }

    private func expectNothing(of canaries: [String], _ key: [UInt8]) throws {
        let report = try CanarySearch.find(canaries, keys: [key], in: folder.path + "/home")
        #expect(report.isClean && report.files > 0)
        let keys = try InputFile.read("/proc/keys", limit: 1 << 24)
        #expect(CanarySearch.find(canaries, keys: [key], in: keys, named: "/proc/keys").isEmpty)
    }

    // The private half of the key that the tokens are bound to.
    private func bindingKey() async throws -> [UInt8] {
        var scalar: [UInt8] = []
        try await child.inKeychain {
            let work = try child.connections().open("work")
            scalar = try EnclaveScalar.of(tag: "org.pavise.binding.\(work.descriptor.id)")
        }
        #expect(scalar.count == 32)
        return scalar
    }

    // Here, so that the child never sees an answer of the token endpoint.
    private func signIn(binding: DPoPPolicy = .automatic) async throws {
        let browser = AddressReader { [authority] (url) throws(BrowserFailure) in
            do { _ = try LabBrowser.open(try authority.approve("\(url)")) } catch { throw BrowserFailure("\(error)") }
        }
        try await child.inKeychain {
            let origin = try WebURL(authority.issuer).origin
            let work = try child.connections().add(
                "work", origin: origin, clientID: "pavise-lab", scopes: ["openid", "api"])
            try await work.signIn(browser: browser, binding: binding)
            #expect(await work.session?.isBound == (binding == .automatic))
            let disk = try child.connections().add("disk", origin: origin, method: .basic)
            try disk.store(user: "bob", password: SecretBytes(utf8: password))
        }
    }

    // How many copies of each token that was given out so far a child has in its memory when it has come so far.
    private func copies(after story: LogoutChild.Story) async throws -> [Int] {
        let pipe = try TestPipe(folder: folder.path)
        let reader = Thread.working { [authority] () throws -> [Int] in
            var copies: [Int]?
            try pipe.listen { line in
                guard line.hasPrefix("ready "), let process = Int32(line.dropFirst(6)) else { return true }
                let canaries = authority.issuedTokens.map(\.value)
                let (found, bytes) = try ProcessMemory(process: process).search(canaries, keys: [])
                guard bytes > 1 << 20 else { throw LabFailure.request("only \(bytes) bytes were read") }
                copies = canaries.indices.map { index in found.count { $0.canary == index } }
                try pipe.release()
                return true
            }
            guard let copies else { throw LabFailure.request("the child ended early") }
            return copies
        }
        await #expect(processExitsWith: .success) {
            [child = child as LogoutChild, story = story as LogoutChild.Story] in try await child.run(story)
        }
        try pipe.end()
        return try await reader.value
    }

    // What a child still has in its memory when it has come so far.
    private func secrets(after story: LogoutChild.Story, isBound: Bool = true) async throws -> Set<Kind> {
        let pipe = try TestPipe(folder: folder.path)
        let kinds: [Kind] = authority.issuedTokens.compactMap { Self.kind(of: $0) } + [.password, .bindingKey]
        let canaries = authority.issuedTokens.filter { Self.kind(of: $0) != nil }.map(\.value) + [password]
        let keys = isBound ? [try await bindingKey()] : []
        let reader = Thread.working { () throws -> Set<Int> in
            var places: Set<Int>?
            try pipe.listen { line in
                guard line.hasPrefix("ready "), let process = Int32(line.dropFirst(6)) else { return true }
                let (found, bytes) = try ProcessMemory(process: process).search(canaries, keys: keys)
                guard bytes > 1 << 20 else { throw LabFailure.request("only \(bytes) bytes were read") }
                places = Set(found.map(\.canary))
                try pipe.release()
                return true
            }
            guard let places else { throw LabFailure.request("the child ended early") }
            return places
        }
        await #expect(processExitsWith: .success) {
            [child = child as LogoutChild, story = story as LogoutChild.Story] in try await child.run(story)
        }
        try pipe.end()
        return Set(try await reader.value.map { kinds[$0] })
    }

    private static func kind(of token: IssuedToken) -> Kind? {
        switch token.kind {
        case .access: .access
        case .refresh: .refresh
        case .identity: .identity
        default: nil
        }
    }
}

extension Thread {
    /// Runs blocking work on a thread of its own.
    static func working<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) -> Task<Value, any Error> {
        Task {
            try await withCheckedThrowingContinuation { continuation in
                Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
            }
        }
    }
}
