extension AppSecurity {
    /// Where the account called `name` stands now, and each later state, also while the account cannot be opened:
    /// before the device was unlocked for the first time, for example. Show this at the start of an app. No network is
    /// asked.
    ///
    /// ```swift
    /// for await state in security.states(of: "work") { show(state) }
    /// ```
    ///
    /// ``AccountState/unknown(_:)`` is no sign-out: the account is looked for once a second until it can be opened, and
    /// its own states follow. A name without an account is signed out; that is looked for too, so that an account which
    /// is made later is seen. It ends when nobody reads it any more, or when the account's own states do.
    ///
    /// - Parameter name: The account's name.
    public func states(of name: String) -> AsyncStream<AccountState> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: AccountState.self, bufferingPolicy: .bufferingNewest(16))
        let task = Task { [self] in
            var last: AccountState?
            func tell(_ state: AccountState) {
                if state != last { continuation.yield(state) }
                last = state
            }
            while !Task.isCancelled {
                do throws(PaviseError) {
                    let account = try account(name)
                    for await state in account.states { tell(state) }
                    break
                } catch {
                    tell(error.code == .unknownName ? .signedOut : .unknown(.init(error.code)))
                }
                guard (try? await connections.environment.sleep(.seconds(1))) != nil else { break }
            }
            continuation.finish()
        }
        continuation.onTermination = { _ in task.cancel() }
        return stream
    }
}
