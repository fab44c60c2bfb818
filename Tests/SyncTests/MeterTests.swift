import Foundation
import PaviseLab
import PavisePrimitives
import SecurityFramework
import Synchronization
import TestSupport
import Testing

@testable import PaviseSync

/// How far a run is.
@Suite struct MeterTests {
    @Test func `rate and rest are what bytes and time say, and are told four times a second`() {
        let time = SharedNumber(10_000)
        let told = Mutex<[SyncProgress]>([])
        let meter = SyncMeter(milliseconds: { time.value }) { progress in told.withLock { $0.append(progress) } }
        meter.expect(0, bytes: 0)
        #expect(told.withLock { $0.isEmpty })
        meter.expect(2, bytes: 4_000)
        #expect(meter.progress.bytesPerSecond == nil && meter.progress.secondsLeft == nil)
        time.value += 2_000
        meter.move(1_000)
        #expect(meter.progress.bytesPerSecond == 500 && meter.progress.secondsLeft == 6)
        for _ in 0..<100 { meter.move(10) }
        meter.finishOne(1_000)
        #expect(told.withLock { $0.count } == 2)
        #expect(meter.progress.done == 1 && meter.progress.all == 2 && meter.progress.bytes == 2_000)
        time.value += 251
        meter.move(9_000)
        #expect(meter.progress.secondsLeft == 0 && told.withLock { $0.count } == 3)
    }

    @Test func `bytes of a remote that counts no pieces count when a content is whole`() {
        let meter = SyncMeter(milliseconds: { 0 }, countsWhole: true) { _ in }
        meter.expect(2, bytes: 30)
        meter.finishOne(10)
        #expect(meter.progress.done == 1 && meter.progress.bytes == 10 && meter.progress.allBytes == 30)
    }

    @Test func `a run counts each content that goes over the network, and its bytes, once`() async throws {
        let stage = try SyncStage()
        for number in 0..<10 { try stage.write("many/\(number)", "content \(number)") }
        try stage.write("alone", "alone")
        for name in ["a", "b"] { stage.server.write(name, Array("from there \(name)".utf8)) }
        let meter = SyncMeter(milliseconds: { 0 }) { _ in }
        let report = try await SecurityEnvironment.$override.withValue(SecurityEnvironment(home: stage.home)) {
            let engine = SyncEngine(
                folder: try PlainFolder(stage.place, marker: "stage", mayMark: true),
                remote: try await WebDAVRemote.open(
                    try stage.address, client: stage.client, meter: meter, sleep: { _ in }),
                journal: try stage.journal(), device: "test", meter: meter, milliseconds: { 1_900_000_000_000 })
            return await engine.run()
        }
        #expect(report.isComplete && stage.files == stage.server.files)
        let progress = meter.progress
        #expect(progress.done == 13 && progress.all == 13, "\(progress)")
        #expect(progress.bytes == stage.files.values.reduce(0) { $0 + $1.count } && progress.bytes == progress.allBytes)
    }
}
