import Foundation
import PavisePrimitives
import Testing

@testable import Pavise
@testable import PaviseProtectedStorage

/// What stays in memory of an app's keys where nobody looks: the system may suspend it there.
@Suite struct KeysInBackgroundTests {
    @Test func `DR9: an app that leaves keeps no key of its open files, and goes on with them when it is back`() throws
    {
        let world = try SecurityWorld()
        try world.inHomeNow {
            let app = try world.app()
            let files = try app.files
            let file = try files.put([1, 2], named: "a", protection: .complete)
            let reader = try files.open(file)
            #expect(try reader.readAll(limit: 9) == [1, 2])
            #expect(reader.key.isHeld)
            app.lock.enterBackground()
            #expect(!reader.key.isHeld)
            app.lock.enterForeground()
            #expect(try reader.readAll(limit: 9) == [1, 2])
            #expect(reader.key.isHeld)
        }
    }
}
