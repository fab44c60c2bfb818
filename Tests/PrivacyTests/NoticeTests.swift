import PavisePrivacy
import TestSupport
import Testing

@Suite struct NoticeTests {
    @Test func `a notice shows how many, when, how long`() {
        #expect(NoticeParameter.count(NoticeCount(3)).text == "3")
        #expect(NoticeParameter.count(NoticeCount(271_828)).text == "999")
        #expect(TimeOfDay(hour: 7, minute: 5).map { NoticeParameter.time($0).text } == "07:05")
        #expect(TimeOfDay(hour: 24, minute: 0) == nil && TimeOfDay(hour: 0, minute: -1) == nil)
        #expect(NoticeParameter.duration(.seconds(5400)).text == "90 min")
        #expect(NoticeParameter.duration(.seconds(Int64.max)).text == "1440 min")
    }

    @Test(arguments: [
        "", "..", String(repeating: "A", count: 32), String(repeating: "a", count: 33), "jane@example.org",
    ])
    func `what came back with a notification and is no route leads nowhere`(_ text: String) {
        #expect(NoticeRoute(text) == nil)
    }

    @Test func `routes are random`() throws {
        let (one, other) = (try NoticeRoute.random(), try NoticeRoute.random())
        #expect(one != other && NoticeRoute(one.text) == one)
    }
}

@Suite struct PushTokenMachineTests {
    private static let events: [PushTokenMachine.Event] = [
        .personAsked(UserAction()), .allowed, .refused, .token([1]), .token([2]), .sent, .permissionRevoked, .signOut,
        .deleted([1]), .deleted([2]), .started, .becameActive,
    ]

    @Test func `PR15: no order of events without the person's action and her permission leads to the server`() {
        for missing in [PushTokenMachine.Event.personAsked(UserAction()), .allowed] {
            for machine in reachable(Self.events.filter { $0 != missing }) {
                var machine = machine
                for event in Self.events where event != missing {
                    let actions = machine.handle(event)
                    #expect(!actions.contains { if case .send = $0 { true } else { false } })
                }
            }
        }
    }

    @Test
    func `PR16: after a sign-out nothing is sent, and the server is told, also after kill -9`() {
        for before in reachable(Self.events) {
            var machine = before
            let actions = machine.handle(.signOut)
            let owed = before.owed.map { PushTokenMachine.Action.deleteAtServer($0) }
            switch before.state {
            case .registered(let token), .sent(let token):
                #expect(actions == [.removeNotices, .deleteAtServer(token)] + owed)
                // A kill before the server has it: the next start says it again.
                var again = PushTokenMachine(machine.state, owed: machine.owed)
                #expect(again.handle(.started) == [.removeNotices, .deleteAtServer(token)] + owed)
            case .deleting: #expect(machine == before)
            case .none, .asked, .allowed: #expect(actions == [.removeNotices] + owed)
            }
            for event in Self.events where event != .personAsked(UserAction()) && event != .allowed {
                #expect(!machine.handle(event).contains { if case .send = $0 { true } else { false } })
            }
        }
    }

    @Test func `another token replaces the one that the server knows`() {
        var machine = PushTokenMachine(.sent([1]))
        #expect(machine.handle(.token([1])).isEmpty)
        #expect(machine.handle(.token([2])) == [.deleteAtServer([1]), .send([2])])
    }

    @Test func `PR16: of the tokens that a server has not forgotten the newest sixteen are kept in mind, each once`() {
        var machine = PushTokenMachine(.sent([0]))
        for number in UInt8(1)...40 { _ = machine.handle(.token([number])) }
        #expect(machine.state == .registered([40]))
        #expect(machine.owed == (UInt8(24)...39).map { [$0] })
        // One that comes again is owed no more, and is not given up beside itself.
        _ = machine.handle(.token([30]))
        #expect(machine.owed == (UInt8(24)...40).filter { $0 != 30 }.map { [$0] })
    }

    private func reachable(_ events: [PushTokenMachine.Event]) -> Set<PushTokenMachine> {
        var known: Set<PushTokenMachine> = [PushTokenMachine()]
        var open = Array(known)
        while let machine = open.popLast() {
            for event in events {
                var next = machine
                _ = next.handle(event)
                if known.insert(next).inserted { open.append(next) }
            }
        }
        return known
    }
}

/// What must not compile. Each program differs from the first one, which compiles, in one line.
@Suite struct `What the compiler refuses of notices` {
    private static let head = """
        import PavisePrivacy
        let text = "a diagnosis"
        let bytes: [UInt8] = [1]

        """

    @Test func `what is allowed compiles`() throws {
        let allowed = """
            let route = try NoticeRoute.random()
            let notice = Notice("notice.a", .count(NoticeCount(3)), .duration(.seconds(60)), route: route)
            """
        #expect(try CompilerCheck.errors(in: Self.head + allowed) == [])
    }

    @Test(arguments: [
        #"let notice = Notice(text)"#, #"let notice = Notice("a", .text(text))"#,
        #"let notice = Notice("a", NoticeParameter(text: text))"#,
        #"let notice = Notice("a", text)"#, #"let notice = Notice("a", bytes)"#,
        #"let notice = Notice("a", .count(3.5))"#,
        #"let notice = Notice("a", route: text)"#,
        #"var machine = PushTokenMachine(); _ = machine.handle(.personAsked)"#,
    ])
    func `PR14: text and bytes do not get into a notice`(_ line: String) throws {
        #expect(try CompilerCheck.errors(in: Self.head + line) != [])
    }
}
