import PaviseDevice
import PavisePrimitives
import TestSupport
import Testing

/// What follows from a wrong answer (ST2, Documentation/Controls/Integrity.md).
@Suite struct SelfTestOpeningTests {
    @Test("ST2: with a wrong answer no device is made, and one that is there is not opened")
    func closed() throws {
        var fixture = try DeviceFixture()
        fixture.environment.selfTest = { "AES-256-GCM" }
        let refused = try #require(throws: DeviceFailure.self) { try fixture.open() }
        #expect(refused.explanation.contains("AES-256-GCM"))
        #expect(!DurableFile.exists(fixture.home.path))
        fixture.environment.selfTest = { nil }
        _ = try fixture.open()
        fixture.environment.selfTest = { "AES-256-GCM" }
        #expect(throws: DeviceFailure.self) { try fixture.open() }
    }
}
