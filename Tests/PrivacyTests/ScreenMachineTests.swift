import Foundation
import PaviseLog
import PavisePrimitives
import PavisePrivacy
import Testing

@Suite struct ScreenMachineTests {
    /// What is true outside, counted another way than the machine does.
    private struct World: Hashable {
        var isActive = false, isBackground = false, isCaptured = false, isLocked = false, isUnavailable = false
        // A prompt of the app's own is there; or it took the focus, is gone, and the focus is on its way back.
        var isPrompting = false, isReturning = false

        mutating func take(_ event: ScreenMachine.Event) {
            switch event {
            case .becameActive: (isActive, isBackground, isReturning) = (true, false, false)
            case .willResignActive: isActive = false
            case .didEnterBackground:
                (isActive, isBackground, isPrompting, isReturning) = (false, true, false, false)
            case .willEnterForeground: isBackground = false
            case .captureBegan: isCaptured = true
            case .captureEnded: isCaptured = false
            case .appLocked: isLocked = true
            case .appUnlocked: isLocked = false
            case .dataBecameUnavailable: isUnavailable = true
            case .dataBecameAvailable: isUnavailable = false
            case .ownPromptBegan: isPrompting = true
            case .ownPromptEnded:
                isReturning = isReturning || (isPrompting && !isActive)
                isPrompting = false
            case .remainedInactive: (isActive, isReturning) = (false, false)
            case .screenshotTaken: break
            }
        }

        var mustBeCovered: Bool {
            isBackground || isCaptured || isLocked || isUnavailable || (!isActive && !isPrompting && !isReturning)
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
                let closes = event == .appLocked && !pair.machine.reasons.contains(.locked)
                #expect(actions.contains(.withdrawNotices) == closes)
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

    @Test func `E2: a lock that closes takes back what a desktop shows and keeps of the notices, once`() {
        #expect(play(.becameActive, .appLocked, .appLocked) == [.uncover, .cover, .withdrawNotices])
        // Also behind a cover that is there already, and each time that it closes.
        #expect(play(.appLocked, .appUnlocked, .appLocked) == [.withdrawNotices, .withdrawNotices])
        #expect(TerminalScreen.sequence(for: .withdrawNotices).isEmpty)
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
        // A second prompt after the first, without the focus between them.
        #expect(
            play(
                .becameActive, .ownPromptBegan, .willResignActive, .ownPromptEnded, .ownPromptBegan, .ownPromptEnded,
                .willResignActive, .becameActive) == [.uncover])
    }

    @Test func `PR12: a prompt that never took the focus leaves the next leave a leave`() {
        #expect(play(.becameActive, .ownPromptBegan, .ownPromptEnded, .willResignActive) == [.uncover, .cover])
        #expect(
            play(
                .becameActive, .ownPromptBegan, .willResignActive, .becameActive, .ownPromptEnded, .willResignActive)
                == [.uncover, .cover])
    }

    @Test func `PR12: a prompt that ends while another program has the focus covers when an adapter looks`() {
        let ended: [ScreenMachine.Event] = [.becameActive, .ownPromptBegan, .willResignActive, .ownPromptEnded]
        var machine = ScreenMachine()
        for event in ended { _ = machine.handle(event) }
        #expect(!machine.isCovered && machine.handle(.remainedInactive) == [.cover])
        // The next prompt is there already: it asks for the focus, and its own end is looked at.
        #expect(
            play(
                .becameActive, .ownPromptBegan, .willResignActive, .ownPromptEnded, .ownPromptBegan, .remainedInactive)
                == [.uncover])
    }

    @Test func `PR13: a screenshot is told once`() {
        #expect(play(.becameActive, .screenshotTaken, .screenshotTaken) == [.uncover, .warnOfScreenshot])
    }

    @Test
    func `PR13: each screenshot and recording is written to the log, in release builds too, and no other event is`() {
        #expect(
            ScreenMachine.Event.allCases.compactMap(\.logged) == [
                AuditEvent(.screenCaptured), AuditEvent(.screenshotTaken),
            ])
        #expect(ScreenMachine.Event.captureBegan.logged?.name.rawValue == "screen.captured")
        #expect(AuditEvent.Name.screenCaptured.isAlarming)
        #expect(ScreenMachine.Event.screenshotTaken.logged?.name.rawValue == "screen.screenshot")
        #expect(AuditEvent.Name.screenshotTaken.isAlarming)
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

@Suite struct TerminalSceneTests {
    private static let lost = Array("\u{1B}[O".utf8)
    private static let found = Array("\u{1B}[I".utf8)

    private func scene(rows: Int = 6, columns: Int = 20) -> TerminalScene {
        TerminalScene(rows: rows, columns: columns, cover: "covered")
    }

