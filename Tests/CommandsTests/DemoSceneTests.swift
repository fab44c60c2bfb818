import Testing

@testable import PaviseCommands

/// The play of `pavise demo`, scene by scene.
@Suite struct DemoSceneTests {
    @Test(arguments: Scene.all.map(\.number))
    func `the control of each scene holds`(_ number: Int) async throws {
        let scene = try #require(Scene.all.first { $0.number == number })
        let report = await scene.perform(with: nil)
        #expect(report.failure == nil, "\(scene.title)")
        #expect(!report.evidence.isEmpty)
    }
}
