import Testing

@testable import Pavise

/// The order of a sign-in, as every possible sequence of events leaves it.
@Suite struct `The machine that connects` {
    private static let events: [ConnectMachine.Event] = [
        .judged, .judgedStrangers, .methodAllowed, .methodIsWeaker, .accepted, .discovered, .registered, .made,
        .signedIn(isIdentified: true),
        .signedIn(isIdentified: false), .failed,
    ]

    private static var plans: [ConnectMachine.Plan] {
        (0..<32).map { bits in
            var plan = ConnectMachine.Plan()
            plan.usesPassword = bits & 1 != 0
            plan.isOwnAuthority = bits & 2 != 0
            plan.registers = bits & 4 != 0
            plan.mustIdentify = bits & 8 != 0
            plan.isNew = bits & 16 != 0
            return plan
        }
    }

    @Test func `the usual way goes through every step once`() {
        var plan = ConnectMachine.Plan()
        plan.registers = true
        var machine = ConnectMachine(plan)
        #expect(machine.begin() == .judgeServer)
        #expect(machine.handle(.judged) == .chooseMethod)
        #expect(machine.handle(.methodIsWeaker) == .askForWeaker)
        #expect(machine.handle(.accepted) == .discover)
        #expect(machine.handle(.discovered) == .judgeAuthority)
        #expect(machine.handle(.judged) == .register)
        #expect(machine.handle(.registered) == .make)
        #expect(machine.handle(.made) == .signIn)
        #expect(machine.handle(.signedIn(isIdentified: false)) == .finish)
    }

    @Test func `a password goes to a judged server, and nobody looks for an authority`() {
        var plan = ConnectMachine.Plan()
        plan.usesPassword = true
        var machine = ConnectMachine(plan)
        #expect(machine.begin() == .judgeServer)
        #expect(machine.handle(.judged) == .chooseMethod)
        #expect(machine.handle(.methodAllowed) == .make)
        #expect(machine.handle(.made) == .signIn)
        #expect(machine.handle(.signedIn(isIdentified: true)) == .finish)
    }

    /// Every sequence of up to nine events: what is sent needs what was judged, and what was made is taken back.
    @Test(arguments: plans)
    func `C1: no sequence sends anything to a server that was not judged, or leaves anything behind`(
        _ plan: ConnectMachine.Plan
    ) {
        var count = 0
        func walk(_ machine: ConnectMachine, _ done: [ConnectMachine.Action], _ depth: Int) {
            guard depth > 0 else { return }
            for event in Self.events {
                var next = machine
                let action = next.handle(event)
                count += 1
                check(plan, done, event, action)
                // After the end nothing goes on.
                if case .rollBack = action { continue }
                if case .finish = action { continue }
                walk(next, done + [action], depth - 1)
            }
        }
        var machine = ConnectMachine(plan)
        let first = machine.begin()
        walk(machine, [first], 9)
        #expect(count > 10)
    }

    private func check(
        _ plan: ConnectMachine.Plan, _ done: [ConnectMachine.Action], _ event: ConnectMachine.Event,
        _ action: ConnectMachine.Action
    ) {
        #expect(done.first == .judgeServer)
        // What goes on is an answer to the step before, and an answer that needs a word gets its question.
        let isStopped = if case .rollBack = action { true } else { false }
        #expect(isStopped || Self.isAnswer(event, to: done[done.count - 1]), "\(event) after \(done)")
        #expect(isStopped || (event == .methodIsWeaker) == (action == .askForWeaker))
        #expect(isStopped || (event == .judgedStrangers) == (action == .askAboutStrangers))
        switch action {
        case .register, .make, .signIn:
            #expect(plan.usesPassword || done.contains(.judgeAuthority))
            #expect(action != .register || plan.registers)
        case .finish:
            #expect(done.contains(.signIn))
            #expect(!plan.mustIdentify || event == .signedIn(isIdentified: true))
        case .rollBack(let undo):
            let wasMade = done.contains(.signIn)
            #expect(undo.removesConnection == (wasMade && plan.isNew))
            #expect(!undo.signsOut || !plan.isNew)
            #expect(undo.restoresDescription == (done.contains(.make) && !plan.isNew))
            #expect(undo.deregisters == (done.contains(.register) && done.last != .register))
        default: break
        }
    }

    private static func isAnswer(_ event: ConnectMachine.Event, to step: ConnectMachine.Action) -> Bool {
        switch (step, event) {
        case (.judgeServer, .judged), (.chooseMethod, .methodAllowed), (.chooseMethod, .methodIsWeaker),
            (.askForWeaker, .accepted), (.discover, .discovered), (.judgeAuthority, .judged),
            (.judgeAuthority, .judgedStrangers), (.askAboutStrangers, .accepted), (.register, .registered),
            (.make, .made), (.signIn, .signedIn):
            true
        default: false
        }
    }

    @Test(arguments: events)
    func `an event that belongs to no step stops`(_ event: ConnectMachine.Event) {
        var machine = ConnectMachine(ConnectMachine.Plan())
        guard case .rollBack = machine.handle(event) else {
            Issue.record("\(event) went on before the beginning")
            return
        }
    }
}
