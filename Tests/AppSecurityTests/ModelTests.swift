import Observation
import Pavise
import Testing

/// The account as a view sees it.
@MainActor @Suite struct `A view's account` {
    @Test func `follows the account, and tells the view`() async throws {
        let world = try SecurityWorld()
        try await world.inHome {
            let account = try await world.signedIn(try world.app())
            let model = AccountModel(account)
            try await Self.change(of: model, to: .signedIn)
            async let report = account.signOut()
            try await Self.change(of: model, to: .signedOut)
            #expect(await report.localFailure == nil)
        }
    }

    @Test(arguments: [AccountState.signedIn, .signedOut, .needsSignIn(.expired), .unknown(.appLocked)])
    func `a preview shows what it is told, and touches nothing`(_ state: AccountState) {
        #expect(AccountModel(previewing: state).state == state)
    }

    private static func change(of model: AccountModel, to state: AccountState) async throws {
        let end = ContinuousClock.now + .seconds(20)
        while model.state != state {
            try #require(ContinuousClock.now < end)
            let (stream, told) = AsyncStream.makeStream(of: Void.self)
            let seen = withObservationTracking {
                model.state
            } onChange: {
                told.yield()
            }
            if seen == state { return }
            for await _ in stream { break }
        }
    }
}
