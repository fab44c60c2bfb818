import PaviseAppLock
import PaviseValidation
import Testing

@Suite struct LockPolicyTests {
    @Test("§2: figures out of their range are refused, and say what is allowed")
    func ranges() throws {
        #expect(throws: AppLockPolicy.Problem.self) { try AppLockPolicy(idle: .seconds(59)) }
        #expect(throws: AppLockPolicy.Problem.self) { try AppLockPolicy(idle: .seconds(86_401)) }
        #expect(throws: AppLockPolicy.Problem.self) { try AppLockPolicy(grace: .seconds(301)) }
        #expect(throws: AppLockPolicy.Problem.self) { try AppLockPolicy(activeTime: .seconds(899)) }
        #expect(throws: AppLockPolicy.Problem.self) { try AppLockPolicy(freeAttempts: 4) }
        #expect(throws: AppLockPolicy.Problem.self) { try AppLockPolicy(attempts: 2) }
        #expect(throws: AppLockPolicy.Problem.self) { try AppLockPolicy(attempts: 11) }
        #expect(throws: AppLockPolicy.Problem.self) { try AppLockPolicy(delays: []) }
        #expect(throws: AppLockPolicy.Problem.self) { try AppLockPolicy(delays: [.seconds(60), .seconds(30)]) }
        #expect(throws: AppLockPolicy.Problem.self) { try AppLockPolicy(delays: [.seconds(86_401)]) }
        #expect(try AppLockPolicy() == .standard)
    }

    @Test("AL26: each figure gets stricter, and none looser")
    func tightening() throws {
        var strict = AppLockTightening()
        strict.digits = 6
        strict.idle = .seconds(300)
        strict.grace = .seconds(300)
        strict.activeTime = .seconds(1)
        strict.freeAttempts = 0
        strict.attempts = 1
        strict.delays = [.seconds(10), .seconds(7200)]
        strict.forbidsBiometrics = true
        let policy = AppLockPolicy.standard.tightened(by: strict)
        #expect(policy.pin.length == 6...6)
        #expect(policy.idle == .seconds(300))
        #expect(policy.grace == .zero)
        #expect(policy.activeTime == .seconds(900))
        #expect(policy.freeAttempts == 0)
        #expect(policy.attempts == 3)
        #expect(policy.delays == [30, 7200, 7200, 7200, 7200, 14_400].map { .seconds($0) })
        #expect(!policy.allowsBiometrics)
        #expect(policy.finalAction == .wipe)

        var loose = AppLockTightening()
        loose.digits = 1
        loose.idle = .seconds(1_000_000)
        loose.attempts = 1000
        loose.freeAttempts = 3
        loose.delays = [.seconds(1)]
        #expect(AppLockPolicy.standard.tightened(by: loose) == .standard)
    }

    @Test func `AL26: an administrator's wipe wins over an app's end of the session, and nothing takes a wipe back`()
        throws
    {
        let milder = try AppLockPolicy(finalAction: .endSession)
        var rules = AppLockTightening()
        #expect(milder.tightened(by: rules).finalAction == .endSession)
        #expect(AppLockPolicy.standard.tightened(by: rules).finalAction == .wipe)
        rules.wipes = true
        let tightened = milder.tightened(by: rules)
        #expect(tightened.finalAction == .wipe)
        #expect(AppLockPolicy.standard.tightened(by: rules) == .standard)
        let figure = tightened.figures(of: milder).first { $0.name == "finalAction" }
        #expect(figure?.source == .management)
    }

    @Test("AL48: every figure says its value and who chose it")
    func figures() throws {
        let product = try AppLockPolicy(idle: .seconds(300))
        var rules = AppLockTightening()
        rules.attempts = 5
        let figures = product.tightened(by: rules).figures(of: product)
        func figure(_ name: String) -> AppLockFigure? { figures.first { $0.name == name } }
        #expect(figure("idle")?.value == "5 min")
        #expect(figure("idle")?.source == .product)
        #expect(figure("attempts")?.value == "5")
        #expect(figure("attempts")?.source == .management)
        #expect(figure("activeTime")?.value == "12 h")
        #expect(figure("activeTime")?.source == .standard)
        #expect(figures.count == 11)
    }
}
