import Foundation
import Pavise
import PaviseLab
import PavisePrimitives
import PaviseTransport
import PaviseVault
import SecurityFramework

@testable import PaviseSession

/// A process that opens sessions which another one stored, uses them, and ends them; then its memory is read.
struct LogoutChild: Codable, Sendable {
    /// How far the child goes before its memory is read.
    enum Story: String, Codable, CaseIterable {
        /// It has used the sessions and is signed in.
        case used
        /// It has signed in itself, renewed the tokens once, used them, and is signed in.
        case answered
        /// It has renewed the token once, and ended them as ``ended`` does.
        case renewed
        /// It has ended them on this device; the server was not asked.
        case ended
        /// It has ended them here and at the server.
        case signedOut
        /// It has ended them here, the server had no time, and what is needed to ask again is kept.
        case queued
    }

    let folder: String
    let issuer: String
    let anchor: [UInt8]

    /// The connections of the folder's home, with the platform's vault.
    func connections(_ environment: SessionEnvironment = .system) throws -> Connections {
        Connections(
            home: PaviseHome(path: folder + "/home"), environment: environment,
            methods: .standard.withPasswords(at: .only([try WebURL(issuer).origin])),
            makeClient: { [anchor] (trust) throws(TransportFailure) in
                var trust = trust
                trust.anchors = .only([anchor])
                return try HTTPClient(policy: trust)
            })
    }

    /// Runs `body` with the folder's keychain.
    func inKeychain(_ body: () async throws -> Void) async rethrows {
        let home = PaviseHome(path: folder + "/home")
        let surroundings = SecurityEnvironment(home: home, accessGroups: ["org.pavise.test"])
        try await SecurityEnvironment.$override.withValue(surroundings, operation: body)
    }

    func run(_ story: Story) async throws {
        guard story != .answered else { return try await answer() }
        try await inKeychain {
            let work = try connections().open("work")
            let disk = try connections().open("disk")
            try await fetch("/api/files", by: work)
            try await fetch("/basic/files", by: disk)
            switch story {
            case .used: break
            case .answered: return
            case .renewed, .ended:
                if story == .renewed { _ = try await work.session?.forceRefresh() }
                guard await work.session?.endLocally().failure == nil else { throw SessionFailure.signedOut }
                _ = await disk.signOut()
            case .signedOut, .queued:
                let report = await work.signOut()
                let expected = story == .queued ? SignOutReport.Revocation.queued : .done
                guard report == SignOutReport(localFailure: nil, revocation: expected) else {
                    throw SessionFailure.signedOut
                }
                _ = await disk.signOut()
            }
            try tell()
            // Nobody may end before the memory was read.
            withExtendedLifetime((work, disk)) {}
        }
    }

    private func answer() async throws {
        try await inKeychain {
            let door = try connections().open("work")
            try await door.signIn(browser: person(door.client))
            // Who had the session before has that one.
            let work = try connections().open("work")
            try await fetch("/api/files", by: work)
            _ = try await work.session?.forceRefresh()
            try await fetch("/api/files", by: work)
            try tell()
            withExtendedLifetime(work) {}
        }
    }

    private func tell() throws {
        let pipe = ChildPipe(folder: folder)
        try pipe.tell("ready \(ProcessInfo.processInfo.processIdentifier)")
        try pipe.wait()
    }

    // Types the password into the lab's page, in this process.
    private func person(_ client: HTTPClient) -> any Browser {
        AddressReader { (url) throws(BrowserFailure) in
            do {
                var fields = HTTPFields()
                fields.append("Content-Type", "application/x-www-form-urlencoded")
                let form = Array("username=alice&password=wonderland".utf8)
                let answer = try await client.send(HTTPRequest("POST", url, fields: fields, body: form))
                guard let callback = answer.redirect?.target else { throw SessionFailure.signedOut }
                _ = try LabBrowser.open("\(callback)")
            } catch {
                throw BrowserFailure("\(error)")
            }
        }
    }

    private func fetch(_ path: String, by connection: Connection) async throws {
        let answer = try await connection.send(HTTPRequest("GET", connection.url(path)))
        guard answer.status == 200 else { throw SessionFailure.signedOut }
    }
}
