import Foundation
import PaviseDevice
import PavisePrimitives
import PaviseProtectedStorage
import PaviseStorage
import SecurityFramework
import Synchronization
import TestSupport
import Testing

/// A clock that a test sets.
private final class CacheClock: Sendable {
    private let wall = Mutex<Int64>(1_800_000_000_000)
    var source: TimeSource {
        TimeSource(wall: { [self] in wall.withLock { $0 } }, boot: { [self] in wall.withLock { $0 } }, epoch: { "a" })
    }
    func advance(seconds: Int64) { wall.withLock { $0 += seconds * 1_000 } }
}

/// Images in a container: how long, how many, whose.
@Suite struct ImageCacheTests {
    let folder: TemporaryFolder
    let lock = LockSwitch()
    private let time = CacheClock()
    let container: ProtectedContainer

    init() throws {
        folder = try TemporaryFolder()
        let home = PaviseHome(path: folder.path + "/home")
        container = try SecurityEnvironment.$override.withValue(SecurityEnvironment(home: home, lock: lock)) {
            try ProtectedContainer.open("images", in: home)
        }
    }

    private func open(_ byteLimit: Int = 1 << 20) throws -> ImageCache {
        try ImageCache.open(in: container, protection: .complete, byteLimit: byteLimit, time: time.source)
    }

    @Test func `DR22: an image is kept for seven days from storing, however often it is used`() throws {
        let cache = try open()
        try cache.keep([1, 2], for: "/a", user: "alice")
        for _ in 0..<6 {
            time.advance(seconds: 86_400)
            #expect(try cache.image(for: "/a", user: "alice") == [1, 2])
        }
        time.advance(seconds: 86_399)
        #expect(try cache.image(for: "/a", user: "alice") == [1, 2])
        time.advance(seconds: 1)
        #expect(try cache.image(for: "/a", user: "alice") == nil)
    }

    @Test func `DR22: one of a time to come is none, so that setting the clock back keeps nothing for longer`() throws {
        let cache = try open()
        try cache.keep([1], for: "/a", user: "alice")
        time.advance(seconds: -3_600)
        #expect(try cache.image(for: "/a", user: "alice") == nil)
    }

    @Test(arguments: [-315_360_000, 315_360_000] as [Int64])
    func `DR22: with the clock ten years off nothing older is given, and what comes is kept`(_ seconds: Int64) throws {
        var cache = try open()
        try cache.keep([1], for: "/a", user: "alice")
        time.advance(seconds: seconds)
        #expect(try cache.image(for: "/a", user: "alice") == nil)
        try cache.keep([2], for: "/b", user: "alice")
        cache.close()
        cache = try open()
        #expect(try cache.image(for: "/b", user: "alice") == [2] && cache.image(for: "/a", user: "alice") == nil)
    }

    @Test func `DR22: the least recently used goes first, and the order survives a restart`() throws {
        var cache = try open(300)
        for name in ["a", "b", "c"] { try cache.keep([UInt8](repeating: 1, count: 100), for: name, user: "u") }
        #expect(try cache.image(for: "a", user: "u") != nil)
        cache.close()
        cache = try open(300)
        try cache.keep([UInt8](repeating: 2, count: 100), for: "d", user: "u")
        #expect(
            try ["a", "b", "c", "d"].map { try cache.image(for: $0, user: "u") != nil } == [true, false, true, true])
        try cache.keep([UInt8](repeating: 2, count: 301), for: "a", user: "u")
        #expect(try cache.image(for: "a", user: "u") == nil)
    }

    @Test func `DR22: a model with a list does the same in 400 random steps`() throws {
        var cache = try open(1_000)
        var model: [(key: String, bytes: [UInt8], stored: Int64)] = []
        var random = SystemRandomNumberGenerator()
        for step in 0..<400 {
            let key = "k\(Int.random(in: 0..<12, using: &random))"
            model.removeAll { time.source.wallMilliseconds - $0.stored >= 7 * 86_400_000 }
            switch step % 5 {
            case 0:
                let bytes = [UInt8](repeating: UInt8(truncatingIfNeeded: step), count: Int.random(in: 0...400))
                try cache.keep(bytes, for: key, user: "u")
                model.removeAll { $0.key == key }
                model.append((key, bytes, time.source.wallMilliseconds))
                while model.reduce(0, { $0 + $1.bytes.count }) > 1_000 { model.removeFirst() }
            case 1 where step % 50 == 1:
                cache.close()
                cache = try open(1_000)
            case 2: time.advance(seconds: Int64.random(in: 0...40_000))
            default:
                let found = try cache.image(for: key, user: "u")
                let index = model.firstIndex { $0.key == key }
                #expect(found == index.map { model[$0].bytes }, "step \(step)")
                if let index { model.append(model.remove(at: index)) }
            }
        }
    }

    @Test func `DR22: users are apart, a lock hides and does not lose, and removal is possible while locked`() throws {
        let cache = try open()
        try cache.keep([1], for: "/a", user: "alice")
        try cache.keep([2], for: "/a", user: "bob")
        try cache.removeAll(of: "alice")
        #expect(try cache.image(for: "/a", user: "alice") == nil)
        #expect(try cache.image(for: "/a", user: "bob") == [2])
        lock.state = .locked
        #expect(throws: ProtectedDatabaseError.locked) { try cache.image(for: "/a", user: "bob") }
        lock.state = .unlocked
        #expect(try cache.image(for: "/a", user: "bob") == [2])
        lock.state = .locked
        cache.removeAll()
        lock.state = .unlocked
        #expect(try cache.image(for: "/a", user: "bob") == nil)
    }

    @Test func `DR22: no user's name is another's, whatever characters are in it`() throws {
        let cache = try open()
        let users = ["alice", "al\u{0}ice", "alice\u{0}", "alice\u{0}\u{301}", "alice\u{1}", "alice\u{1}0", ""]
        for (number, user) in users.enumerated() { try cache.keep([UInt8(number)], for: "/a", user: user) }
        try cache.keep([9], for: "\u{301}\u{0}/a", user: "alice")
        for (number, user) in users.enumerated() {
            #expect(try cache.image(for: "/a", user: user) == [UInt8(number)], "\(number)")
        }
        for removed in users.indices {
            try cache.removeAll(of: users[removed])
            for (number, user) in users.enumerated() {
                let isKept = try cache.image(for: "/a", user: user) != nil
                #expect(isKept == (number > removed), "\(number) after \(removed)")
            }
        }
    }

    @Test func `DR22: a damaged cache is a miss and is begun anew, and no byte of it lies in clear`() throws {
        let cache = try open()
        try cache.keep(Array("canary hyena".utf8), for: "/secret-path", user: "alice")
        cache.close()
        let place = folder.path + "/home/containers/images/database"
        for name in try Folder.names(in: place) {
            let bytes = try DurableFile.read("\(place)/\(name)", limit: 1 << 24)
            #expect(Data(bytes).firstRange(of: Data("hyena".utf8)) == nil)
            #expect(Data(bytes).firstRange(of: Data("secret-path".utf8)) == nil)
            guard name.hasSuffix(".db") else { continue }
            try DurableFile.write(bytes.map { $0 ^ 1 }, to: "\(place)/\(name)")
        }
        let again = try open()
        #expect(try again.image(for: "/secret-path", user: "alice") == nil)
        try again.keep([1], for: "/a", user: "alice")
        #expect(try again.image(for: "/a", user: "alice") == [1])
    }
}
