import Foundation
import PaviseDevice
import PavisePrimitives
import TestSupport
import Testing

@Suite struct ThrottleTests {
    let fixture: DeviceFixture
    var time: ManualTime { fixture.time }
    init() throws { fixture = try DeviceFixture() }

    private static let standard: [Int64?] = [0, 0, 0, 0, 60, 300, 900, 900, 3600, 3600, 3600]
    private static let strict: [Int64?] = [0, 0, 0, 60, 300, 900, 3600, 10_800, 28_800, nil, nil]

    @Test("DP4: the table is enforced to the second", arguments: ThrottlePolicy.Preset.allCases)
    func table(_ preset: ThrottlePolicy.Preset) throws {
        let device = try fixture.device("1234", ThrottlePolicy(preset))
        for (index, delay) in (preset == .standard ? Self.standard : Self.strict).enumerated() {
            #expect(device.refusal("wrong \(index)") == .wrongPasscode, "try \(index + 1)")
            guard let delay else {
                #expect(device.refusal("1234") == .passcodeBlocked)
                return
            }
            guard delay > 0 else { continue }
            time.advance(seconds: Double(delay) - 1)
            #expect(device.refusal("1234") == .tryLater(seconds: 1), "after \(index + 1) failures")
            #expect(try device.report().wait == 1)
            time.advance(seconds: 1)
        }
        try device.unlock("1234")
        #expect(device.refusal("wrong") == .wrongPasscode)
        #expect(device.refusal("again") == .wrongPasscode)
    }

    @Test("DP4: a restart begins the running delay again, and not more than once a boot")
    func restart() throws {
        let device = try fixture.device()
        for index in 0..<5 { _ = device.refusal("wrong \(index)") }
        time.advance(seconds: 59)
        time.reboot()
        let again = try fixture.open()
        #expect(again.refusal("1234") == .tryLater(seconds: 60))
        time.advance(seconds: 30)
        #expect(again.refusal("1234") == .tryLater(seconds: 30))
        time.advance(seconds: 30)
        #expect(again.refusal("1234") == nil)
    }

    @Test("DP3: a clock that is set gains no try", arguments: [0, 4_000_000_000])
    func wallClock(_ seconds: Int64) throws {
        let device = try fixture.device()
        for index in 0..<5 { _ = device.refusal("wrong \(index)") }
        time.setWall(seconds: seconds)
        #expect(device.refusal("1234") == .tryLater(seconds: 60))
        #expect(try fixture.open().refusal("1234") == .tryLater(seconds: 60))
    }

    @Test("DP3: a try is on the disk before it is judged")
    func countedFirst() throws {
        let device = try fixture.device()
        for index in 0..<4 {
            #expect(crashing(after: .attemptCounted) { try device.unlock("1234") })
            #expect(try fixture.open().report().failures == index + 1)
        }
        #expect(crashing(after: .attemptCounted) { try device.unlock("1234") })
        #expect(try fixture.open().refusal("1234") == .tryLater(seconds: 60))
    }

