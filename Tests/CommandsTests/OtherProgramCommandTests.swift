import Foundation
import PaviseCommands
import PavisePrimitives
import TestSupport
import Testing

/// Commands about a connection that another program of this home made (NU-B2).
@Suite struct OtherProgramCommandTests {
    let stage: LockStage
    init() throws { stage = try LockStage() }

    // Every file and folder of the connections, and what the files hold.
    private var files: [String: Data?] {
        let home = stage.home.connections
        let names = FileManager.default.enumerator(atPath: home)?.allObjects as? [String] ?? []
        return Dictionary(
            uniqueKeysWithValues: names.map { ($0, FileManager.default.contents(atPath: home + "/" + $0)) })
    }

    @Test("NU-B2: disconnecting another program's connection is status 3, names the program, and touches nothing")
    func disconnect() async throws {
        #expect(await stage.connect() == .done)
        let before = files
        #expect(!before.isEmpty)
        let other = await stage.run(as: ["org.other"], "disconnect", "work")
        #expect(other.status == .refused)
        #expect(other.status.rawValue == 3)
        #expect(other.messages.contains("was made by “pavise.test”"))
        #expect(other.messages.contains("nothing was wiped, and nothing revoked"))
        #expect(files == before)
        // By its identifier, too.
        let identifier = try #require(before.keys.first { !$0.contains("/") && !$0.hasPrefix(".") })
        #expect(await stage.run(as: ["org.other"], "disconnect", identifier).status == .refused)
        #expect(files == before)
        #expect(await stage.run("connections").output.contains("work"))
        #expect(await stage.run("disconnect", "work").status == .done)
    }
}
