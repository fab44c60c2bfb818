import Foundation
import PaviseAppLock
import PavisePrimitives
import PaviseVault
import SecurityFramework
import TestSupport
import Testing

/// The lock's own file: what it says no with keeps its kind.
@Suite struct LockFileTests {
    let fixture: LockFixture
    init() throws { fixture = try LockFixture() }

    private var path: String { fixture.home.path + "/applock.lock" }

    private func refusal() throws -> AppLockFailure? {
        let uses = fixture.element.uses
        let refusal = fixture.lock().refusal("830597")
        #expect(fixture.element.uses == uses)
        return refusal
    }

    private func isUnusable(_ failure: AppLockFailure?) -> Bool {
        guard case .unusableFile(let reason)? = failure else { return false }
        return !reason.isEmpty && failure?.description.contains(reason) == true
    }

    @Test(
        "a lock file that is a link, a pipe, a folder, or that others may open is refused, and is not “busy”",
        arguments: 0..<4)
    func refused(_ way: Int) throws {
        try fixture.run {
            try fixture.lock().set("830597")
            try DurableFile.remove(path)
            switch way {
            case 0: #expect(unsafe symlink(fixture.home.path + "/elsewhere", path) == 0)
            case 1: #expect(unsafe mkfifo(path, 0o600) == 0)
            case 2: #expect(unsafe mkdir(path, 0o700) == 0)
            default:
                try DurableFile.write([UInt8]().span, to: path)
                #expect(unsafe chmod(path, 0o666) == 0)
            }
            #expect(try isUnusable(refusal()))
            #expect(isUnusable(failure { try fixture.lock().startOver() }))
            guard case .notWritten(let reason)? = orderFailure({ try fixture.lock().installation() }) else {
                Issue.record("another kind")
                return
            }
            #expect(reason.contains("lock's own file"))
            #expect(unsafe remove(path) == 0)
            #expect(fixture.lock().refusal("830597") == nil)
        }
    }

    @Test("a folder that is none is refused as such")
    func folder() throws {
        try fixture.run {
            try fixture.lock().set("830597")
            let file = fixture.home.path + "/file"
            try DurableFile.write([1].span, to: file)
            #expect(isUnusable(fixture.lock { $0.folder = file }.refusal("830597")))
        }
    }
}
