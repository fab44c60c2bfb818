import PavisePrimitives
import Testing

/// What the kernel says about networks (rtnetlink(7)), byte by byte.
@Suite struct NetworkTableTests {
    private static func little(_ value: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }

    /// A message of `kind` with a body and attributes that nobody reads.
    static func message(_ kind: UInt16, _ body: [UInt8], padding: Int = 0) -> [UInt8] {
        let length = 16 + body.count
        return little(UInt32(length)) + [UInt8(kind & 0xFF), UInt8(kind >> 8), 0, 0] + little(7) + little(0) + body
            + [UInt8](repeating: 0, count: padding)
    }

    static func link(_ index: UInt32, flags: UInt32, isGone: Bool = false) -> [UInt8] {
        message(isGone ? 17 : 16, [0, 0, 1, 0] + little(index) + little(flags) + little(0))
    }

    static func address(flags: UInt8 = 0, isGone: Bool = false) -> [UInt8] {
        message(isGone ? 21 : 20, [2, 8, flags, 0] + little(1))
    }

    static func route(flags: UInt32 = 0, isGone: Bool = false) -> [UInt8] {
        message(isGone ? 25 : 24, [2, 0, 0, 0, 254, 3, 0, 1] + little(flags))
    }

    private static let (up, running): (UInt32, UInt32) = (1, 0x40)

    @Test func `a link counts when it comes up, and not while it is`() {
        var table = NetworkTable()
        #expect(table.read(Self.link(2, flags: Self.up)) == [])
        #expect(table.read(Self.link(2, flags: Self.up | Self.running)) == .gained)
        // A scan of a radio tells the same again.
        #expect(table.read(Self.link(2, flags: Self.up | Self.running)) == [])
        #expect(table.read(Self.link(3, flags: Self.up | Self.running)) == .gained)
        #expect(table.read(Self.link(2, flags: Self.up)) == .lost)
        #expect(table.read(Self.link(3, flags: Self.up | Self.running, isGone: true)) == .lost)
        #expect(table.read(Self.link(3, flags: 0, isGone: true)) == [])
    }

    @Test(arguments: [
        (address(), NetworkChanges.gained), (address(flags: 0x40), NetworkChanges()), (address(isGone: true), .lost),
        (route(), .gained), (route(flags: 0x200), NetworkChanges()), (route(isGone: true), .lost),
        (message(28, [0, 0, 0, 0]), NetworkChanges()),
    ])
    func `addresses and routes count when they can be used`(_ bytes: [UInt8], _ changes: NetworkChanges) {
        var table = NetworkTable()
        #expect(table.read(bytes) == changes)
    }

    @Test func `several messages lie behind each other, at multiples of four`() {
        var table = NetworkTable()
        let bytes = Self.message(28, [1], padding: 3) + Self.address(isGone: true) + Self.route()
        #expect(table.read(bytes) == [.lost, .gained])
    }

    @Test func `what cannot be read may be anything, and never traps`() {
        let whole = Self.link(2, flags: 0x41) + Self.address() + Self.route()
        for count in 1..<whole.count where ![Self.link(2, flags: 0).count, 32 + 24].contains(count) {
            var table = NetworkTable()
            #expect(table.read(Array(whole.prefix(count))).contains(.unknown), "\(count)")
        }
        for position in whole.indices {
            for value in [UInt8(0), 1, 15, 16, 0x7F, 0x80, 0xFF] {
                var bytes = whole
                bytes[position] = value
                var table = NetworkTable()
                _ = table.read(bytes)
            }
        }
        var table = NetworkTable()
        #expect(table.read(Self.message(16, [0, 0])) == .unknown && table.read(Self.message(20, [])) == .unknown)
        #expect(table.read(Self.message(24, [])) == .unknown && table.read([]) == [])
    }

    @Test func `more links than are kept in mind cost a wake-up, and no memory`() {
        var table = NetworkTable()
        for index in 0..<UInt32(NetworkTable.limit * 2) { _ = table.read(Self.link(index, flags: 0x41)) }
        #expect(table.read(Self.link(.max, flags: 0x41)) == .gained)
        // The last one is in mind, and the first ones are not any more.
        #expect(table.read(Self.link(.max, flags: 0x41)) == [])
        #expect(table.read(Self.link(0, flags: 0x41)) == .gained)
    }

    @Test(arguments: [
        (Int64(0), SystemChange.clockSet), (499, .clockSet), (500, .woke(afterMilliseconds: 500)),
        (36_000_000, .woke(afterMilliseconds: 36_000_000)), (-7, .clockSet),
    ])
    func `a jump of the wall clock is a sleep where the clocks say so`(_ slept: Int64, _ meaning: SystemChange) {
        let before = SleepGauge(withSleep: 5_000, awake: 4_000)
        let now = SleepGauge(withSleep: 65_000 + slept, awake: 64_000)
        #expect(now.meaning(since: before) == meaning)
    }
}
