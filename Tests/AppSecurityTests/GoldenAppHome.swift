import Foundation
import PaviseLab
import PavisePrimitives
import PaviseSession
import PaviseStorage
import PaviseTransport
import PaviseVault
import SecurityFramework
import TestSupport
import Testing

@testable import Pavise

/// The home `app` of Tests/GoldenHomes: what an app keeps with `AppSecurity`. The README there says who made it.
enum GoldenAppHome {
    static let identifier = PinListMaker.app
    static let groups = ["org.example.golden"]
    static let pinned = "pinned.example"
    static let note = Array("slept well".utf8)
    static let steps = [
        DatabaseMigration(1, "nights", "CREATE TABLE night(date TEXT PRIMARY KEY, awake INTEGER) STRICT")
    ]
    /// Whether it is kept.
    static var isKept: Bool {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        return FileManager.default.fileExists(atPath: tests.path + "/GoldenHomes/app/record.json")
    }
    /// Where a new one is made; `nil` in every run but that of a maker.
    static let target = ProcessInfo.processInfo.environment["PAVISE_GOLDEN_HOMES"]

    /// What the maker wrote down: when it was made, and the public keys of its pin lists.
    struct Record: Codable {
        var made: Int64
        var pinKeys: [UInt8]

        init(made: Int64, pinKeys: [UInt8]) {
            self.made = made
            self.pinKeys = pinKeys
        }

        init(_ home: String) throws {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: home + "/record.json"))
            self = try JSONDecoder().decode(Record.self, from: bytes)
        }

        func write(_ home: String) throws {
            try JSONEncoder().encode(self).write(to: URL(fileURLWithPath: home + "/record.json"))
        }
    }

    static func configuration(_ pinKeys: [UInt8]) throws -> SecurityConfiguration {
        var configuration = SecurityWorld.quiet
        try configuration.pins.allowRenewal(by: PinListMaker.issuer, keys: pinKeys)
        return configuration
    }
}

/// Makes the home; run it for a later format, in a folder of its own, and never over the one that is there.
@Suite(.enabled(if: GoldenAppHome.target != nil)) struct GoldenAppHomeMaking {
    @Test func `an app's home, with all that it keeps`() async throws {
        let home = try #require(GoldenAppHome.target) + "/app"
        let people = try CertificateAuthority(name: "People")
        let world = try SecurityWorld()
        let made = TimeSource.system.wallSeconds
        let time = ManualTime(wallSeconds: made)
        let place = SecurityWorld.Place(
            home: home, anchor: world.trusted, groups: GoldenAppHome.groups, time: time.source)
        let pins = try PinListMaker()
        try await place.inHome {
            let app = try place.app(GoldenAppHome.identifier, GoldenAppHome.configuration(pins.keySet()))
            try await app.lock.setPIN(SecurityWorld.pin)
            let profile = LeafProfile(
                names: ["anna.example"], addresses: [], commonName: "Anna", validity: .current, purposes: [.client])
            let file = try people.issue(profile).pkcs12(passphrase: "made up")
            _ = try app.importIdentity(file, passphrase: SecretBytes(utf8: "made up"), as: "anna")
            _ = try app.requestIdentity("device", subject: "Diary")
            let number = try await app.renewPins(pins.sign(Self.list(at: made)))
            #expect(number == 3)

            let account = try await world.signedIn(app)
            _ = try account.files.put(GoldenAppHome.note, named: "note.txt", protection: .complete)
            _ = try app.files.put(GoldenAppHome.note, named: "own.txt", protection: .untilFirstUserAuthentication)
            let diary = try app.database("diary", protection: .complete, migrations: GoldenAppHome.steps)
            try await diary.write { _ = try $0.run("INSERT INTO night(date, awake) VALUES (\("2026-11-24"), \(3))") }
            diary.close()
            // A second account whose tokens still wait to be taken back.
            let other = try await world.signedIn(app, as: "other")
            world.authority.fail(.revoke, with: .status(503))
            #expect(await other.signOut().revocation == .queued)
            app.lock.lockNow()
            await #expect(throws: PaviseError.self) { try await app.lock.unlock("111222") }
        }
        try GoldenAppHome.Record(made: made, pinKeys: pins.keySet()).write(home)
        KeychainDiagnostics.close(PaviseHome(path: home))
    }

    private static func list(at seconds: Int64) -> PinListMaker.Words {
        let keys = ["A", "B"].map { JSONValue.string(String(repeating: $0, count: 42) + "A=") }
        let pins = JSONValue.array([
            .fields(["hosts": .array([.string(GoldenAppHome.pinned)]), "leaf": .array(keys)])
        ])
        var words = PinListMaker.Words(issued: seconds, pins: pins)
        words.number = .integer(3)
        return words
    }
}

