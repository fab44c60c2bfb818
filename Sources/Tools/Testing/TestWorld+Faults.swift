internal import Pavise
internal import PaviseDevice
internal import PaviseLab
internal import PavisePrimitives
internal import SecurityFramework

extension TestWorld {
    /// Lets something go wrong while `body` runs, and puts it right afterwards where that can be.
    ///
    /// ```swift
    /// try await world.during(.beforeFirstUnlock) {
    ///     do throws(PaviseError) { print(await (try world.app().account("work")).state) } catch {
    ///         print(error.title)  // Device locked
    ///     }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - fault: What goes wrong. ``Fault/enclaveKeyLost`` and ``Fault/reinstalled`` do not come right again, and a
    ///     session that has ended stays so.
    ///   - body: What the app does meanwhile.
    @discardableResult
    public func during<Result>(_ fault: Fault, _ body: () async throws -> Result) async throws -> Result {
        var environment = SecurityEnvironment.current
        try begin(fault, &environment)
        defer { end(fault) }
        return try await SecurityEnvironment.$override.withValue(environment) { try await body() }
    }

    private func begin(_ fault: Fault, _ environment: inout SecurityEnvironment) throws {
        switch fault {
        case .deviceLocked: lock.state = .locked
        case .beforeFirstUnlock: lock.state = .beforeFirstUnlock
        case .keychainSaysNotFound:
            environment.hidesLocked = true
            lock.state = .beforeFirstUnlock
        case .refreshTokenSpent:
            authority.spendRefreshTokens()
            authority.expireAccessTokens()
        case .sessionEnded: authority.revokeEverything()
        case .answerLost:
            authority.expireAccessTokens()
            authority.fail(.token, with: .lostAnswer, times: 1)
        case .certificateChanged:
            try authority.server.use(try CertificateAuthority().issue())
            authority.server.dropConnections()
        case .clockSetBack: clock.setWall(seconds: clock.source.wallSeconds - 365 * 86_400)
        case .enclaveKeyLost: try apps.all.forEach { try $0.destroyKeys() }
        case .restoredFromBackup:
            try folder.copy("home/apps", to: "restored/apps")
            environment.home = self.environment("restored").home
        case .reinstalled: try folder.remove("home/apps")
        case .offline: authority.isUnreachable = true
        }
    }

    private func end(_ fault: Fault) {
        switch fault {
        case .deviceLocked, .beforeFirstUnlock, .keychainSaysNotFound: lock.state = .unlocked
        case .answerLost: authority.heal()
        case .offline: authority.isUnreachable = false
        case .certificateChanged: restoreCertificate()
        case .clockSetBack: clock.setWall(seconds: clock.source.wallSeconds + 365 * 86_400)
        case .refreshTokenSpent, .sessionEnded, .enclaveKeyLost, .restoredFromBackup, .reinstalled: break
        }
    }

    // The same certificate as before was taken once already.
    private func restoreCertificate() {
        do throws(LabFailure) { try authority.server.use(identity) } catch { authority.stop() }
        authority.server.dropConnections()
    }
}
