import Pavise
import PaviseAppLock
import PaviseManaged
import PaviseSession
import Testing

/// What an administrator writes can only tighten, and what would loosen is told (C37, AL26).
@Suite struct ManagedLooseningTests {
    private func read(_ text: String) throws -> ManagedConfiguration {
        try ManagedConfiguration(json: Array(text.utf8))
    }

    @Test(arguments: [
        (#"{"session": {"maximumSeconds": 31536000}}"#, "session.maximumSeconds"),
        (#"{"session": {"inactivitySeconds": 31536000}}"#, "session.inactivitySeconds"),
        (#"{"session": {"rejections": 100}}"#, "session.rejections"),
        (#"{"appLock": {"idleSeconds": 86400}}"#, "appLock.idleSeconds"),
        (#"{"appLock": {"backgroundSeconds": 300}}"#, "appLock.backgroundSeconds"),
        (#"{"appLock": {"activeSeconds": 86400}}"#, "appLock.activeSeconds"),
        (#"{"appLock": {"delaySeconds": 1}}"#, "appLock.delaySeconds"),
    ])
    func `a figure that asks for less is told by its key, and what holds is as before`(
        _ text: String, _ key: String
    ) throws {
        let found = try read(text)
        let told = found.loosenings()
        #expect(told.map(\.key) == [key])
        let first = try #require(told.first)
        #expect(first.description.hasPrefix("\(key): \(first.asked) has no effect"))
        #expect(RefreshPolicy().tightened(by: found.session) == RefreshPolicy())
        #expect(AppLockPolicy.standard.tightened(by: AppLockTightening(found.appLock)) == .standard)
    }

    @Test func `figures that tighten or repeat what holds are not told`() throws {
        let found = try read(
            """
            { "session": { "maximumSeconds": 2592000, "inactivitySeconds": 60, "rejections": 1 },
              "appLock": { "minimumDigits": 6, "attempts": 10, "idleSeconds": 60, "delaySeconds": 30 } }
            """)
        #expect(found.loosenings().isEmpty)
        // The same figures are loose for a product that asks for more.
        var own = RefreshPolicy()
        own.inactivity = .seconds(30)
        #expect(found.loosenings(session: own).map(\.key) == ["session.inactivitySeconds"])
    }

    @Test func `AL26: a wipe in the rules takes the place of an app's end of the session, and not the reverse`()
        throws
    {
        let milder = try AppLockPolicy(finalAction: .endSession)
        let wipe = AppLockTightening(try read(#"{"appLock": {"atLimit": "wipe"}}"#).appLock)
        #expect(milder.tightened(by: wipe).finalAction == .wipe)
        let signOut = AppLockTightening(try read(#"{"appLock": {"atLimit": "signOut"}}"#).appLock)
        #expect(milder.tightened(by: signOut).finalAction == .endSession)
        #expect(AppLockPolicy.standard.tightened(by: signOut).finalAction == .wipe)
    }

    @Test func `delays of an administrator are at least as long, and free attempts at most as many`() throws {
        let found = try read(#"{"appLock": {"freeAttempts": 1, "delaySeconds": 600}}"#)
        let policy = AppLockPolicy.standard.tightened(by: AppLockTightening(found.appLock))
        #expect(policy.freeAttempts == 1)
        #expect(policy.delays == [600, 600, 600, 900, 3600, 4 * 3600].map { .seconds($0) })
    }
}
