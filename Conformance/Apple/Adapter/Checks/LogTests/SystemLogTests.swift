import Testing
import os

@testable import PaviseLog

/// The sink of Apple's unified log, over one in memory.
@Suite(.serialized) struct SystemLogTests {
    @Test func `each level has its own, under the app's names`() {
        _ = WrittenLog.take()
        for level in LogLevel.allCases {
            let entry = LogEntry(
                level: level, subsystem: "org.example", category: "tests", milliseconds: 0, text: Array("text".utf8))
            #expect(SystemLog().write(entry))
        }
        #expect(
            WrittenLog.take() == ["debug", "info", "notice", "error", "fault"].map { "\($0) org.example tests: text" })
    }

    @Test func `a text is public there, and what was private in it is hidden by us already`() {
        _ = WrittenLog.take()
        let log = Log(subsystem: "org.example", category: "tests", output: LogOutput(sinks: [SystemLog()]))
        let name = "canary"
        log.error("signed in as \(name)")
        let lines = WrittenLog.take()
        #expect(lines.count == 1 && lines[0].hasPrefix("error org.example tests: signed in as «"))
        #expect(!lines[0].contains("canary") && !lines[0].contains("<private>"))
    }
}
