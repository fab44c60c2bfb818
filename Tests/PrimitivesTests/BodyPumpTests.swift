import PavisePrimitives
import Synchronization
import Testing

/// A body that goes into a stream with little room.
@Suite struct BodyPumpTests {
    private final class Body: PumpedBody {
        let bytes: [UInt8]
        let end: Int
        let wanted = Mutex(true)
        init(_ bytes: [UInt8], readable: Int? = nil) {
            self.bytes = bytes
            end = readable ?? bytes.count
        }
        var count: Int { bytes.count }
        var isWanted: Bool { wanted.withLock { $0 } }
        func read(at offset: Int, upTo limit: Int) -> [UInt8]? {
            offset < end ? Array(bytes[offset..<min(end, offset + limit)]) : nil
        }
    }
    private let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }

    /// What a stream got that takes at most `room` bytes at a time.
    private func pumped(_ body: Body, room: Int) -> [UInt8] {
        var (pump, got) = (BodyPump(body), [UInt8]())
        while case .write(let piece) = pump.step(hasRoom: true) {
            #expect(!piece.isEmpty && piece.count <= BodyPump.piece)
            got += piece.prefix(room)
            pump.wrote(min(room, piece.count))
        }
        #expect(pump.step(hasRoom: true) == .close)
        return got
    }

    @Test(arguments: [1_000, 65_536, 1 << 20])
    func `a stream that takes part of a piece gets the rest of it next`(_ room: Int) {
        #expect(pumped(Body(bytes), room: room) == bytes)
    }

    @Test func `a body that cannot be read to its end is closed there`() {
        #expect(pumped(Body(bytes, readable: 100_000), room: 1 << 20) == Array(bytes.prefix(100_000)))
        #expect(pumped(Body([]), room: 1).isEmpty)
    }

    @Test func `without room nothing is read`() {
        var pump = BodyPump(Body(bytes, readable: 0))
        #expect(pump.step(hasRoom: false) == .wait && pump.step(hasRoom: false) == .wait)
        #expect(pump.step(hasRoom: true) == .close)
    }

    @Test(arguments: [0, -1]) func `a stream that takes nothing more ends it`(_ result: Int) {
        var pump = BodyPump(Body(bytes))
        guard case .write = pump.step(hasRoom: true) else {
            Issue.record("nothing was offered")
            return
        }
        pump.wrote(result)
        #expect(pump.step(hasRoom: true) == .close)
    }

    @Test func `a body that nobody wants any more ends`() {
        let body = Body(bytes)
        var pump = BodyPump(body)
        _ = pump.step(hasRoom: true)
        body.wanted.withLock { $0 = false }
        #expect(pump.step(hasRoom: true) == .close)
    }
}
