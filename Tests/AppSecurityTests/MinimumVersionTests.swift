import Foundation
import Pavise
import PaviseManaged
import PaviseTransport
import TestSupport
import Testing

/// An administrator's oldest version of Pavise (MC-6).
@Suite struct MinimumVersionTests {
    @Test(arguments: [
        "", "1", "1.2", "1.2.3.4", "1.2.x", "1..3", "01.2.3", "1.2.-3", "1.2.3 ", "1.2.1234567", "v1.2.3",
    ])
    func `anything but three numbers is no version`(_ text: String) throws {
        #expect(PaviseVersion(text) == nil)
        let failure = #expect(throws: ManagedConfiguration.Failure.self) {
            try ManagedConfiguration(json: Array(#"{ "device": { "minimumVersion": "\#(text)" } }"#.utf8))
        }
        #expect(failure?.problems.map(\.path) == ["device.minimumVersion"])
    }

    @Test(arguments: [
        ("0.1.0", "0.1.0", false), ("0.10.0", "0.9.9", false), ("0.9.9", "0.10.0", true), ("1.0.0", "0.99.99", false),
        ("0.1.0", "0.1.1", true), ("unknown", "0.0.1", true),
    ])
    func `MC-6: versions are compared by number, and one that cannot be read is older`(
        _ own: String, _ least: String, _ isRefused: Bool
    ) {
        let device = ManagedDevice(minimumVersion: PaviseVersion(least))
        #expect((device.refusal(of: own) != nil) == isRefused)
        #expect(ManagedDevice().refusal(of: own) == nil)
    }

    @Test func `MC-6: an app with an older Pavise opens nothing`() async throws {
        let world = try SecurityWorld()
        try await world.inHome {
            let old = try world.managed(#"{ "device": { "minimumVersion": "99.0.0" } }"#)
            #expect {
                _ = try world.app(managed: old)
            } throws: {
                ($0 as? PaviseError)?.code == .managed
            }
            _ = try world.app(managed: try world.managed(#"{ "device": { "minimumVersion": "0.0.1" } }"#))
        }
    }

    @Test func `MC-6: a rule that comes while an app runs stops it, and it goes on when the rule goes`() async throws {
        let world = try SecurityWorld()
        try await world.inHome {
            let path = world.folder.path + "/rules.json"
            func write(_ rules: String) throws { try Data(rules.utf8).write(to: URL(fileURLWithPath: path)) }
            try write("{}")
            let app = try world.app(managed: ManagedFile(path: path))
            let account = try await world.signedIn(app)
            let request = try HTTPRequest("GET", account.connection.url("/api/me"))
            #expect(try await account.send(request).status == 200)
            let calls = world.calls
            try write(#"{ "device": { "minimumVersion": "99.0.0" } }"#)
            await app.connections.applyRules()
            await #expect { _ = try await account.send(request) } throws: { ($0 as? PaviseError)?.code == .managed }
            #expect { _ = try app.account("work") } throws: { ($0 as? PaviseError)?.code == .managed }
            await #expect { _ = try await world.signedIn(app, as: "other") } throws: {
                ($0 as? PaviseError)?.code == .managed
            }
            #expect(world.calls == calls)
            try write("{}")
            await app.connections.applyRules()
            #expect(try await account.send(request).status == 200)
        }
    }
}
