import PavisePrivacy
import Testing

@Suite struct ScreenMachineTests {
    /// What is true outside, counted another way than the machine does.
    private struct World: Hashable {
        var isActive = false, isBackground = false, isCaptured = false, isLocked = false, isUnavailable = false
        var isPrompting = false

        mutating func take(_ event: ScreenMachine.Event) {
            switch event {
            case .becameActive: (isActive, isBackground, isPrompting) = (true, false, isPrompting)
            case .willResignActive: isActive = false
            case .didEnterBackground: (isActive, isBackground) = (false, true)
            case .willEnterForeground: isBackground = false
            case .captureBegan: isCaptured = true
            case .captureEnded: isCaptured = false
            case .appLocked: isLocked = true
            case .appUnlocked: isLocked = false
            case .dataBecameUnavailable: isUnavailable = true
            case .dataBecameAvailable: isUnavailable = false
            case .ownPromptBegan, .ownPromptEnded: isPrompting = true
            case .screenshotTaken: break
            }
        }

        var mustBeCovered: Bool {
            isBackground || isCaptured || isLocked || isUnavailable || (!isActive && !isPrompting)
        }
    }

    private struct Pair: Hashable {
        var machine = ScreenMachine()
        var world = World()
    }

    @Test func `PR11: in every order of events, of any length, the content shows only when nothing is against it`() {
        var known: Set<Pair> = [Pair()]
        var open = Array(known)
        while let pair = open.popLast() {
            for event in ScreenMachine.Event.allCases {
                var next = pair
                let actions = next.machine.handle(event)
                next.world.take(event)
                if next.world.mustBeCovered { #expect(next.machine.isCovered, "\(pair) \(event)") }
                #expect(actions.contains(.cover) == (!pair.machine.isCovered && next.machine.isCovered))
                #expect(actions.contains(.uncover) == (pair.machine.isCovered && !next.machine.isCovered))
                if event == .didEnterBackground { #expect(next.machine.isCovered && actions.contains(.clearClipboard)) }
                if known.insert(next).inserted { open.append(next) }
            }
        }
        #expect(known.count > 100)
    }

    private func play(_ events: ScreenMachine.Event..., isLocked: Bool = false) -> [ScreenMachine.Action] {
        var machine = ScreenMachine(isLocked: isLocked)
        return events.flatMap { machine.handle($0) }
    }

    @Test func `PR11: leaving covers before the picture is taken, and the inactive of the return does not uncover`() {
        #expect(play(.becameActive, .willResignActive) == [.uncover, .cover])
        #expect(
            play(.becameActive, .willResignActive, .didEnterBackground, .willEnterForeground).last == .clearClipboard)
        #expect(play(.becameActive, .didEnterBackground).contains(.cover))
    }

    @Test func `PR11: a closed lock and a recording keep the cover`() {
        #expect(play(.becameActive, isLocked: true).isEmpty)
        #expect(play(.becameActive, .appUnlocked, isLocked: true) == [.uncover])
        #expect(play(.captureBegan, .becameActive).isEmpty)
    }

    @Test func `PR12: a prompt of the app's own does not flash the cover`() {
        #expect(
            play(.becameActive, .ownPromptBegan, .willResignActive, .ownPromptEnded, .willResignActive, .becameActive)
                == [.uncover])
        // Leaving during the prompt covers all the same.
        #expect(play(.becameActive, .ownPromptBegan, .willResignActive, .didEnterBackground).contains(.cover))
        // The next leave after the prompt is a leave.
        #expect(play(.becameActive, .ownPromptBegan, .ownPromptEnded, .becameActive, .willResignActive).last == .cover)
    }

    @Test func `PR13: a screenshot is told once`() {
        #expect(play(.becameActive, .screenshotTaken, .screenshotTaken) == [.uncover, .warnOfScreenshot])
    }

    @Test func `reports of focus are taken out of what was typed`() {
        let (rest, events) = TerminalScreen.events(in: Array("27\u{1B}[O18\u{1B}[I2\u{1B}[A\u{1B}[".utf8))
        #expect(String(decoding: rest, as: UTF8.self) == "27182\u{1B}[A\u{1B}[")
        #expect(events == [.willResignActive, .becameActive])
    }

    @Test func `the terminal is cleared with its scroll-back, and left as it was`() {
        #expect(TerminalScreen.sequence(for: .cover).contains("\u{1B}[3J"))
        #expect(TerminalScreen.leave.contains("\u{1B}[?1049l") && TerminalScreen.leave.contains("\u{1B}[?1004l"))
    }
}