/// FD8: a home that an app kept with this version opens with every later one, and nothing of it is lost.
@Suite(.enabled(if: GoldenAppHome.isKept)) struct GoldenAppHomeTests {
    @Test func `FD8: a kept home of an app opens: lock, accounts, files, database, identities, pins`()
        async throws
    {
        let folder = try TemporaryFolder()
        let home = try folder.copyGoldenHome("app")
        let record = try GoldenAppHome.Record(home)
        let time = ManualTime(wallSeconds: record.made + 3600)
        let place = SecurityWorld.Place(home: home, anchor: [], groups: GoldenAppHome.groups, time: time.source)
        try await place.inHome {
            let app = try place.app(GoldenAppHome.identifier, GoldenAppHome.configuration(record.pinKeys))
            #expect(!app.lock.state.isOpen)
            #expect {
                _ = try app.files
            } throws: {
                ($0 as? PaviseError)?.code == .appLocked
            }
            #expect(try await app.lock.unlock(SecurityWorld.pin).wrongBefore == 1)

            #expect(try app.accountNames().sorted() == ["other", "work"])
            let account = try app.account("work")
            #expect(await account.state == .signedIn)
            #expect(await (try app.account("other")).state == .signedOut)
            #expect(try session(of: account, in: app)?.refresh != nil)
            #expect(await app.connections.finishRevocations().waiting == 1)

            let entry = try #require(try account.files.list().first)
            #expect(try entry.content.get().attributes.name == "note.txt")
            #expect(try account.files.get(entry.id, limit: 100) == GoldenAppHome.note)
            let own = try #require(try app.files.list().first)
            #expect(try app.files.get(own.id, limit: 100) == GoldenAppHome.note)
            let diary = try app.database("diary", protection: .complete, migrations: GoldenAppHome.steps)
            let awake = try await diary.read { try $0.value("SELECT awake FROM night", as: Int.self) }
            #expect(awake == 3)

            let identities = try app.identities()
            #expect(identities.map(\.name) == ["anna", "device"])
            #expect(identities.first?.subject?.contains("Anna") == true && identities.last?.isRequested == true)
            _ = try app.connections.identities.find("anna")
            #expect(try app.pinStore.sets().contains { $0.hosts.contains(GoldenAppHome.pinned) })

            // And it goes on: a later write, and a wipe that leaves nothing.
            _ = try account.files.put([1, 2, 3], named: "later", protection: .complete)
            #expect(try account.files.list().count == 2)
            try await app.wipe()
            #expect(try app.accountNames() == [] && app.lock.state == .unset)
        }
    }

    /// What a kill between two steps left of the account `work`, written as versions did whose marks had no code.
    enum StateBetween: CaseIterable {
        /// A sign-in, or an adoption, had sealed its session and not ended.
        case signingIn
        /// A removal had begun.
        case removing
        /// The same, while a sign-in had not ended.
        case takingBack
        /// A removal had put the folder aside.
        case putAside

        func write(_ id: String, in connections: String) throws {
            let folder = "\(connections)/\(id)"
            if self == .signingIn || self == .takingBack {
                try DurableFile.write(Array("PVBG1 \(id)\n".utf8).span, to: folder + "/beginning")
            }
            if self == .removing || self == .takingBack {
                try DurableFile.write(Array("PVRM1 \(id)\n".utf8).span, to: folder + "/removed")
            }
            if self == .putAside {
                try FileManager.default.moveItem(atPath: folder, toPath: "\(connections)/.removed-\(id)")
            }
        }
    }

    @Test(arguments: StateBetween.allCases)
    func `FD8: a kept home with marks that nothing proves keeps the account, which an order ends; the other is whole`(
        _ state: StateBetween
    ) async throws {
        let folder = try TemporaryFolder()
        let home = try folder.copyGoldenHome("app")
        let record = try GoldenAppHome.Record(home)
        let time = ManualTime(wallSeconds: record.made + 3600)
        let place = SecurityWorld.Place(home: home, anchor: [], groups: GoldenAppHome.groups, time: time.source)
        // The account's folder has its sealed file.
        let connections = "\(home)/apps/\(GoldenAppHome.identifier)/connections"
        let names = try FileManager.default.contentsOfDirectory(atPath: connections)
        let id = try #require(names.first { DurableFile.exists("\(connections)/\($0)/protected") })
        try state.write(id, in: connections)
        try await place.inHome {
            let app = try place.app(GoldenAppHome.identifier, GoldenAppHome.configuration(record.pinKeys))
            try await app.lock.unlock(SecurityWorld.pin)
            let own = try #require(ConnectionID(id))
            try app.connections.finishRemovals()
            if state != .putAside {
                // Anybody who may write to the folder could have written them.
                #expect(try app.connections.list().contains { $0.id == own })
                #expect(try app.connections.vault(of: own).has(.session(of: own)))
                _ = try app.connections.remove(damaged: own)
            }
            #expect(try app.accountNames() == ["other"])
            let left = try FileManager.default.contentsOfDirectory(atPath: connections)
            #expect(!left.contains { $0.contains(id) }, "\(left)")
            #expect(await (try app.account("other")).state == .signedOut)
            #expect(await app.connections.finishRevocations().waiting == 1)
            guard state != .putAside else { return }
            // What was sealed for it is gone with its keys.
            #expect(try !app.connections.vault(of: own).has(.session(of: own)))
        }
    }

    private func session(of account: Account, in app: AppSecurity) throws -> SessionRecord? {
        let id = account.connection.descriptor.id
        guard case .found(let secret) = try app.connections.vault(of: id).read(.session(of: id)) else { return nil }
        return try SessionRecord(decoding: secret.withBytes { bytes in Array(bytes) })
    }
}