    @Test("DP3: a try that the element could not judge is not counted, and ten of them erase nothing")
    func notJudged() throws {
        var environment = fixture.environment
        environment.elements = ElementChoice([.software])
        let device = try Device.open(fixture.home, environment)
        try device.setPasscode(
            SecretBytes(utf8: "1234"), policy: ThrottlePolicy(erasesAtLimit: true), cost: DeviceFixture.cheap)
        let folder = fixture.home.device + "/guards"
        let path = folder + "/" + (try #require(Folder.names(in: folder).first))
        // A file that others may read is refused, as one is that cannot be read at all.
        #expect(unsafe chmod(path, 0o644) == 0)
        for index in 0..<12 {
            let refusal = device.refusal(index == 0 ? "1234" : "guess \(index)")
            if case .system? = refusal { continue }
            Issue.record("\(String(describing: refusal))")
        }
        #expect(try device.report().failures == 0)
        #expect(unsafe chmod(path, 0o600) == 0)
        #expect(device.refusal("wrong") == .wrongPasscode)
        #expect(device.refusal("1234") == nil)
    }

    @Test("DP3: to ask for the state changes nothing, not even a record of failures that is lost")
    func asking() throws {
        let device = try fixture.device()
        let path = fixture.home.device + "/attempts"
        try DurableFile.remove(path)
        let report = try device.report()
        #expect(report.failures == 9 && report.wait == 3600)
        #expect(!DurableFile.exists(path))
        #expect(device.refusal("1234") == .tryLater(seconds: 3600))
        #expect(DurableFile.exists(path))
    }

    @Test("DP3: the same wrong passcode again counts once, another one counts, the right one clears")
    func repeated() throws {
        let device = try fixture.device()
        for _ in 0..<20 { #expect(device.refusal("1111") == .wrongPasscode) }
        #expect(try device.report().failures == 1)
        _ = device.refusal("2222")
        #expect(try device.report().failures == 2)
        // Remembered in memory only: another process counts it.
        _ = try fixture.open().refusal("2222")
        #expect(try device.report().failures == 3)
        try device.unlock("1234")
        #expect(try device.report().failures == 0)
    }

    @Test("DP3: ten failures erase when it is enabled, once, and a new device begins")
    func erase() throws {
        let device = try fixture.device("1234", ThrottlePolicy(erasesAtLimit: true))
        let fingerprint = try device.fingerprint(.whenUnlocked)
        for index in 1...10 {
            let refusal = device.refusal("wrong \(index)")
            #expect(refusal == (index == 10 ? .erased : .wrongPasscode), "try \(index)")
            time.advance(seconds: 4000)
        }
        #expect(device.refusal("1234") != nil)
        #expect((try? device.snapshot()) == nil)
        let next = try fixture.open()
        #expect(try !next.hasPasscode())
        #expect(try next.fingerprint(.whenUnlocked) != fingerprint)
        #expect(next.refusal("1234") == .noPasscode)
    }

    @Test("DP3: without it, ten failures erase nothing")
    func noErase() throws {
        let device = try fixture.device()
        for index in 1...12 {
            #expect(device.refusal("wrong \(index)") == .wrongPasscode)
            time.advance(seconds: 4000)
        }
        try device.unlock("1234")
    }

    @Test("DP3: a kill between the tenth count and its judgement erases at the next try")
    func killedTenth() throws {
        let device = try fixture.device("1234", ThrottlePolicy(erasesAtLimit: true))
        for index in 1...9 {
            _ = device.refusal("wrong \(index)")
            time.advance(seconds: 4000)
        }
        #expect(crashing(after: .attemptCounted) { try device.unlock("guess") })
        #expect(try fixture.open().refusal("guess") == .erased)
    }

    @Test(
        "DP3: a lost, altered or foreign record of failures brings the longest delay, not a fresh start",
        arguments: ["lost", "altered", "foreign", "cut", "long"])
    func lostRecord(_ how: String) throws {
        let device = try fixture.device()
        let path = fixture.home.device + "/attempts"
        let stored = try DurableFile.read(path, limit: 512)
        switch how {
        case "lost": try DurableFile.remove(path)
        case "altered":
            var changed = stored
            changed[1] = 3
            try DurableFile.write(changed.span, to: path)
        case "foreign":
            let other = try DeviceFixture()
            _ = try other.device()
            let foreign = try DurableFile.read(other.home.device + "/attempts", limit: 512)
            try DurableFile.write(foreign.span, to: path)
        case "long":
            let long = stored + [UInt8](repeating: 0, count: 1024)
            try DurableFile.write(long.span, to: path)
        default:
            let cut = Array(stored.dropLast())
            try DurableFile.write(cut.span, to: path)
        }
        #expect(device.refusal("1234") == .tryLater(seconds: 3600))
        time.advance(seconds: 3600)
        #expect(device.refusal("1234") == nil)
    }

    @Test("DP3: many at the same moment gain no try")
    func parallel() async throws {
        let device = try fixture.device()
        let fixture = fixture
        let refusals = await withTaskGroup(of: DeviceFailure?.self) { group in
            for index in 0..<16 {
                group.addTask { try? fixture.open().refusal("wrong \(index)") }
            }
            return await group.reduce(into: [DeviceFailure?]()) { $0.append($1) }
        }
        #expect(refusals.count { $0 == .wrongPasscode } == 5)
        #expect(refusals.count { $0 == .tryLater(seconds: 60) } == 11)
        #expect(try device.report().failures == 5)
    }
}