    /// The rows that a whole drawing shows.
    private func rows(_ shown: String) -> [String] {
        (shown.components(separatedBy: "\u{1B}[2J\u{1B}[H").last ?? "").components(separatedBy: "\r\n")
    }

    @Test func `without the focus nothing is drawn but the cover, whatever comes`() {
        var scene = scene()
        _ = scene.show("canary\n") + scene.ask("> ")
        #expect(rows(scene.take(Self.lost).shown) == ["covered"])
        #expect(scene.isCovered)
        #expect((scene.show("canary again\n") + scene.ask("canary> ")).isEmpty)
        #expect(scene.take(Self.lost).shown.isEmpty)
        #expect(rows(scene.take(Self.found).shown) == ["canary", "canary again", "canary> "])
    }

    @Test func `who types has the focus, and what a terminal tells by itself is no typing`() {
        var scene = scene()
        _ = scene.ask("> ")
        _ = scene.take(Self.lost)
        #expect(scene.take(Array("\u{1B}[?1;2c\u{1B}]52;c;eA==\u{7}\u{1B}x".utf8)).shown.isEmpty && scene.isCovered)
        #expect(rows(scene.take(Array("a".utf8)).shown) == ["> a"] && !scene.isCovered)
    }

    @Test func `a stop covers, and going on draws for the terminal's new size`() {
        var scene = scene()
        _ = scene.show((1...9).map { "row \($0)\n" }.joined()) + scene.ask("> ")
        _ = scene.take(Self.lost)
        #expect(rows(scene.continued(rows: 3, columns: 20)) == ["row 8", "row 9", "> "])
    }

    @Test func `a line is edited, and several that were pasted come one after the other`() {
        var scene = scene()
        _ = scene.ask("> ")
        #expect(scene.take(Array("abc\u{7F}d\u{15}se".utf8)).line == nil)
        let step = scene.take(Array("lect\nnext\nrest".utf8))
        #expect(step.line == "select")
        _ = scene.ask("> ")
        #expect(scene.take([]).line == "next")
        _ = scene.ask("> ")
        let last = scene.take([])
        #expect(last.line == nil && !last.isOver)
        #expect(!scene.take([4]).isOver, "a line has begun")
        #expect(scene.take([0x15, 4]).isOver)
    }

    // ECMA-48, 5.4: the last byte of a control sequence is 4/0 to 7/14.
    @Test func `a control sequence ends with the first byte that may end one`() {
        var scene = scene()
        _ = scene.ask("> ")
        #expect(scene.take(Array("\u{1B}[1@a\u{1B}[2~b\u{1B}[@c\n".utf8)).line == "abc")
    }

    @Test func `a character and a sequence in parts wait for the rest`() {
        var scene = scene()
        _ = scene.ask("> ")
        #expect(scene.take([0xC3]).shown.isEmpty)
        #expect(scene.take([0xBC]).shown == "ü")
        #expect(scene.take([0x1B]).shown.isEmpty && scene.take([0x5B]).shown.isEmpty)
        #expect(rows(scene.take([0x4F]).shown) == ["covered"])
    }

    @Test(arguments: ["\u{1B}", "\u{1B}\u{1B}", "\u{1B}[", "\u{1B}[1;", "\u{1B}]", "\u{1B}]52;c;eA", "\u{1B}O"])
    func `E2: the focus that is lost covers, whatever key with an escape came just before`(_ typed: String) {
        var scene = scene()
        _ = scene.show("canary\n") + scene.ask("> ")
        #expect(scene.take(Array(typed.utf8)).shown.isEmpty)
        #expect(rows(scene.take(Self.lost).shown) == ["covered"] && scene.isCovered)
        #expect(rows(scene.take(Self.found).shown).last == "> ")
    }

    // ECMA-48, 8.3.89 and 8.3.143: OSC ends with ST; xterm takes BEL too.
    @Test(arguments: ["\u{1B}\\", "\u{7}", "\u{18}", "\u{1A}"])
    func `a string of the terminal ends with its own end, and what is typed behind it comes at once`(_ end: String) {
        var scene = scene()
        _ = scene.ask("> ")
        #expect(scene.take(Array("\u{1B}]11;rgb:0000/0000/0000\(end)a".utf8)).shown == "a")
        let parts = Array("\u{1B}]11;?\(end)".utf8)
        for byte in parts { #expect(scene.take([byte]).shown.isEmpty) }
        #expect(scene.take(Array("b\n".utf8)).line == "ab")
    }

    @Test func `a key that a terminal sends in three bytes types nothing`() {
        var scene = scene()
        _ = scene.ask("> ")
        #expect(scene.take(Array("\u{1B}OPa\u{1B}OSb\u{1B}OAc\u{1B}OBd\n".utf8)).line == "abcd")
    }

    @Test func `it never draws more rows than there are, so that nothing is scrolled into what a terminal keeps`() {
        var scene = scene(rows: 4, columns: 10)
        let shown = scene.show(String(repeating: "long line of words ", count: 20) + "\nend 漢字漢字漢字\n") + scene.ask("> ")
        #expect(rows(shown).count == 4 && rows(shown).last == "> ")
        #expect(rows(shown).dropLast().contains("end 漢字漢") && rows(shown).allSatisfy { $0.count <= 10 })
        #expect(rows(scene.take(Array("\u{1B}[A".utf8)).shown).count <= 4)
        #expect(rows(scene.take(Array("\u{1B}[6~".utf8)).shown).last == "> ")
    }

    @Test func `control characters of an answer, and of what is typed, do nothing`() {
        var scene = scene()
        let shown = scene.show("a\u{1B}]52;c;eA==\u{7}b\u{9B}\n")
        #expect(rows(shown).first == "a\u{FFFD}]52;c;eA==\u{FFFD}b\u{FFFD}")
        _ = scene.ask("> ")
        #expect(scene.take([0xC2, 0x9B, 0x01]).shown.isEmpty)
    }

    @Test func `memory has a bound`() {
        var scene = scene()
        _ = scene.show(String(repeating: "x\n", count: TerminalScene.rowLimit + 10))
        _ = scene.ask("> ")
        _ = scene.take(Array(repeating: 0x61, count: TerminalScene.lineLimit + 10))
        #expect(scene.take([10]).line?.count == TerminalScene.lineLimit)
    }
}

@Suite struct TerminalPromptTests {
    private static let lost = "\u{1B}[O"
    private static let found = "\u{1B}[I"
    private static let clear = "\r\u{1B}[2K"

    /// What a prompt shows of each piece that is typed, the line, and whether it is all.
    private func type(
        _ pieces: [String], cover: String? = "covered", limit: Int = 16
    ) -> (shown: [String], line: [UInt8], isWhole: Bool) {
        var prompt = TerminalPrompt("For 2 accounts.\nPIN: ", cover: cover, limit: limit)
        var shown: [String] = []
        for piece in pieces { shown.append(prompt.take(Array(piece.utf8))) }
        return (shown, prompt.secret().withBytes { span in Array(span) }, prompt.isWhole)
    }

    @Test func `E2: a question is covered without the focus, comes back with it, and nothing typed is shown`() {
        let typed = type(["12", Self.lost, Self.lost, Self.found, "34", "\n"])
        #expect(typed.shown == ["", Self.clear + "covered", "", Self.clear + "PIN: ", "", "\n"])
        #expect(typed.line == Array("1234".utf8) && typed.isWhole)
    }

    @Test func `a report of focus is no part of a secret, however it is parted, and what only looks like one is`() {
        #expect(type(["a\u{1B}", "[", "Ob\u{1B}[Ic\r"]).line == Array("abc".utf8))
        #expect(type(["\u{1B}[A\n"]).line == Array("\u{1B}[A".utf8))
        #expect(type(["\u{1B}[Ox\n"], cover: nil).line == Array("\u{1B}[Ox".utf8))
    }

    @Test(arguments: ["\u{1B}", "\u{1B}\u{1B}", "\u{1B}["])
    func `E2: the focus that is lost covers a question, also behind the key Escape`(_ typed: String) {
        let question = type([typed, Self.lost, "1\n"])
        #expect(question.shown == ["", Self.clear + "covered", Self.clear + "PIN: \n"])
        #expect(question.line == Array("\(typed)1".utf8))
    }

    @Test func `who types has the focus, also where the terminal did not tell`() {
        #expect(type([Self.lost, "1"]).shown == [Self.clear + "covered", Self.clear + "PIN: "])
    }

    @Test func `the keys of a terminal take back a character and the line, and end it`() {
        #expect(type(["a\u{E9}\u{7F}\u{8}\u{8}b\u{4}"]).line == Array("b".utf8))
        #expect(type(["wrong\u{15}right\tone\n"]).line == Array("right\tone".utf8))
    }

    @Test func `a line beyond the limit, and something behind its end, are not all`() {
        #expect(type([String(repeating: "x", count: 16) + "\n"]).isWhole)
        #expect(!type([String(repeating: "x", count: 17) + "\n"]).isWhole)
        #expect(!type(["a\nb"]).isWhole && type(["a\nb"]).line == Array("a".utf8))
    }

    @Test func `after a stop the question comes again, and what was typed before is gone`() {
        for (cover, shown) in [("covered", Self.clear + "PIN: "), (nil, "\nPIN: ")] {
            var prompt = TerminalPrompt("PIN: ", cover: cover, limit: 16)
            _ = prompt.take(Array("12".utf8))
            #expect(prompt.continued() == shown)
            _ = prompt.take(Array("34\n".utf8))
            #expect(prompt.secret().withBytes { span in Array(span) } == Array("34".utf8))
        }
    }
}
